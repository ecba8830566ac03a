import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import fc from 'fast-check'
import {
  earlierRenderings,
  groupAddress,
  type Intent,
  intentShape,
  LOCALES,
  type ReplacementIntent,
  renderHash,
  renderIntent,
  type TransactionIntent,
} from '../index.ts'

const coin = { chain: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328', contract: null, symbol: 'BTC', decimals: 8n }
const token = { ...coin, contract: 'brc20:ordi', symbol: 'ORDI', decimals: 18n }
const context = {
  asset: () => undefined,
  isUnlimited: () => true,
  tellsFinds: false,
  personName: () => 'Alice',
  policyLines: () => ['line'],
  recipientFingerprint: (text: string) => `<${text}>`,
}

const words = fc.string({ unit: fc.constantFrom(...'abcdefghjkmnpqrstuvwxyz023456789'), minLength: 20, maxLength: 42 })
const amounts = fc.bigInt(1n, 10n ** 20n)
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const common = fc.record({
  genesis: bytes(32),
  orderId: bytes(16),
  keyId: bytes(32),
  path: fc.constant<bigint[]>([0n, 3n]),
  from: words,
  to: words,
  amount: amounts,
  feeCap: amounts,
  slotRule: fc.constantFrom('account-nonce', 'anchor-input', 'expiry', 'wallet-seqno'),
  notBeforeMs: fc.constant(0n),
  expiresAtMs: fc.constant(10n ** 12n),
  policyVersion: fc.constant(1n),
  policyHash: bytes(32),
  initiator: bytes(16),
  remark: words,
  nonce: bytes(32),
})
const paid = common.map((each) => ({ ...each, asset: coin, feeAsset: coin, memo: null, screening: null }))
const inscription = bytes(32).map((id) => `${Buffer.from(id).toString('hex')}i0`)

/** An order of every kind that can be replaced, and what of it an approver has to see: whom it pays, how much, and what else it moves. */
const originals: fc.Arbitrary<{ original: TransactionIntent; seen: string[] }> = fc.oneof(
  fc.tuple(paid, fc.option(words)).map(([each, memo]) => ({
    original: { kind: 'transfer' as const, ...each, memo },
    seen: [groupAddress(each.to), formatAmount(each.amount, 8), ...(memo === null ? [] : [memo])],
  })),
  fc.tuple(paid, fc.array(fc.record({ to: words, amount: amounts }), { minLength: 2, maxLength: 100 })).map(([each, outputs]) => ({
    original: { kind: 'payout' as const, ...each, outputs },
    seen: outputs.map(({ to, amount }) => `${formatAmount(amount, 8)} BTC → ${groupAddress(to)}`),
  })),
  fc.tuple(paid, inscription, fc.bigInt(1n, 20_000n)).map(([each, id, postage]) => ({
    original: { kind: 'brc20Transfer' as const, ...each, asset: token, inscription: id, postage },
    seen: [groupAddress(each.to), id, formatAmount(postage, 8), formatAmount(each.amount, 18)],
  })),
  fc
    .tuple(paid, fc.array(fc.record({ inscription, amount: amounts, postage: fc.bigInt(1n, 20_000n) }), { minLength: 2, maxLength: 16 }))
    .map(([each, inscriptions]) => ({
      original: { kind: 'brc20Batch' as const, ...each, asset: token, inscriptions },
      seen: [groupAddress(each.to), ...inscriptions.flatMap((part) => [part.inscription, formatAmount(part.amount, 18), formatAmount(part.postage, 8)])],
    })),
  fc.tuple(common, bytes(40)).map(([each, data]) => ({
    original: { kind: 'contractCall' as const, ...each, asset: coin, feeAsset: coin, data, signature: null },
    seen: [groupAddress(each.to), Buffer.from(data).toString('hex'), formatAmount(each.amount, 8)],
  })),
  common.map((each) => ({
    original: { kind: 'stake' as const, ...each, asset: coin, feeAsset: coin, action: 'delegate', resource: 'energy', lockBlocks: 7n },
    seen: [groupAddress(each.to), formatAmount(each.amount, 8), '7 '],
  })),
  fc.tuple(common, bytes(32)).map(([each, txid]) => ({
    original: { kind: 'depositChild' as const, ...each, asset: coin, feeAsset: coin, deposit: `${Buffer.from(txid).toString('hex')}:1` },
    seen: [`${Buffer.from(txid).toString('hex')}:1`, formatAmount(each.amount, 8)],
  })),
)

const about = (original: TransactionIntent, action: string, slot: bigint): ReplacementIntent => ({
  kind: 'replacement',
  genesis: original.genesis,
  orderId: new Uint8Array(16).fill(1),
  action,
  original: encode(intentShape, original),
  slot,
  feeCap: 77_777n,
  remark: '',
  notBeforeMs: 0n,
  expiresAtMs: 10n ** 12n,
  policyVersion: 1n,
  policyHash: original.policyHash,
  initiator: original.initiator,
  nonce: new Uint8Array(32),
})

function sampleOf(kind: TransactionIntent['kind']): TransactionIntent {
  const [found] = fc.sample(
    originals.filter((each) => each.original.kind === kind),
    { numRuns: 1, seed: 1 },
  )
  return found!.original
}

describe('the words of an order to speed up or cancel a payment', () => {
  it('name everybody whom the payment pays and everything that it moves, for every kind of order and in every language', () => {
    fc.assert(
      fc.property(originals, fc.constantFrom('speed-up', 'cancel'), fc.bigInt(0n, 2n ** 256n - 1n), ({ original, seen }, action, slot) => {
        for (const locale of LOCALES) {
          const { rows, title } = renderIntent(about(original, action, slot), context, locale)
          const values = rows.map(({ value }) => value)
          for (const each of seen)
            assert.ok(
              values.some((value) => value.includes(each)),
              `${locale} ${original.kind}: ${each} is missing`,
            )
          assert.ok(title.includes(renderIntent(original, context, locale).title))
          const labels = rows.map(({ label }) => label)
          const once = labels.filter((label, at) => labels.indexOf(label) === at)
          const original_ = renderIntent(original, context, locale).rows.map(({ label }) => label)
          // A label stands twice only where it does so on the payment's own page.
          assert.equal(labels.length - once.length, original_.length - new Set(original_).size)
        }
      }),
    )
  })

  it('say the place on the chain as people know it: a nonce or a seqno by its number, a coin as a coin, never 78 digits', () => {
    fc.assert(
      fc.property(originals, fc.bigInt(0n, 2n ** 256n - 1n), ({ original }, slot) => {
        const counted = original.slotRule === 'account-nonce' || original.slotRule === 'wallet-seqno'
        for (const locale of LOCALES) {
          const { rows } = renderIntent(about(original, 'cancel', counted ? slot % 10n ** 9n : slot), context, locale)
          const place = rows.find(({ label }) => label === (locale === 'en-US' ? 'Place on the chain' : 'Nonce/占用的 UTXO'))!.value
          assert.ok(!/\d{20}/.test(place), place)
          if (original.slotRule === 'account-nonce') assert.equal(place.toLowerCase(), `nonce ${slot % 10n ** 9n}`)
          if (original.slotRule === 'anchor-input') assert.match(place, /coin that the payment spends|UTXO/)
        }
      }),
    )
  })

  it('warn in red of a grave call that is signed once more, and not of one that is cancelled', () => {
    const original = sampleOf('contractCall')
    const warned = (action: string) => renderIntent(about(original, action, 1n), context, 'en-US')
    const own = renderIntent(original, context, 'en-US')
    assert.ok(own.isGrave)
    assert.deepEqual([warned('speed-up').isGrave, own.warnings.every((each) => warned('speed-up').warnings.includes(each))], [true, true])
    assert.equal(warned('cancel').isGrave, undefined)
  })

  it('were others in earlier versions, which are told apart and kept for what was signed over them', () => {
    const original = sampleOf('payout')
    const intent: Intent = about(original, 'cancel', 1n)
    for (const locale of LOCALES) {
      const [earlier, ...more] = earlierRenderings(intent, context, locale)
      assert.equal(more.length, 0)
      assert.notDeepEqual(renderHash(earlier!), renderHash(renderIntent(intent, context, locale)))
    }
    assert.deepEqual(earlierRenderings(original, context, 'en-US'), [])
  })
})
