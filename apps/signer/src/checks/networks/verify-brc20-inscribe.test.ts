import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cancelTransfer, draftTransfer, finishDraft, type UnsignedTransaction } from '@holdfast/chain-bitcoin/codec'
import { coinOf, previousOf } from '@holdfast/chain-bitcoin/testing'
import { brc20Asset } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { encode } from '@holdfast/encoding'
import { type Asset, type Brc20InscribeIntent, intentShape, renderIntent, type SpendingIntent } from '@holdfast/intent'
import { FROST_TAPROOT } from '@holdfast/mpc'
import { approvalContext } from '@holdfast/policy'
import fc from 'fast-check'
import { Refused } from '../refused.ts'
import { applyEvent } from '../../state/register.ts'
import { bitcoinAddress, bitcoinOrderOf, PATH, STRANGER } from '../../testing/bitcoin-order-of.ts'
import { approvalsOf, type PublicKey, requestOf } from '../../testing/order-of.ts'
import { BTC, NOW_MS } from '../../testing/organisation-of.ts'
import { ann, anyTwo, ben, checkOf, cleo, key as ecdsaKey, organisationWith, registerOf } from '../../testing/world-of.ts'
import { verifySignRequest } from '../verify.ts'

const ONE = 10n ** 18n
const ORDI: Asset = { chain: BTC.chain, contract: brc20Asset('ordi'), symbol: 'ordi', decimals: 18n }
const POSTAGE = 546n
const { chain } = BTC
const key: PublicKey = { ...ecdsaKey, keyId: ecdsaKey.keyId.map((byte) => byte ^ 1), protocol: FROST_TAPROOT }
const from = bitcoinAddress(key, PATH)
const made = [coinOf(from, 60_000n, 1), coinOf(from, 50_000n, 2)]
const inscribes = { ticker: 'ordi', amount: 5n * ONE }

type Change = {
  order?: Partial<Brc20InscribeIntent>
  asKind?: 'transfer' | 'brc20Transfer'
  draft?: Partial<Parameters<typeof draftTransfer>[0]>
  bytes?: (honest: UnsignedTransaction) => UnsignedTransaction
  flip?: { at: number; bit: number }
  about?: 'speed-up' | 'cancel'
  limit?: { asset: string; maxAmount: bigint }
}

/** What a signer says of a request to inscribe a token and send it, honest but for the change. */
function verdictOf({ order, asKind, draft: other, bytes = (honest) => honest, flip, about, limit }: Change = {}) {
  const rule = {
    kind: 'transfer' as const,
    id: 'tokens',
    chain: null,
    asset: limit?.asset ?? null,
    maxAmount: limit?.maxAmount ?? null,
    window: null,
    ...anyTwo,
  }
  const organisation = organisationWith({ rules: [rule], assets: [BTC, ORDI] })
  const { fingerprint, policy } = organisation
  const { draft } = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann })
  const honest = { amount: 5n * ONE, asset: ORDI, postage: POSTAGE, from, feeCap: 20_000n }
  const payment: Brc20InscribeIntent = { ...draft.intent, ...honest, ...order, kind: 'brc20Inscribe' }
  const { postage: _, ...plain } = payment
  const sent = asKind === 'brc20Transfer' ? { ...payment, kind: asKind, inscription: `${made[0]!.coin.txid}i0` } : { ...plain, kind: 'transfer' as const }
  const wanted = { chain, from, payments: [{ to: STRANGER, amount: POSTAGE }], coins: made.map(({ coin }) => coin), satPerKvb: 5_000n, feeCap: 10n ** 9n }
  const first = draftTransfer({ ...wanted, inscribes, ...other })
  const whole = finishDraft(bytes(first), previousOf(made))
  const unsigned = flip ? whole.map((byte, i) => (i === flip.at % whole.length ? byte ^ (1 << flip.bit) : byte)) : whole
  const { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce } = payment
  const shared = { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce, remark: '', feeCap: 40_000n }
  const slot = codecFor(chain)!.decode(whole).slot
  const replacement = about && { kind: 'replacement' as const, ...shared, action: about, original: encode(intentShape, payment), slot }
  const intent: SpendingIntent = replacement ?? (asKind ? (sent as SpendingIntent) : payment)
  const asked = { intent, transaction: draft.transaction } as never
  const { request, log } = requestOf({ key, draft: asked, approvals: approvalsOf(asked, policy, [ben, cleo]), unsigned })
  const register = registerOf(organisation, log)
  applyEvent(register, { kind: 'keyOfKindMade', ...key, curve: 'secp256k1' }, NOW_MS, 1)
  return verifySignRequest(request, { party: 1, register, nowMs: NOW_MS, codecFor })
}

const judged = (change: Change) => checkOf(() => verdictOf(change))

describe('a signer asked to inscribe a token and send it', () => {
  it('sees what is inscribed, to whom it goes with its coin, and signs for all three transactions at once', () => {
    const { effects, reservation, toSign } = verdictOf()
    assert.deepEqual(
      effects.transfers.map(({ asset, to, amount }) => [asset.contract, to, amount]),
      [
        ['brc20:ordi', STRANGER, 5n * ONE],
        [null, STRANGER, POSTAGE],
      ],
    )
    assert.match(effects.inscribes!, /^[0-9a-f]{64}i0$/)
    assert.ok(reservation.kind === 'told' && reservation.amount === 5n * ONE && reservation.contract === 'brc20:ordi')
    assert.equal(toSign.length, effects.inputs!.length + 3)
  })

  it('refuses another amount, token, recipient or coin along than was approved, a fee above the cap, and an order whose parts do not fit together', () => {
    const wrong: [string, Change, string][] = [
      ['more of the token', { draft: { inscribes: { ticker: 'ordi', amount: 6n * ONE } } }, 'c7'],
      ['the last unit more', { draft: { inscribes: { ticker: 'ordi', amount: 5n * ONE + 1n } } }, 'c7'],
      ['another token', { draft: { inscribes: { ticker: 'sats', amount: 5n * ONE } } }, 'c5'],
      ['nothing inscribed', { bytes: ({ inputs, outputs }) => ({ chain, inputs, outputs }) }, 'c7'],
      ['another recipient', { draft: { payments: [{ to: bitcoinAddress(key, [0, 9]), amount: POSTAGE }] } }, 'c7'],
      ['more coin along', { draft: { payments: [{ to: STRANGER, amount: POSTAGE + 1n }] } }, 'c7'],
      [
        'somebody beside',
        {
          draft: {
            payments: [
              { to: STRANGER, amount: POSTAGE },
              { to: STRANGER, amount: 1_000n },
            ],
          },
        },
        'c7',
      ],
      ['change to an address of nobody', { draft: { change: { address: STRANGER, path: [0, 9] } } }, 'c7'],
      ['a fee above the cap', { draft: { satPerKvb: 60_000n } }, 'c8'],
      ['a part of the fee in the coin along', { order: { postage: 20_001n } }, 'c4'],
      ['an order for the coin of the network', { order: { asset: BTC } }, 'c4'],
      ['an order that sends to the payer', { order: { to: from } }, 'c4'],
      ['an order of nothing', { order: { amount: 0n } }, 'c4'],
      ['a memo', { order: { memo: '7' } }, 'c4'],
      ['an order to send an inscription that is there', { asKind: 'brc20Transfer' }, 'c7'],
      ['an order for the token that has nothing inscribed', { asKind: 'transfer' }, 'c7'],
    ]
    assert.deepEqual(
      wrong.map(([name, change]) => [name, judged(change)]),
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('signs no replacement: a block may have the first of the transactions already', () => {
    assert.equal(judged({ about: 'speed-up', draft: { satPerKvb: 9_000n } }), 'c8')
    const coins = made.map(({ coin }) => coin)
    const plain = finishDraft(
      draftTransfer({ chain, from, payments: [{ to: STRANGER, amount: 700n }], coins, satPerKvb: 1_000n, feeCap: 10n ** 9n }),
      new Map(),
    )
    const back = cancelTransfer({ replaces: plain, satPerKvb: 9_000n, feeCap: 10n ** 9n })
    assert.equal(judged({ about: 'cancel', bytes: () => back }), 'c8')
  })

  it('whatever bit is changed: is refused, or sends the very same for a fee within the cap', () => {
    const known = verdictOf()
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(7), (at, bit) => {
        let verdict: ReturnType<typeof verdictOf>
        try {
          verdict = verdictOf({ flip: { at, bit } })
        } catch (cause) {
          if (!(cause instanceof Refused)) throw cause
          return
        }
        const { effects } = verdict
        assert.deepEqual(effects.transfers, known.effects.transfers)
        assert.ok(effects.feeMax <= 20_000n && effects.change!.every(({ address }) => address === from))
      }),
      { numRuns: 40 },
    )
  })

  it('judges the policy by the token and its amount', () => {
    assert.equal(judged({ limit: { asset: 'brc20:ordi', maxAmount: 5n * ONE } }), 'signed')
    assert.equal(judged({ limit: { asset: 'brc20:ordi', maxAmount: 5n * ONE - 1n } }), 'c5')
    assert.equal(judged({ limit: { asset: '', maxAmount: 100n * ONE } }), 'c5')
  })

  it('is shown to people with the amount, the way it goes, and the coin that goes along, in both languages', () => {
    const { intent } = verdictOf()
    const { policy } = organisationWith()
    for (const [locale, way] of [
      ['en-US', /inscribed on the paying address.*Three transactions/],
      ['zh-CN', /铭文.*三笔交易/],
    ] as const) {
      const { title, rows, warnings } = renderIntent(intent, approvalContext(policy), locale)
      assert.match(title, /5 ordi/)
      const shown = rows.map(({ value }) => value)
      assert.ok(shown.some((value) => way.test(value)) && shown.includes('0.00000546 BTC'))
      assert.equal(warnings.length, 2)
    }
  })
})
