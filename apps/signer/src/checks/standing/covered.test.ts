import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildTransfer } from '@holdfast/chain-evm/codec'
import { decode } from '@holdfast/encoding'
import { intentHash, intentShape, type ReplacementIntent, type StandingOrderIntent, standingOrderFault, type TransferIntent } from '@holdfast/intent'
import { followStandingOrder } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { known } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { CHAIN, DAY_MS, NOW_MS, TOKEN } from '../../testing/organisation-of.ts'
import { addressOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from '../../testing/order-of.ts'
import { FEE_MOST, STANDING_ID, standingOrderOf, SWEEPS_MAX, TREASURY_PATH } from '../../testing/standing-order-of.ts'
import { acme, ann, attemptOf, ben, checkOf, cleo, type Hooks, key, ORDER_MAX } from '../../testing/world-of.ts'
import type { Log } from '../../testing/log-of.ts'
import { applyEvent, type Register } from '../../state/register.ts'
import { Refused } from '../refused.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'

const TREASURY = addressOf(key, TREASURY_PATH)
/** A coin of which the fee of the test is a small part. */
const AMOUNT = ORDER_MAX

/** What a signer that follows `kept` says of a transfer that a server has it sign under `named`, but for what the hooks change. */
function attemptUnder(kept: StandingOrderIntent, hooks: Hooks = {}, named: StandingOrderIntent = kept) {
  const { register, request, ...rest } = hooks
  return attemptOf({
    approvers: [],
    ...rest,
    order: { asset: TOKEN, amount: AMOUNT, ...hooks.order, changes: { to: TREASURY, initiator: STANDING_ID, ...hooks.order?.changes } },
    request: (made, log) => ({ standingOrder: intentHash(named), ...request?.(made, log) }),
    register: (own, attempt, log) => {
      followStandingOrder(own.standingOrders, kept, { hash: intentHash(kept), sinceMs: NOW_MS })
      register?.(own, attempt, log)
    },
  })
}

function verdictUnder(kept: StandingOrderIntent, hooks: Hooks = {}, named: StandingOrderIntent = kept): string {
  const { request, view } = attemptUnder(kept, hooks, named)
  return checkOf(() => verifySignRequest(request, view))
}

const listed = (register: Register, usableAtMs = NOW_MS): void => {
  const id = new Uint8Array(16).fill(7)
  const entry = { id, name: 'Cold', chains: [CHAIN], address: RECIPIENT_ADDRESS, memo: null, lists: [], sinceMs: NOW_MS - 1, usableAtMs }
  register.book.entries.set('07', entry)
  register.book.places.set(JSON.stringify([CHAIN, RECIPIENT_ADDRESS, null]), '07')
}

describe('a transfer that a standing order covers', () => {
  it('is signed without people, to the address that the signer itself derives', () => {
    assert.equal(standingOrderFault(standingOrderOf()), undefined)
    assert.equal(verdictUnder(standingOrderOf()), 'signed')
  })

  it('is signed to an address on the whitelist, as long as it is listed', () => {
    const cold = standingOrderOf({ does: { kind: 'sweep', to: [{ kind: 'listed', chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null }] } })
    const pays = { order: { changes: { to: RECIPIENT_ADDRESS } } }
    assert.equal(verdictUnder(cold, { ...pays, register: (own) => listed(own) }), 'signed')
    assert.equal(verdictUnder(cold, { ...pays, register: (own) => listed(own, NOW_MS + 1) }), 'c5')
    assert.equal(verdictUnder(cold, pays), 'c5')
    assert.equal(verdictUnder(cold, { order: { changes: { to: RECIPIENT_ADDRESS, memo: '1' } }, register: (own) => listed(own) }), 'c5')
  })

  it('is refused at every edge of what people approved', () => {
    const order = standingOrderOf()
    const other = standingOrderOf({ id: new Uint8Array(16).fill(9) })
    const hostile: [string, string, Hooks, StandingOrderIntent?][] = [
      ['to a stranger', 'c5', { order: { changes: { to: OTHER_ADDRESS } } }],
      [
        'to a stranger, with a place that leads elsewhere',
        'c5',
        { order: { changes: { to: OTHER_ADDRESS } }, request: () => ({ own: [{ address: OTHER_ADDRESS, keyId: key.keyId, path: TREASURY_PATH }] }) },
      ],
      ['to a neighbouring address', 'c5', { order: { changes: { to: addressOf(key, [1n, 4n]) } } }],
      ['from another wallet', 'c5', { order: { path: [2n, 7n] } }],
      ['to where it comes from', 'c5', { order: { path: TREASURY_PATH } }],
      ['too much', 'c5', { order: { amount: AMOUNT + 1n } }],
      ['too little', 'c5', { order: { amount: 9n } }],
      ['another asset', 'c4', { order: { asset: { ...TOKEN, contract: OTHER_ADDRESS } } }],
      ['with a higher fee', 'c5', { order: { changes: { feeCap: FEE_MOST + 1n } } }],
      ['asked for by a person', 'c5', { order: { changes: { initiator: ann.person.id } } }],
      ['with approvals too', 'c5', { approvers: [ben, cleo] }],
      ['open beyond the end of the standing order', 'c5', { order: { changes: { expiresAtMs: order.untilMs + 1n } } }],
      ['under a standing order that nobody approved', 'c5', {}, other],
      ['under another one of the same id', 'c5', {}, standingOrderOf({ name: 'Other' })],
      ['whose bytes pay another', 'c7', { transaction: () => ({ to: OTHER_ADDRESS }) }],
      ['whose bytes pay more', 'c7', { transaction: ({ amount }) => ({ amount: amount + 1n }) }],
      ['that is not in the log', 'c11', { request: ({ logged }) => ({ logged: logged.map((each) => ({ ...each, index: each.index + 1n })) }) }],
      ['without the standing order', 'c5', { request: () => ({ standingOrder: null }) }],
    ]
    for (const [name, check, hooks, named] of hostile) {
      assert.equal(verdictUnder(order, hooks, named), check, name)
    }
    assert.equal(verdictUnder(order), 'signed')
  })

  it('is refused before and after its time, and under an older version', () => {
    const order = standingOrderOf({ untilMs: BigInt(NOW_MS + 2 * DAY_MS) })
    assert.equal(verdictUnder(order), 'signed')
    assert.equal(verdictUnder(standingOrderOf({ notBeforeMs: BigInt(NOW_MS + 1) })), 'c5')
    assert.equal(verdictUnder(standingOrderOf({ untilMs: BigInt(NOW_MS) })), 'c5')
    const next = standingOrderOf({ version: 2n })
    const replaced = (own: Register) => followStandingOrder(own.standingOrders, next, { hash: intentHash(next), sinceMs: NOW_MS })
    assert.equal(verdictUnder(order, { register: replaced }), 'c5')
    assert.equal(verdictUnder(order, { register: replaced }, next), 'signed')
  })

  it('never touches an address that people excluded, as payer or as payee', () => {
    assert.equal(verdictUnder(standingOrderOf({ never: [addressOf(key, [0n, 7n])] })), 'c5')
    assert.equal(verdictUnder(standingOrderOf({ never: [TREASURY] })), 'c5')
    assert.equal(verdictUnder(standingOrderOf({ never: [OTHER_ADDRESS] })), 'signed')
  })

  it('moves nothing from an address to itself, for nothing but the fee', () => {
    const all = standingOrderOf({ sources: [{ name: 'All', keyId: key.keyId, path: [] }] })
    assert.equal(verdictUnder(all, { order: { path: TREASURY_PATH } }), 'c5')
    assert.equal(verdictUnder(all, { order: { path: [1n, 4n] } }), 'signed')
  })

  it('takes a part of the amount as its fee that people approved, where both are in one coin', () => {
    const { asset } = standingOrderOf().fees[0]!
    const coins = (maxShare: bigint, feeCap: bigint) =>
      verdictUnder(standingOrderOf({ fees: [{ asset, max: FEE_MOST, maxShare }], assets: [{ asset, atLeast: 0n, atMost: 2n ** 100n }] }), {
        order: { asset, amount: 10n * FEE_MOST, changes: { feeCap } },
      })
    assert.equal(coins(1_000n, FEE_MOST), 'signed', 'a tenth')
    assert.equal(coins(999n, FEE_MOST), 'c5')
  })

  it('sends coins for fees only to addresses of the wallets that people named', () => {
    const { asset } = standingOrderOf().fees[0]!
    const fuel = standingOrderOf({
      does: { kind: 'fuel', to: [{ name: 'Deposits', keyId: key.keyId, path: [4n] }] },
      assets: [{ asset, atLeast: 1n, atMost: 2n ** 100n }],
      limits: [...standingOrderOf().limits, { each: 'destination', lengthMs: BigInt(DAY_MS), amounts: [], maxTokens: null, maxCount: 1n, maxCents: null }],
    })
    assert.equal(standingOrderFault(fuel), undefined)
    const sends = (to: string, own: SignRequest['own']) =>
      verdictUnder(fuel, { order: { asset, amount: 10n * FEE_MOST, changes: { to } }, request: () => ({ own }) })
    const place = (path: bigint[]) => ({ address: addressOf(key, path), keyId: key.keyId, path })
    assert.equal(sends(addressOf(key, [4n, 2n]), [place([4n, 2n])]), 'signed')
    assert.equal(sends(addressOf(key, [4n, 2n]), []), 'c5', 'nobody shows where it is')
    assert.equal(sends(addressOf(key, [5n, 2n]), [place([5n, 2n])]), 'c5', 'of another wallet')
    assert.equal(sends(OTHER_ADDRESS, [{ ...place([4n, 2n]), address: OTHER_ADDRESS }]), 'c5', 'not what the place leads to')
  })

  it('is refused once its limit is used up, under whatever version it was used', () => {
    const used = (register: Register) => {
      for (let n = 0; n < Number(SWEEPS_MAX); n++)
        register.spends.set(`${n}`, { ruleId: `standing/${'51'.repeat(16)}`, asset: null, amount: 1n, atMs: NOW_MS - n })
    }
    const some = (register: Register) => {
      used(register)
      register.spends.delete('0')
    }
    for (const order of [standingOrderOf(), standingOrderOf({ version: 7n })]) {
      assert.equal(verdictUnder(order, { register: used }), 'c9')
      assert.equal(verdictUnder(order, { register: some }), 'signed')
    }
  })

  it('stops at once when one person stops the standing order, also between the request and the signature', () => {
    const order = standingOrderOf()
    const stopped = (own: Register) => void (own.standingOrders.values().next().value!.stoppedBy = ben.person.id)
    assert.equal(verdictUnder(order, { register: stopped }), 'c6')
    const { request, view } = attemptUnder(order)
    const taken = verifySignRequest(request, view)
    checkStillGood(taken, 2, view)
    stopped(view.register)
    assert.throws(
      () => checkStillGood(taken, 2, view),
      (cause) => cause instanceof Refused && cause.check === 'c6' && /Ben stopped/.test(cause.message),
    )
  })

  it('ends between the request and the signature where a newer version comes, or its time is over', () => {
    const order = standingOrderOf()
    const { request, view } = attemptUnder(order)
    const taken = verifySignRequest(request, view)
    assert.equal(
      checkOf(() => checkStillGood(taken, 2, { ...view, nowMs: Number(order.untilMs) })),
      'c4',
      'the transfer itself is over by then',
    )
    const next = standingOrderOf({ version: 2n })
    followStandingOrder(view.register.standingOrders, next, { hash: intentHash(next), sinceMs: NOW_MS })
    assert.equal(
      checkOf(() => checkStillGood(taken, 2, view)),
      'c5',
    )
  })

  it('does only what people approved, whatever is asked: every signed transfer fits the standing order, and every one that fits is signed', () => {
    const paths = [
      [0n, 7n],
      [0n, 8n],
      [1n, 3n],
      [2n, 1n],
    ]
    const small = fc.bigInt(0n, 12n)
    fc.assert(
      fc.property(
        fc.record({
          least: small,
          most: small,
          amount: fc.bigInt(1n, 12n),
          from: fc.nat(3),
          to: fc.nat(4),
          barred: fc.option(fc.nat(3)),
          late: fc.boolean(),
          feeOver: fc.boolean(),
        }),
        ({ least, most, amount, from, to, barred, late, feeOver }) => {
          const target = [...paths.map((path) => addressOf(key, path)), OTHER_ADDRESS][to]!
          const payer = addressOf(key, paths[from]!)
          const order = standingOrderOf({
            assets: [{ asset: TOKEN, atLeast: least, atMost: most }],
            never: barred === null ? [] : [addressOf(key, paths[barred]!)],
            untilMs: late ? BigInt(NOW_MS) : BigInt(NOW_MS + 90 * DAY_MS),
          })
          const isCovered =
            amount >= least &&
            amount <= most &&
            paths[from]![0] === 0n &&
            target === TREASURY &&
            payer !== target &&
            !late &&
            !feeOver &&
            (barred === null || ![payer, target].includes(addressOf(key, paths[barred]!)))
          const verdict = verdictUnder(order, {
            order: { amount, path: [...paths[from]!], changes: { to: target, ...(feeOver && { feeCap: FEE_MOST + 1n }) } },
          })
          assert.equal(verdict === 'signed', isCovered, verdict)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the fee of a transfer that a standing order covers', () => {
  const order = standingOrderOf()

  /** A signer that has begun to sign such a transfer, and what it then says of other bytes, or of another order about it. */
  function begun() {
    let bytes: Parameters<NonNullable<Hooks['transaction']>>[0] | undefined
    let log: Log | undefined
    const { request, view } = attemptUnder(order, { transaction: (made) => ((bytes = made), {}), register: (_own, _attempt, own) => void (log = own) })
    const { reservation } = verifySignRequest(request, view)
    const requestHash = sha256(request.nonce)
    applyEvent(view.register, { kind: 'sessionOpened', requestHash, session: 'sign', keyId: key.keyId, epoch: 0n, parties: [1n, 2n], reservation }, NOW_MS, 1)
    applyEvent(view.register, { kind: 'sessionStarted', requestHash, seen: [] }, NOW_MS, 1)
    const first = known(bytes, 'the bytes')
    const other = (changes: Partial<typeof first>, more: Partial<SignRequest> = {}) =>
      checkOf(() => verifySignRequest({ ...request, unsigned: buildTransfer({ ...first, ...changes }), nonce: sha256(request.nonce), ...more }, view))
    const about = (changes: Partial<ReplacementIntent>, more: Partial<SignRequest> = {}, price = 2n * first.maxFeePerGas) => {
      const { genesis, feeCap, notBeforeMs, expiresAtMs, policyVersion, policyHash, nonce } = decode(intentShape, request.intent) as TransferIntent
      const intent: ReplacementIntent = {
        ...{
          kind: 'replacement',
          genesis,
          orderId: new Uint8Array(16).fill(8),
          action: 'speed-up',
          original: request.intent,
          slot: first.nonce,
          feeCap,
          remark: '',
        },
        ...{ notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator: STANDING_ID, nonce: sha256(nonce), ...changes },
      }
      const draft = { intent, transaction: { ...first, maxFeePerGas: price } } as never
      const made = requestOf({ key, draft, approvals: [], log: known(log, 'the log') }).request
      const { size, root } = known(log, 'the log').checkpoint
      applyEvent(view.register, { kind: 'checkpointSigned', size: BigInt(size), root }, NOW_MS, 1)
      return checkOf(() => verifySignRequest({ ...made, standingOrder: intentHash(order), ...more }, view))
    }
    return { first, other, about, feeCap: (decode(intentShape, request.intent) as TransferIntent).feeCap }
  }

  it('is raised within its cap without people, and nothing else of it changes', () => {
    const { first, other, feeCap } = begun()
    const highest = feeCap / first.gasLimit
    assert.equal(other({ maxFeePerGas: first.maxFeePerGas + 1n }), 'signed')
    assert.equal(other({ maxFeePerGas: highest }), 'signed')
    assert.notEqual(other({ maxFeePerGas: highest + 1n }), 'signed', 'above its cap')
    assert.notEqual(other({ maxFeePerGas: highest, amount: first.amount + 1n }), 'signed')
    assert.notEqual(other({ maxFeePerGas: highest, to: OTHER_ADDRESS }), 'signed')
    assert.notEqual(other({ maxFeePerGas: highest, nonce: first.nonce + 1n }), 'signed', 'in another slot it would be paid twice')
    assert.notEqual(other({ maxFeePerGas: highest }, { standingOrder: null }), 'signed')
  })

  it('gets a higher cap by the standing order alone, which cancels nothing and allows no more than people approved', () => {
    assert.equal(begun().about({ feeCap: FEE_MOST }), 'signed')
    assert.equal(begun().about({ feeCap: FEE_MOST + 1n }), 'c5')
    assert.equal(begun().about({ feeCap: FEE_MOST, action: 'cancel' }), 'c5')
    assert.equal(begun().about({ feeCap: FEE_MOST, initiator: ann.person.id }), 'c5', 'asked for by a person')
    assert.equal(
      begun().about({ feeCap: FEE_MOST }, { standingOrder: intentHash(standingOrderOf({ version: 2n })) }),
      'c5',
      'under a version that nobody approved',
    )
  })
})

describe('a person approves nothing in the name of a standing order', () => {
  it('since no rule lets it ask', () => {
    const { intent } = draftOf({ fingerprint: acme.fingerprint, policy: acme.policy, key, initiator: ann })
    const { request, view } = attemptOf({ order: { changes: { ...intent, initiator: STANDING_ID } } })
    assert.equal(
      checkOf(() => verifySignRequest(request, view)),
      'c5',
    )
  })
})
