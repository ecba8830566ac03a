import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { draftCpfp, draftTransfer, finishDraft, type SpentCoin } from '@holdfast/chain-bitcoin/codec'
import { coinOf, previousOf } from '@holdfast/chain-bitcoin/testing'
import { codecFor } from '@holdfast/chain-registry/codec'
import { encode } from '@holdfast/encoding'
import { type DepositChildIntent, intentShape, renderIntent, type SpendingIntent } from '@holdfast/intent'
import { FROST_TAPROOT } from '@holdfast/mpc'
import { approvalContext } from '@holdfast/policy'
import fc from 'fast-check'
import { Refused } from './refused.ts'
import { applyEvent } from '../state/register.ts'
import { bitcoinAddress, bitcoinOrderOf, PATH, STRANGER } from '../testing/bitcoin-order-of.ts'
import { approvalsOf, type PublicKey, requestOf } from '../testing/order-of.ts'
import { BTC, NOW_MS } from '../testing/organisation-of.ts'
import { ann, anyTwo, beginOrder, ben, checkOf, cleo, key as ecdsaKey, organisationWith, registerOf } from '../testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

const { chain } = BTC
const taprootKey: PublicKey = { ...ecdsaKey, keyId: ecdsaKey.keyId.map((byte) => byte ^ 1), protocol: FROST_TAPROOT }
const HELD = 100_000n

type Change = {
  order?: Partial<DepositChildIntent>
  /** The coin that the bytes spend. */
  coin?: SpentCoin
  /** What the bytes do in place of a child. */
  instead?: (from: string) => Uint8Array
  flip?: { at: number; bit: number }
  maxAmount?: bigint
  satPerKvb?: bigint
  about?: 'speed-up' | 'cancel'
}

/** What a signer says of a request to speed a deposit up, honest but for the change. */
function verdictOf(key: PublicKey, { order, coin, instead, flip, maxAmount, satPerKvb = 20_000n, about }: Change = {}) {
  const from = bitcoinAddress(key, PATH)
  const deposit = coinOf(from, HELD, 7).coin
  const rule = { kind: 'transfer' as const, id: 'coin', chain: null, asset: '', maxAmount: maxAmount ?? null, window: null, ...anyTwo }
  const organisation = organisationWith({ rules: [rule], assets: [BTC] })
  const { fingerprint, policy } = organisation
  const { draft } = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann })
  const { memo: _, screening: __, ...shared } = draft.intent
  const honest = { kind: 'depositChild' as const, to: from, amount: HELD, deposit: `${deposit.txid}:0` }
  const payment: DepositChildIntent = { ...shared, ...honest, ...order }
  const child = () => draftCpfp({ chain, from, coin: coin ?? deposit, stuck: { fee: 200n, size: 200n }, satPerKvb, feeCap: 10n ** 12n })
  const made = instead?.(from) ?? finishDraft(child(), new Map())
  const unsigned = flip ? made.map((byte, i) => (i === flip.at % made.length ? byte ^ (1 << flip.bit) : byte)) : made
  const { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce } = payment
  const asking = { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce, remark: '' }
  const slot = codecFor(chain)!.decode(made).slot
  const original = about && encode(intentShape, payment)
  const intent: SpendingIntent = original ? { kind: 'replacement', ...asking, action: about, original, slot, feeCap: 20_000n } : payment
  const asked = { intent, transaction: draft.transaction } as never
  const { request, log } = requestOf({ key, draft: asked, approvals: approvalsOf(asked, policy, [ben, cleo]), unsigned })
  const register = registerOf(organisation, log)
  applyEvent(register, { kind: 'keyOfKindMade', ...taprootKey, curve: 'secp256k1' }, NOW_MS, 1)
  if (original) beginOrder(register, payment, slot)
  return verifySignRequest(request, { party: 1, register, nowMs: NOW_MS, codecFor })
}

const judged = (key: PublicKey, change: Change) => checkOf(() => verdictOf(key, change))

/** A payment like others, of the deposit or beside it. */
const paying =
  (payments: (from: string) => { to: string; amount: bigint }[], coins = [7]) =>
  (from: string) => {
    const made = coins.map((seed) => coinOf(from, HELD, seed))
    const order = { chain, from, payments: payments(from), coins: made.map(({ coin }) => coin), required: made.map(({ coin }) => coin) }
    return finishDraft(draftTransfer({ ...order, satPerKvb: 2_000n, feeCap: 10n ** 12n }), previousOf(made))
  }

for (const [name, key] of [
  ['P2WPKH', ecdsaKey],
  ['P2TR', taprootKey],
] as const) {
  const from = bitcoinAddress(key, PATH)
  describe(`a signer asked to speed a pending deposit up (${name})`, () => {
    it('sees one coin spent that comes back whole but for the fee, and has it for its slot', () => {
      const { effects, reservation, toSign } = verdictOf(key)
      assert.deepEqual(effects.transfers, [{ asset: { chain, contract: null }, to: from, amount: HELD - effects.feeMax }])
      assert.deepEqual(
        effects.inputs!.map(({ amount }) => amount),
        [HELD],
      )
      assert.ok(reservation.kind === 'told' && reservation.amount === HELD && toSign.length === 1)
    })

    it('refuses whatever else is spent or paid, a fee above the cap, and an order whose parts do not fit together', () => {
      const wrong: [string, Change, string][] = [
        ['another coin', { coin: coinOf(from, HELD, 8).coin }, 'c7'],
        ['the coin with less in it', { coin: { ...coinOf(from, HELD, 7).coin, amount: HELD - 1n } }, 'c7'],
        ['a payment to somebody else', { instead: paying(() => [{ to: STRANGER, amount: 90_000n }]) }, 'c7'],
        ['somebody else beside', { instead: paying((own) => [own, STRANGER].map((to) => ({ to, amount: 40_000n }))) }, 'c7'],
        ['a second coin', { instead: paying((own) => [{ to: own, amount: 150_000n }], [7, 9]) }, 'c5'],
        ['change beside', { instead: paying((own) => [{ to: own, amount: 40_000n }]) }, 'c7'],
        ['a fee above the cap', { satPerKvb: 200_000n }, 'c8'],
        ['an order for another coin', { order: { deposit: `${'ab'.repeat(32)}:0` } }, 'c7'],
        ['an order that names more', { order: { amount: HELD + 1n } }, 'c7'],
        ['an order to somebody else', { order: { to: STRANGER } }, 'c4'],
        ['an order whose fee may be all', { order: { feeCap: HELD } }, 'c4'],
        ['an order of no coin', { order: { deposit: 'the last one' } }, 'c4'],
      ]
      const rule = { maxAmount: HELD }
      assert.deepEqual(
        wrong.map(([what, change]) => [what, judged(key, { ...rule, ...change })]),
        wrong.map(([what, , check]) => [what, check]),
      )
    })

    it('signs a child that takes the place of one for more, where people approve its cap, and nothing else in its name', () => {
      const more = (change: Change) => judged(key, { about: 'speed-up', order: { feeCap: 1_000n }, maxAmount: HELD, ...change })
      assert.equal(judged(key, { order: { feeCap: 1_000n }, maxAmount: HELD }), 'c8')
      assert.equal(more({}), 'signed')
      assert.equal(more({ maxAmount: HELD - 1n }), 'c5')
      assert.equal(more({ satPerKvb: 200_000n }), 'c8')
      assert.equal(more({ coin: coinOf(from, HELD, 8).coin }), 'c7')
      assert.equal(more({ instead: paying(() => [{ to: STRANGER, amount: 90_000n }]) }), 'c7')
    })

    it('asks the policy about the whole deposit, and not about what is left of it', () => {
      assert.equal(judged(key, { maxAmount: HELD }), 'signed')
      assert.equal(judged(key, { maxAmount: HELD - 1n }), 'c5')
    })

    it('signs nothing but that, whichever bit of the transaction is flipped', () => {
      const known = verdictOf(key)
      fc.assert(
        fc.property(fc.nat(), fc.nat(7), (at, bit) => {
          let verdict: ReturnType<typeof verdictOf>
          try {
            verdict = verdictOf(key, { flip: { at, bit } })
          } catch (cause) {
            assert.ok(cause instanceof Refused && ['c5', 'c7', 'c8'].includes(cause.check), String(cause))
            return
          }
          const { effects } = verdict
          assert.deepEqual([effects.inputs, effects.slot], [known.effects.inputs, known.effects.slot])
          assert.deepEqual([effects.transfers.length, effects.transfers[0]!.to], [1, from])
          assert.ok(effects.feeMax <= 20_000n)
        }),
        { numRuns: 60 },
      )
    })
  })
}

describe('an order to speed a deposit up', () => {
  it('is shown to people with the deposit, its coin, the address it stays at and the most it costs, in both languages', () => {
    const { intent } = verdictOf(ecdsaKey)
    const { policy } = organisationWith()
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const { title, rows, warnings } = renderIntent(intent, approvalContext(policy), locale)
      assert.match(title, /0\.0002 BTC.*0\.001 BTC/)
      const shown = rows.map(({ value }) => value)
      const { deposit } = intent as DepositChildIntent
      for (const value of [deposit, '0.001 BTC', '0.0002 BTC']) assert.ok(shown.includes(value), value)
      assert.equal(warnings.length, 1)
    }
  })
})
