import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toHex } from '@holdfast/encoding'
import { dueMs, intentHash, lastMs, type StandingOrderIntent, standingOrderFault } from '@holdfast/intent'
import { decidersOf, followStandingOrder, standingRuleId } from '@holdfast/policy'
import fc from 'fast-check'
import { addressOf, OTHER_ADDRESS, RECIPIENT_ADDRESS } from '../../testing/order-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN } from '../../testing/organisation-of.ts'
import { FEE_MOST, SCHEDULED, scheduleOf, STANDING_ID, TODAY, TREASURY_PATH } from '../../testing/standing-order-of.ts'
import { acme, ann, attemptOf, ben, checkOf, cleo, type Hooks, key } from '../../testing/world-of.ts'
import type { Register } from '../../state/register.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'

type Schedule = Extract<StandingOrderIntent['does'], { kind: 'schedule' }>
const of = ({ does }: StandingOrderIntent) => does as Schedule

type Tried = Hooks & { day?: bigint; nowMs?: bigint; named?: StandingOrderIntent }

/** A payment that a server asks for on a day, as an honest one would but for what a test changes. */
function attempt(kept: StandingOrderIntent, { day = TODAY, nowMs, named = kept, ...hooks }: Tried = {}) {
  const { register, order, ...rest } = hooks
  const dueAtMs = dueMs(of(kept), day)
  const changes = { initiator: STANDING_ID, notBeforeMs: dueAtMs, expiresAtMs: lastMs(of(kept), day), ...order?.changes }
  return attemptOf({
    approvers: [],
    view: () => ({ nowMs: Number(nowMs ?? dueAtMs) }),
    ...rest,
    order: { asset: TOKEN, amount: SCHEDULED.amount, path: SCHEDULED.path, ...order, changes },
    request: (made, log) => ({ standingOrder: intentHash(named), ...hooks.request?.(made, log) }),
    register: (own, made, log) => {
      followStandingOrder(own.standingOrders, kept, { hash: intentHash(kept), sinceMs: NOW_MS })
      register?.(own, made, log)
    },
  })
}

function verdict(kept: StandingOrderIntent, tried: Tried = {}): string {
  const { request, view } = attempt(kept, tried)
  return checkOf(() => verifySignRequest(request, view))
}

/** What this signer, or another by its word, let through for a day under some version. */
const paid = (day: bigint) => (own: Register) => {
  const ruleId = `standing/${toHex(STANDING_ID)}/${day}`
  own.spends.set('paid', { ruleId, asset: null, amount: SCHEDULED.amount, atMs: Number(day) * DAY_MS })
}

describe('a scheduled payment', () => {
  it('is signed from its time on, for each of its dates, until it is too late', () => {
    const kept = scheduleOf()
    assert.equal(standingOrderFault(kept), undefined)
    for (const day of of(kept).days) {
      assert.equal(verdict(kept, { day }), 'signed')
      assert.equal(verdict(kept, { day, nowMs: lastMs(of(kept), day) - 1n }), 'signed')
      assert.equal(verdict(kept, { day, nowMs: dueMs(of(kept), day) - 1n }), 'c4', 'too early')
      assert.notEqual(verdict(kept, { day, nowMs: lastMs(of(kept), day) + 1n }), 'signed', 'too late')
    }
  })

  it('is refused in everything else that a hostile server could ask for', () => {
    const kept = scheduleOf()
    const due = dueMs(of(kept), TODAY)
    const changed = (changes: object): Tried => ({ order: { changes } })
    const hostile: [string, string, Tried][] = [
      ['on a day between two dates', 'c5', { day: TODAY + 1n }],
      ['on a date that people did not name', 'c5', { day: TODAY + 4n }],
      ['dated a minute early', 'c5', changed({ notBeforeMs: due - 60_000n })],
      ['dated a minute late', 'c5', { ...changed({ notBeforeMs: due + 60_000n }), nowMs: due + 60_000n }],
      ['that can be sent later than people said', 'c5', changed({ expiresAtMs: lastMs(of(kept), TODAY) + 1n })],
      ['of more', 'c5', { order: { amount: SCHEDULED.amount + 1n } }],
      ['of less', 'c5', { order: { amount: SCHEDULED.amount - 1n } }],
      ['of another asset', 'c5', { order: { asset: COIN } }],
      ['to another address', 'c5', changed({ to: OTHER_ADDRESS })],
      ['with a memo', 'c5', changed({ memo: '1' })],
      ['from another address', 'c5', { order: { path: [0n, 8n] } }],
      ['from an address beneath the one that pays', 'c5', { order: { path: [...SCHEDULED.path, 1n] } }],
      ['for a higher fee', 'c5', changed({ feeCap: FEE_MOST + 1n })],
      ['asked for by a person', 'c5', changed({ initiator: ann.person.id })],
      ['with approvals', 'c5', { approvers: [ben, cleo] }],
      ['under a version that nobody approved', 'c5', { named: scheduleOf({}, { version: 2n }) }],
      ['whose bytes pay more', 'c7', { transaction: ({ amount }) => ({ amount: amount + 1n }) }],
      ['whose bytes pay another', 'c7', { transaction: () => ({ to: OTHER_ADDRESS }) }],
    ]
    for (const [name, check, tried] of hostile) assert.equal(verdict(kept, tried), check, name)
    assert.equal(verdict(kept), 'signed')
  })

  it('is made once for each date, under whatever version and at whatever time of that day', () => {
    for (const kept of [scheduleOf(), scheduleOf({}, { version: 7n }), scheduleOf({ minute: 61n, lateDays: 1n }, { version: 8n })]) {
      assert.equal(verdict(kept, { register: paid(TODAY) }), 'c9')
      assert.equal(verdict(kept, { register: paid(TODAY - 1n) }), 'signed')
      assert.equal(verdict(kept, { register: paid(TODAY), nowMs: lastMs(of(kept), TODAY) - 1n }), 'c9', 'also when it is late')
    }
    assert.equal(standingRuleId(scheduleOf(), { notBeforeMs: dueMs(of(scheduleOf()), TODAY) }).length <= 64, true, 'signers count under it')
  })

  it('goes to an address on the whitelist only while it is there, and to an own one that the signer derives', () => {
    const listed = scheduleOf({ to: { kind: 'listed', chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null } })
    const own = scheduleOf({ to: { kind: 'own', chain: CHAIN, name: 'Treasury', keyId: key.keyId, path: TREASURY_PATH } })
    assert.equal(verdict(listed), 'c5')
    assert.equal(verdict(own, { order: { changes: { to: addressOf(key, TREASURY_PATH) } } }), 'signed')
    assert.equal(verdict(own), 'c5')
  })

  it('ends at once when one person stops it, also between the request and the signature', () => {
    const kept = scheduleOf()
    const stopped = (own: Register) => void (own.standingOrders.values().next().value!.stoppedBy = ben.person.id)
    assert.equal(verdict(kept, { register: stopped }), 'c6')
    const { request, view } = attempt(kept)
    const taken = verifySignRequest(request, view)
    checkStillGood(taken, 2, view)
    stopped(view.register)
    assert.equal(
      checkOf(() => checkStillGood(taken, 2, view)),
      'c6',
    )
  })

  it('is left to the others by a signer that was repaired, until it knows what was let through', () => {
    const kept = scheduleOf()
    const repaired = (atMs: bigint) => (own: Register) => void (own.beganAnewAtMs = Number(atMs))
    const due = dueMs(of(kept), TODAY)
    assert.equal(verdict(kept, { register: repaired(due - 2n * BigInt(DAY_MS)) }), 'c12')
    assert.equal(verdict(kept, { register: repaired(due - 4n * BigInt(DAY_MS)) }), 'signed')
  })

  it('is what people approved, whatever is asked: what fits is signed, and what is signed fits', () => {
    const day = fc.integer({ min: -2, max: 6 })
    const hour = BigInt(DAY_MS) / 24n
    fc.assert(
      fc.property(
        fc.record({
          days: fc.uniqueArray(day, { minLength: 1, maxLength: 5 }),
          minute: fc.constantFrom(0n, 60n, 1_439n),
          lateDays: fc.bigInt(1n, 4n),
          asked: day,
          hours: fc.bigInt(-80n, 200n),
          shift: fc.constantFrom(0n, 0n, 0n, 1n, -1n),
          extra: fc.constantFrom(0n, 0n, 0n, 1n),
          before: fc.option(day),
        }),
        ({ days, minute, lateDays, asked, hours, shift, extra, before }) => {
          const dates = days.toSorted((a, b) => a - b).map((each) => TODAY + BigInt(each))
          const kept = scheduleOf({ days: dates, minute, lateDays })
          const nowMs = TODAY * BigInt(DAY_MS) + hours * hour
          const date = TODAY + BigInt(asked)
          const [dueAtMs, endMs] = [dueMs(of(kept), date), lastMs(of(kept), date)]
          const seen = verdict(kept, {
            day: date,
            nowMs,
            order: { changes: { notBeforeMs: dueAtMs + shift, expiresAtMs: endMs + extra } },
            ...(before !== null && { register: paid(TODAY + BigInt(before)) }),
          })
          const isMeant = days.includes(asked) && shift === 0n && extra === 0n
          assert.equal(seen === 'signed', isMeant && nowMs >= dueAtMs && nowMs <= endMs && nowMs < kept.untilMs && before !== asked, seen)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a schedule that pays an address which only the standing order names', () => {
  it('is for those who govern to approve, whoever approves standing orders', () => {
    const policy = { ...acme.policy, parts: [{ part: 'standingOrders', need: 1n, who: [{ kind: 'person' as const, id: cleo.person.id }] }] }
    const own = scheduleOf({ to: { kind: 'own', chain: CHAIN, name: 'Treasury', keyId: key.keyId, path: TREASURY_PATH } })
    assert.equal(decidersOf(policy, own).threshold, 1n)
    assert.equal(decidersOf(policy, scheduleOf()), policy.governance)
  })
})
