import { readNft } from '@holdfast/chain-core'
import { bytes, digest, encode, equalBytes, type Infer, list, optional, struct, text, toHex, uint, union } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { assetShape } from '../asset.ts'
import { renderBatch } from './batch-words.ts'
import type { IntentKind } from './intent-kind.ts'
import { feeFields, identityFields, keyFields, validityFields } from './order-fields.ts'
import { notedPayout, type NotedPayoutIntent } from './noted-payout.ts'
import { payout, PAYOUT_OUTPUTS_MAX, type PayoutIntent } from './payout.ts'
import { shapesOf } from './shapes-of.ts'
import { transfer, type TransferIntent } from './transfer.ts'

/** More lines nobody reads through before they approve them. */
export const BATCH_LINES_MAX = 1000
/** As long as an order with so many lines can be. */
export const BATCH_BYTES_MAX = 1 << 19

/** One payment of a batch. `key` is its own for ever: the transaction that pays it is the order of this id. */
const batchLineShape = struct('holdfast/batch/line/v1', { key: bytes(16), to: text(128), memo: optional(text(256)), amount: uint(256) })

/**
 * An order to pay many, which people approve once and whose lines are paid by transactions of their own: each by one, or so many `together`, on networks of
 * coins and on TON by the chain itself and on EVM networks by the contract that pays many. What each of them pays follows from these bytes alone (`partsOf`). The fee cap is for each transaction.
 */
const batchIntentShape = struct('holdfast/intent/batch/v1', {
  ...identityFields,
  ...keyFields,
  from: text(128),
  asset: assetShape,
  lines: list(batchLineShape, BATCH_LINES_MAX),
  together: uint(8),
  ...feeFields,
  ...validityFields,
  remark: text(800),
  nonce: bytes(32),
})

export type BatchIntent = { kind: 'batch' } & Infer<typeof batchIntentShape>
type Batch = Omit<BatchIntent, 'kind'>
export type BatchLine = Batch['lines'][number]

/** What one transaction of a batch carries out: an order to pay whose every byte follows from the batch. */
export type BatchPart = TransferIntent | PayoutIntent | NotedPayoutIntent

/** What all lines pay. */
export const totalOf = ({ lines }: Pick<Batch, 'lines'>): bigint => lines.reduce((sum, { amount }) => sum + amount, 0n)

/** How many transactions carry a batch out. */
export const countOfParts = ({ lines, together }: Pick<Batch, 'lines' | 'together'>): number => Math.ceil(lines.length / Number(together))

const placeShape = struct('holdfast/batch/place/v1', { batch: bytes(32), first: uint() })

/** The order that one transaction of a batch carries out. `hash` is the hash of the batch. */
export function partOf(batch: BatchIntent, number: number, hash: Uint8Array): BatchPart {
  const { genesis, keyId, path, from, asset, lines, together, feeAsset, feeCap, slotRule, remark } = batch
  const { notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator } = batch
  const first = number * Number(together)
  const paid = lines.slice(first, first + Number(together))
  const { key, to, memo, amount } = at(paid, 0)
  const common = {
    ...{ genesis, orderId: key, keyId, path, from, to, asset, feeAsset, feeCap, slotRule },
    ...{ notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, screening: null, remark },
    nonce: digest(placeShape, { batch: hash, first: BigInt(first) }),
  }
  if (paid.length === 1) return { kind: 'transfer', ...common, memo, amount }
  return payoutTo(paid, { ...common, amount: totalOf({ lines: paid }) })
}

/** The order that pays lines together: a noted payout if any of them has a memo. */
function payoutTo(lines: readonly BatchLine[], order: Omit<PayoutIntent, 'kind' | 'memo' | 'outputs'>): PayoutIntent | NotedPayoutIntent {
  if (lines.every(({ memo }) => memo === null)) return { ...order, kind: 'payout', memo: null, outputs: lines.map(({ to, amount }) => ({ to, amount })) }
  return { ...order, kind: 'notedPayout', memo: null, outputs: lines.map(({ to, memo, amount }) => ({ to, memo, amount })) }
}

/** Every order that carries a batch out, in the sequence of its lines. */
export function partsOf(batch: BatchIntent): BatchPart[] {
  const hash = hashOf(batch)
  return Array.from({ length: countOfParts(batch) }, (_, number) => partOf(batch, number, hash))
}

const hashOf = (batch: BatchIntent): Uint8Array => digest(union({ batch: batchIntentShape }), batch)

const partShape = union(shapesOf({ transfer, payout, notedPayout }))

/** Which part of a batch these bytes are, to the last one; undefined if they are none. */
export function findPart(batch: BatchIntent, encoded: Uint8Array, orderId: Uint8Array): { number: number; part: BatchPart } | undefined {
  const line = batch.lines.findIndex(({ key }) => equalBytes(key, orderId))
  const number = line / Number(batch.together)
  if (line === -1 || !Number.isInteger(number)) return undefined
  const part = partOf(batch, number, hashOf(batch))
  return equalBytes(encode(partShape, part), encoded) ? { number, part } : undefined
}

/** A batch as the rules of a policy look at it: everything that it pays, to everybody whom it pays, each line with its own memo. */
export function judgedWhole(batch: BatchIntent): PayoutIntent | NotedPayoutIntent {
  return payoutTo(batch.lines, { ...partOf(batch, 0, new Uint8Array(32)), to: at(batch.lines, 0).to, amount: totalOf(batch) })
}

/** A part of a batch as the rules look at it: whom it pays, and with the amount of the whole, so that no limit is passed by halves. */
export const judgedPart = (batch: BatchIntent, part: BatchPart): BatchPart => ({ ...part, amount: totalOf(batch) })

function faultOfPart(part: BatchPart): string | undefined {
  if (part.kind === 'payout') return payout.fault(part)
  return part.kind === 'notedPayout' ? notedPayout.fault(part) : undefined
}

/** Why the lines of a batch do not fit together, or undefined if they do. */
export function batchFault(batch: Batch): string | undefined {
  const { lines, together, from, asset, orderId } = batch
  if (lines.length === 0) return 'the batch has no lines'
  if (together < 1n || together > BigInt(PAYOUT_OUTPUTS_MAX)) return 'the batch pays no line, or too many, by one transaction'
  if (readNft(asset.contract)) return 'a batch pays coins and tokens, and no single token of a collection'
  const keys = new Set([toHex(orderId), ...lines.map(({ key }) => toHex(key))])
  if (keys.size !== lines.length + 1) return 'the batch names a line twice, or one after itself'
  const of = (line: BatchLine) => `line ${lines.indexOf(line) + 1} of the batch`
  const unpaid = lines.find(({ to, memo, amount }) => amount <= 0n || to === '' || memo === '')
  if (unpaid) return `${of(unpaid)} pays nobody, nothing, or with an empty memo`
  const own = lines.find(({ to }) => to === from)
  if (own) return `${of(own)} pays the paying address itself`
  if (together === 1n) return undefined
  return partsOf({ kind: 'batch', ...batch })
    .map(faultOfPart)
    .find((fault) => fault !== undefined)
}

export const batch = { shape: batchIntentShape, fault: batchFault, render: renderBatch } satisfies IntentKind<typeof batchIntentShape>
