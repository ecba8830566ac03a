import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toHex } from '@holdfast/encoding'
import type { NamedRule } from '@holdfast/policy'
import { approveBy, dayLimit, namedRule, type NamedRuleOf, NOWHERE, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import type { Word } from '@holdfast/protocol'
import fc from 'fast-check'
import type { Spend } from '../state/spends.ts'
import { CHAIN, COIN, NOW_MS } from '../testing/organisation-of.ts'
import { addressOf, OTHER_ADDRESS, RECIPIENT_ADDRESS } from '../testing/order-of.ts'
import type { Member } from '../testing/people.ts'
import { ann, type Attempt, attemptOf, ben, checkOf, cleo, type Hooks, key, ORDER_MAX, organisationWith } from '../testing/world-of.ts'
import { applyEvent } from '../state/register.ts'
import { checkStillGood, verifySignRequest } from './verify.ts'
import { checkLimits, spendsWithin } from './verify-reservation.ts'
import { asksOf } from './words.ts'

const verdictOf = ({ request, view }: Attempt) => checkOf(() => verifySignRequest(request, view))

const step = (...members: Member[]) => ({ need: 1n, who: members.map(({ person }) => personOf(person)) })
const rule = (id: string, steps: ReturnType<typeof step>[], given: NamedRuleOf = {}) => namedRule(id, { steps, ...given })

/** An attempt in an organisation with these rules; Ann asks. */
const attempt = (rules: NamedRule[], hooks: Hooks = {}) =>
  attemptOf({ organisation: organisationWith({ rules }), order: { asset: COIN, amount: ORDER_MAX }, ...hooks })

const spent =
  (changes: Partial<Spend> = {}): NonNullable<Hooks['register']> =>
  (register) =>
    void register.spends.set('earlier', {
      ruleId: 'small',
      asset: `${CHAIN}|`,
      amount: ORDER_MAX,
      atMs: NOW_MS - 1,
      told: { initiator: ann.person.id, from: addressOf(key, [0n, 7n]), paid: [{ to: RECIPIENT_ADDRESS, amount: ORDER_MAX }] },
      ...changes,
    })

describe('rules with steps, by a signer', () => {
  it('need people for every step, each in one of them, and never whoever asks', () => {
    const rules = [rule('both', [step(ben, cleo), step(ann, ben)])]
    assert.equal(verdictOf(attempt(rules)), 'signed')
    assert.equal(verdictOf(attempt(rules, { approvers: [ben] })), 'c5')
    assert.equal(verdictOf(attempt(rules, { approvers: [cleo] })), 'c5')
    assert.equal(verdictOf(attempt(rules, { approvers: [ann, cleo] })), 'c5')
  })

  it('hold at the hours they name, by the clock of the signer', () => {
    const now = new Date(NOW_MS)
    const times = (days: bigint[]): NamedRule['conditions'] => [{ kind: 'times', zone: 'UTC', days, fromMinute: 0n, untilMinute: 1440n }]
    const today = BigInt(now.getUTCDay())
    assert.equal(verdictOf(attempt([rule('today', [step(ben)], { conditions: times([today]) })])), 'signed')
    assert.equal(
      verdictOf(attempt([rule('other days', [step(ben)], { conditions: times([0n, 1n, 2n, 3n, 4n, 5n, 6n].filter((day) => day !== today)) })])),
      'c5',
    )
  })

  it('hold for the wallet and the recipient that the bytes are of, whatever else an order says', () => {
    const wallets = (path: bigint[]): NamedRule['conditions'] => [{ kind: 'sources', wallets: [{ name: 'Payroll', keyId: key.keyId, path }] }]
    const only = (address: string): NamedRule['conditions'] => [
      { kind: 'destinations', ...NOWHERE, addresses: [{ name: 'Supplier', chain: CHAIN, address, memo: null }] },
    ]
    assert.equal(verdictOf(attempt([rule('own', [step(ben)], { conditions: wallets([0n]) })])), 'signed')
    assert.equal(verdictOf(attempt([rule('other', [step(ben)], { conditions: wallets([1n]) })])), 'c5')
    assert.equal(verdictOf(attempt([rule('supplier', [step(ben)], { conditions: only(RECIPIENT_ADDRESS) })])), 'signed')
    assert.equal(verdictOf(attempt([rule('another', [step(ben)], { conditions: only(OTHER_ADDRESS) })])), 'c5')
    // People approved a payment to the supplier, and the bytes pay somebody else.
    const swapped = attempt([rule('supplier', [step(ben)], { conditions: only(RECIPIENT_ADDRESS) })], { transaction: () => ({ to: OTHER_ADDRESS }) })
    assert.equal(verdictOf(swapped), 'c7')
  })

  it('refuse what a rule refuses, and what is open for too long', () => {
    assert.equal(verdictOf(attempt([rule('no', [], { action: { kind: 'refuse' } }), rule('yes', [step(ben)])])), 'c5')
    const short = rule('short', [step(ben)], { action: approveBy([step(ben)], { expiresAfterMs: 60_000n }) })
    assert.equal(verdictOf(attempt([short])), 'c5')
  })
})

describe('limits that pass orders on', () => {
  const small = rule('small', [step(ben)], { limits: [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: ORDER_MAX }] })] })
  const large = rule('large', [step(ben), step(cleo)])
  const rules = [small, large, rule('never', [step(ben)])]
  const asked = (by: string | null): Hooks => ({ request: () => ({ rule: by }) })

  it('end where they are used up, and the next rule asks for its own people', () => {
    assert.equal(verdictOf(attempt(rules, { approvers: [ben] })), 'signed')
    assert.equal(verdictOf(attempt(rules, { approvers: [ben], register: spent() })), 'c9')
    assert.equal(verdictOf(attempt(rules, { register: spent() })), 'c9')
    assert.equal(verdictOf(attempt(rules, { ...asked('large'), register: spent() })), 'signed')
    assert.equal(verdictOf(attempt(rules, { ...asked('large'), approvers: [ben], register: spent() })), 'c5')
  })

  it('lead no further than the first rule without limits, whatever rule a server names', () => {
    assert.equal(verdictOf(attempt(rules, { ...asked('never'), approvers: [ben] })), 'c5')
    assert.equal(verdictOf(attempt(rules, { ...asked('another'), approvers: [ben] })), 'c5')
    assert.equal(verdictOf(attempt([large, small], { ...asked('small'), approvers: [ben] })), 'c5')
  })

  it('go on counting an order that another rule lets through once more', () => {
    const one = attempt(rules, { approvers: [ben] })
    const { reservation } = verifySignRequest(one.request, one.view)
    const { register } = one.view
    const begin = (ruleId: string, number: number, atMs: number) => {
      const [requestHash, session] = [new Uint8Array(32).fill(number), 'sign']
      const opened = {
        kind: 'sessionOpened' as const,
        requestHash,
        session,
        keyId: key.keyId,
        epoch: 0n,
        parties: [1n, 2n],
        reservation: { ...reservation, ruleId },
      }
      applyEvent(register, opened, atMs, 1)
      applyEvent(register, { kind: 'sessionStarted', requestHash, seen: [] }, atMs, 1)
    }
    begin('small', 1, NOW_MS)
    begin('large', 2, NOW_MS + 5)
    const counts = (id: string) => [...spendsWithin(register, { rule: id, asset: null, each: 'rule', of: '', sinceMs: 0n }, '', NOW_MS).values()]
    assert.deepEqual(counts('small'), [{ amount: ORDER_MAX, atMs: NOW_MS }])
    assert.deepEqual(counts('large'), [{ amount: ORDER_MAX, atMs: NOW_MS + 5 }])
    begin('small', 3, NOW_MS + 9)
    assert.deepEqual([counts('small')[0]?.atMs, counts('large')[0]?.atMs], [NOW_MS + 9, NOW_MS + 5])
  })

  it('are looked at again when signing starts', () => {
    const opening = new Date(NOW_MS)
    const until = BigInt(opening.getUTCHours() * 60 + opening.getUTCMinutes() + 1)
    const hours: NamedRule['conditions'] = [{ kind: 'times', zone: 'UTC', days: [BigInt(opening.getUTCDay())], fromMinute: 0n, untilMinute: until }]
    const { request, view } = attempt([rule('until then', [step(ben)], { conditions: hours })], { approvers: [ben] })
    const order = verifySignRequest(request, view)
    assert.equal(
      checkOf(() => checkStillGood(order, 2, view)),
      'signed',
    )
    assert.equal(
      checkOf(() => checkStillGood(order, 2, { ...view, nowMs: NOW_MS + 60_000 })),
      'c5',
    )
  })

  it('are counted as often as a word has room for, and no more', () => {
    const { request, view } = attempt(rules, { approvers: [ben] })
    const order = verifySignRequest(request, view)
    const { policy } = view.register
    const paid = Array.from({ length: 200 }, (_, i) => ({ to: `0x${i}`, amount: 1n }))
    const limits = [1, 2].map(() => ({ each: 'destination' as const, lengthMs: 1n, maxCount: 1n, maxCents: null, maxOf: () => 1n }))
    const crowded = { ...order, reservation: { ...order.reservation, paid }, needs: { ...order.needs, limits } }
    assert.equal(
      checkOf(() => asksOf(crowded, policy, NOW_MS)),
      'c9',
    )
    assert.equal(asksOf(order, policy, NOW_MS).counts.length, 1)
  })

  it('hear the no of whoever counts by any rule that may decide', () => {
    const no: Hooks['approval'] = (member) => (member === cleo ? { decision: 'reject' } : {})
    assert.equal(verdictOf(attempt(rules, { approval: no })), 'c6')
  })
})

describe('limits', () => {
  const amounts = [{ chain: CHAIN, asset: '', max: ORDER_MAX }]
  const limited = (given: Parameters<typeof dayLimit>[0]) => [rule('small', [step(ben)], { limits: [dayLimit(given)] })]

  it('count each asker, each destination and each paying address by itself', () => {
    const told = { initiator: ann.person.id, from: addressOf(key, [0n, 7n]), paid: [{ to: RECIPIENT_ADDRESS, amount: ORDER_MAX }] }
    const others: Record<string, Partial<typeof told>> = {
      asker: { initiator: ben.person.id },
      source: { from: OTHER_ADDRESS },
      destination: { paid: [{ to: OTHER_ADDRESS, amount: ORDER_MAX }] },
    }
    for (const [each, other] of Object.entries(others)) {
      const rules = limited({ each, amounts })
      assert.equal(verdictOf(attempt(rules)), 'signed', each)
      assert.equal(verdictOf(attempt(rules, { register: spent() })), 'c9', each)
      assert.equal(verdictOf(attempt(rules, { register: spent({ told: { ...told, ...other } }) })), 'signed', each)
      const { told: _, ...untold } = { ruleId: 'small', asset: null, amount: 1n, atMs: NOW_MS - 1, told }
      const fromBefore: Hooks['register'] = (register) => void register.spends.set('earlier', untold)
      assert.equal(verdictOf(attempt(rules, { register: fromBefore })), 'c9', 'what a journal from before does not tell counts for everybody')
    }
  })

  it('count orders of any asset, and nothing of an asset that they do not name', () => {
    const counted = limited({ maxCount: 1n })
    assert.equal(verdictOf(attempt(counted)), 'signed')
    assert.equal(verdictOf(attempt(counted, { register: spent({ asset: `${CHAIN}|0xother`, amount: 1n }) })), 'c9')
    assert.equal(verdictOf(attempt(counted, { register: spent({ ruleId: 'another' }) })), 'signed')
    const named = limited({ amounts: [{ chain: CHAIN, asset: '0x5FbDB2315678afecb367f032d93F642f64180aa3', max: ORDER_MAX }] })
    assert.equal(verdictOf(attempt(named)), 'c9')
  })

  it('hold for what all three know together, whoever knows it, and count an order once', () => {
    const orders = fc.array(fc.record({ order: fc.nat(4), amount: fc.bigInt(1n, 4n), by: fc.subarray([0, 1, 2], { minLength: 1 }) }), { maxLength: 6 })
    fc.assert(
      fc.property(orders, fc.constantFrom('amount' as const, 'order' as const), (given, unit) => {
        const max = 6n
        const rules = limited(unit === 'amount' ? { amounts: [{ chain: CHAIN, asset: '', max }] } : { maxCount: max / 2n })
        const { request, view } = attempt(rules, { order: { asset: COIN, amount: 1n } })
        const { reservation, needs } = verifySignRequest(request, view)
        const hash = (order: number) => new Uint8Array(32).fill(order + 1)
        const most = new Map<number, bigint>()
        for (const { order, amount } of given)
          most.set(
            order,
            [most.get(order) ?? 0n, amount].reduce((a, b) => (a > b ? a : b)),
          )
        const toldBy = (signer: number) => [...most].filter(([order]) => given.some((each) => each.order === order && each.by.includes(signer)))
        for (const [order, amount] of toldBy(0)) view.register.spends.set(toHex(hash(order)), { ruleId: 'small', asset: `${CHAIN}|`, amount, atMs: NOW_MS })
        const words = [1, 2].map((signer) => {
          const spends = toldBy(signer).map(([order, amount]) => ({ order: hash(order), amount, atMs: BigInt(NOW_MS) }))
          return { counted: [{ spends, older: 0n, olderCount: 0n }] } as unknown as Word
        })
        const used = unit === 'amount' ? [...most.values()].reduce((sum, amount) => sum + amount, 0n) : BigInt(most.size)
        const verdict = checkOf(() => checkLimits(reservation, needs, view.register, NOW_MS, words))
        assert.equal(verdict, used + 1n > (unit === 'amount' ? max : max / 2n) ? 'c9' : 'signed')
      }),
      { numRuns: 100 },
    )
  })
})
