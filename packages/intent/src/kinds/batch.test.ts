import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PAYOUTS } from '@holdfast/chain-evm/codec'
import { encode, equalBytes, toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import { actOf, faultOf, intentHash, judgedAs, paymentsOf } from '../intent.ts'
import { renderIntent } from '../render-intent.ts'
import { batchFault, type BatchIntent, countOfParts, findPart, partsOf, totalOf } from './batch.ts'
import { besideLines } from './batch-words.ts'
import { type PaymentAct, toWhom } from './act.ts'
import { intentShape } from './index.ts'

const asset = { chain: 'eip155:1', contract: null, symbol: 'ETH', decimals: 18n }
const hex = (i: number, length: number) => i.toString(16).padStart(length, '0')
const addressAt = (i: number) => `0x${hex(i * 7919 + 1, 8)}${'5'.repeat(24)}${hex(i * 104729 + 1, 8)}`

function batchWith(amounts: readonly bigint[], together = 1n, changes: Partial<BatchIntent> = {}): BatchIntent {
  const lines = amounts.map((amount, i) => ({ key: new Uint8Array(16).fill(i + 1), to: addressAt(i), memo: null, amount }))
  return {
    ...{ kind: 'batch', genesis: new Uint8Array(32), orderId: new Uint8Array(16), keyId: new Uint8Array(32), path: [0n], from: addressAt(9_999) },
    ...{ asset, lines, together, feeAsset: asset, feeCap: 5n, slotRule: 'account-nonce', notBeforeMs: 0n, expiresAtMs: 1n, policyVersion: 1n },
    ...{ policyHash: new Uint8Array(32), initiator: new Uint8Array(16), remark: '', nonce: new Uint8Array(32), ...changes },
  } as BatchIntent
}
/** On a network that carries a memo along with each payment. */
const noted = fc
  .tuple(
    fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.option(fc.string({ minLength: 1, maxLength: 40 }))), { minLength: 1, maxLength: 60 }),
    fc.bigInt({ min: 1n, max: 100n }),
  )
  .map(([drawn, together]) => {
    const batch = batchWith(
      drawn.map(([amount]) => amount),
      together,
      { asset: { ...asset, chain: 'ton:-239', symbol: 'TON', decimals: 9n } },
    )
    return { ...batch, lines: batch.lines.map((line, i) => ({ ...line, memo: drawn[i]?.[1] ?? null })) }
  })
const context = { asset: () => undefined, personName: () => 'Ann' } as unknown as Parameters<typeof renderIntent>[1]
const batches = fc
  .tuple(fc.array(fc.bigInt({ min: 1n, max: 10n ** 24n }), { minLength: 1, maxLength: 60 }), fc.bigInt({ min: 1n, max: 100n }))
  .map(([amounts, together]) => batchWith(amounts, together))

describe('a batch', () => {
  it('is carried out by parts that pay each line once, in its sequence, and no two of which are one order', () => {
    fc.assert(
      fc.property(fc.oneof(batches, noted), (batch) => {
        assert.equal(batchFault(batch), undefined)
        const parts = partsOf(batch)
        assert.equal(parts.length, countOfParts(batch))
        assert.deepEqual(
          parts.flatMap((part) => paymentsOf(part)),
          batch.lines.map(({ to, amount, memo }) => ({ to, amount, memo })),
        )
        assert.equal(new Set(parts.map((part) => toHex(intentHash(part)))).size, parts.length)
        assert.ok(parts.every((part) => faultOf(part) === undefined))
      }),
      { numRuns: 60 },
    )
  })

  it('knows its parts by their bytes, and takes for one no bytes that differ anywhere', () => {
    fc.assert(
      fc.property(fc.oneof(batches, noted), fc.nat(), fc.nat(), (batch, which, where) => {
        const parts = partsOf(batch)
        const part = parts[which % parts.length]!
        const bytes = encode(intentShape, part)
        assert.equal(findPart(batch, bytes, part.orderId)?.number, which % parts.length)
        const changed = Uint8Array.from(bytes)
        changed[where % bytes.length]! ^= 1
        assert.equal(findPart(batch, changed, part.orderId), undefined)
        assert.equal(findPart({ ...batch, nonce: new Uint8Array(32).fill(1) }, bytes, part.orderId), undefined, 'of another batch')
      }),
      { numRuns: 60 },
    )
  })

  it('pays lines together as it did before where none of them has a memo, and each with its own where one has', () => {
    fc.assert(
      fc.property(noted, (batch) => {
        const bare = { ...batch, lines: batch.lines.map((line) => ({ ...line, memo: null })) }
        assert.ok(partsOf(bare).every((part) => part.kind !== 'notedPayout'))
        for (const part of partsOf(batch)) {
          const hasMemo = paymentsOf(part).some(({ memo }) => memo !== null)
          assert.equal(part.kind, paymentsOf(part).length === 1 ? 'transfer' : hasMemo ? 'notedPayout' : 'payout')
          const { recipients, ...act } = actOf(part) as PaymentAct
          assert.deepEqual(
            toWhom({ recipients, ...act }),
            paymentsOf(part).map(({ to: address, memo }) => ({ address, memo })),
          )
          const { rows } = renderIntent(part, context, 'en-US')
          for (const { memo } of paymentsOf(part))
            if (memo !== null) assert.ok(rows.some(({ value }) => value.endsWith(memo) || value.includes(JSON.stringify(memo))))
        }
        assert.deepEqual(
          toWhom(actOf(judgedAs(batch)) as PaymentAct),
          batch.lines.map(({ to: address, memo }) => ({ address, memo })),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('says every line in words, in both languages, and what lines have in common', () => {
    const [one, two] = [addressAt(1), `${addressAt(1).slice(0, 12)}${'6'.repeat(22)}${addressAt(1).slice(-8)}`]
    const to = [one, two, one]
    const batch = batchWith([1n, 2n, 3n])
    const alike = { ...batch, lines: batch.lines.map((line, i) => ({ ...line, to: to[i]! })) }
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const { rows, warnings } = renderIntent(alike, context, locale)
      for (const { to: address } of alike.lines)
        assert.equal(rows.filter(({ value }) => value.replaceAll(' ', '').includes(address)).length, to.filter((each) => each === address).length)
      assert.equal(warnings.length, 3)
    }
    assert.deepEqual(besideLines(alike.lines), [
      { same: undefined, alike: undefined },
      { same: undefined, alike: 0 },
      { same: 0, alike: undefined },
    ])
    assert.equal(totalOf(alike), 6n)
  })

  it('names the contract where one makes the payments, and of coin what to look up before', () => {
    const wordsOf = (together: bigint, changes: Partial<BatchIntent> = {}) => {
      const { rows, warnings } = renderIntent(batchWith([1n, 2n, 3n], together, changes), context, 'en-US')
      return {
        contract: rows.find(({ label }) => label === 'Paid through the contract')?.value.replaceAll(' ', ''),
        warns: warnings.some((each) => /would be lost/.test(each)),
      }
    }
    assert.deepEqual(wordsOf(1n), { contract: undefined, warns: false })
    assert.deepEqual(wordsOf(2n), { contract: PAYOUTS, warns: true })
    assert.deepEqual(wordsOf(2n, { asset: { ...asset, contract: addressAt(4) } }), { contract: PAYOUTS, warns: false })
    assert.deepEqual(wordsOf(2n, { asset: { ...asset, chain: 'bip122:000000000019d6689c085ae165831e93' } }), { contract: undefined, warns: false })
  })

  it('does not fit together where lines would be paid twice, to nobody, or with a memo that a contract which pays several does not carry', () => {
    const batch = batchWith([1n, 2n, 3n], 2n)
    const [first, second, third] = batch.lines as [BatchIntent['lines'][number], BatchIntent['lines'][number], BatchIntent['lines'][number]]
    const fault = (changes: Partial<BatchIntent>) => batchFault({ ...batch, ...changes })
    assert.match(fault({ lines: [] })!, /no lines/)
    assert.match(fault({ together: 101n })!, /too many/)
    assert.match(fault({ lines: [first, { ...second, key: first.key }] })!, /twice/)
    assert.match(fault({ lines: [first, { ...second, memo: '7' }, third] })!, /memo/)
    const ton = { ...asset, chain: 'ton:-239' }
    assert.equal(fault({ asset: ton, lines: [first, { ...second, memo: '7' }, third] }), undefined)
    assert.match(fault({ asset: ton, lines: [first, { ...second, memo: '' }, third] })!, /empty memo/)
    assert.match(fault({ asset: ton, lines: [first, { ...second, to: first.to, memo: '7' }, third] })!, /recipient twice/)
    assert.match(fault({ lines: [first, { ...second, to: first.to }, third] })!, /recipient twice/)
    assert.match(fault({ lines: [{ ...first, to: batch.from }] })!, /paying address/)
    assert.match(fault({ asset: { ...asset, contract: `erc721:${addressAt(3)}/0x7` } })!, /coins and tokens/)
    assert.ok(!equalBytes(intentHash(batch), intentHash({ ...batch, together: 1n })))
  })
})
