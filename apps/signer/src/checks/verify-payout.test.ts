import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { draftTransfer, finishDraft } from '@holdfast/chain-bitcoin/codec'
import { previousOf, second, third } from '@holdfast/chain-bitcoin/testing'
import { codecFor } from '@holdfast/chain-registry/codec'
import { type PayoutIntent, paymentsOf } from '@holdfast/intent'
import fc from 'fast-check'
import { bitcoinAddress, bitcoinOrderOf, CHANGE_PATH, coinsOf, PATH, STRANGER } from '../testing/bitcoin-order-of.ts'
import { approvalsOf, requestOf } from '../testing/order-of.ts'
import { BTC, NOW_MS } from '../testing/organisation-of.ts'
import { ann, anyTwo, ben, checkOf, cleo, key, organisationWith, registerOf } from '../testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

type Payment = { to: string; amount: bigint }
type Change = {
  /** What the order says, where it says something else than the bytes do. */
  order?: Partial<PayoutIntent>
  /** What the bytes do, where they do something else than the order says. */
  payments?: readonly Payment[]
  maxAmount?: bigint
}

const from = bitcoinAddress(key, PATH)
const PAYMENTS: readonly Payment[] = [
  { to: STRANGER, amount: 50_000n },
  { to: second, amount: 40_000n },
  { to: third, amount: 30_000n },
]
const sum = (payments: readonly Payment[]) => payments.reduce((total, { amount }) => total + amount, 0n)

/** What a signer says of a request to sign an order for several, honest but for the change. */
function verdictOf({ order, payments = PAYMENTS, maxAmount = 1_000_000n }: Change, amounts: readonly bigint[] = [100_000n, 90_000n]) {
  const rule = {
    kind: 'transfer' as const,
    id: 'payouts',
    chain: null,
    asset: null,
    maxAmount,
    window: null,
    ...anyTwo,
  }
  const organisation = organisationWith({ rules: [rule] })
  const { fingerprint, policy } = organisation
  const { draft } = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann, amount: sum(PAYMENTS) })
  const intent: PayoutIntent = { ...draft.intent, kind: 'payout', to: PAYMENTS[0]!.to, outputs: [...PAYMENTS], ...order }
  const made = coinsOf(from, amounts)
  const change = { address: bitcoinAddress(key, CHANGE_PATH), path: CHANGE_PATH }
  const coins = made.map(({ coin }) => coin)
  const drafted = draftTransfer({ chain: BTC.chain, from, payments, coins, satPerKvb: 2_000n, feeCap: 10n ** 12n, change })
  const asked = { intent, transaction: draft.transaction }
  const { request, log } = requestOf({
    key,
    draft: asked,
    approvals: approvalsOf(asked, policy, [ben, cleo]),
    unsigned: finishDraft(drafted, previousOf(made)),
  })
  return verifySignRequest(request, { party: 1, register: registerOf(organisation, log), nowMs: NOW_MS, codecFor })
}

const judged = (change: Change) => checkOf(() => verdictOf(change))

describe('a signer asked to sign an order that pays several', () => {
  it('takes part where the bytes pay exactly these, and counts what all of them get', () => {
    const { effects, reservation, intent } = verdictOf({})
    assert.deepEqual(
      effects.transfers.map(({ to, amount }) => ({ to, amount, memo: null })),
      paymentsOf(intent as PayoutIntent),
    )
    assert.ok(reservation.kind === 'told' && reservation.amount === 120_000n)
  })

  it('refuses bytes that pay somebody else, more, less, twice, in another sequence, or nobody of them', () => {
    const [a, b, c] = PAYMENTS as [Payment, Payment, Payment]
    const wrong: [string, Change, string][] = [
      ['another recipient', { payments: [a, b, { ...c, to: from }] }, 'c7'],
      ['a recipient more', { payments: [...PAYMENTS, { to: from, amount: 10_000n }] }, 'c7'],
      ['a recipient less', { payments: [a, b] }, 'c7'],
      ['one for all', { payments: [{ to: a.to, amount: 120_000n }] }, 'c7'],
      ['amounts moved from one to another', { payments: [{ ...a, amount: 60_000n }, { ...b, amount: 30_000n }, c] }, 'c7'],
      ['another sequence', { payments: [b, a, c] }, 'c7'],
      ['a satoshi more', { payments: [a, b, { ...c, amount: 30_001n }] }, 'c7'],
    ]
    assert.deepEqual(
      wrong.map(([name, change]) => [name, judged(change)]),
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('refuses an order whose parts do not fit together, whatever its approvers were shown', () => {
    const [a, b, c] = PAYMENTS as [Payment, Payment, Payment]
    const wrong: [string, Change][] = [
      ['a smaller sum than it pays', { order: { amount: 1_000n } }],
      ['a recipient twice', { order: { outputs: [a, b, { ...c, to: a.to }] }, payments: [a, b, { ...c, to: a.to }] }],
      ['another first recipient', { order: { to: b.to } }],
      ['one recipient alone', { order: { outputs: [a], amount: a.amount }, payments: [a] }],
      ['the payer', { order: { outputs: [a, b, { ...c, to: from }] } }],
      ['a memo', { order: { memo: '7' } }],
    ]
    assert.deepEqual(
      wrong.map(([name, change]) => [name, judged(change)]),
      wrong.map(([name]) => [name, 'c4']),
    )
  })

  it('judges the policy by the sum: parts that each are small do not slip beneath a limit', () => {
    assert.equal(judged({ maxAmount: 120_000n }), 'signed')
    assert.equal(judged({ maxAmount: 119_999n }), 'c5')
  })

  it('signs for any recipients and amounts what was ordered, and for no change of one amount', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1_000n, max: 60_000n }), { minLength: 3, maxLength: 3 }),
        fc.nat(2),
        fc.bigInt({ min: -600n, max: 600n }).filter((by) => by !== 0n),
        (amounts, at, by) => {
          const outputs = PAYMENTS.map(({ to }, i) => ({ to, amount: amounts[i]! }))
          const order = { outputs, amount: sum(outputs) }
          assert.equal(judged({ order, payments: outputs }), 'signed')
          assert.equal(judged({ order, payments: outputs.map((each, i) => (i === at ? { ...each, amount: each.amount + by } : each)) }), 'c7')
        },
      ),
      { numRuns: 25 },
    )
  })
})
