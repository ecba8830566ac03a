import { decode } from '@holdfast/encoding'
import { batchFault, type BatchIntent, type BatchPart, findPart, type Intent, intentShape, judgedPart } from '@holdfast/intent'
import type { Evidence } from './evidence.ts'

/** The batch of a bundle, which lines of it the transaction pays, and as what the rules judge these: with the amount of the whole. */
export type ProvenBatch = { order: BatchIntent; lines: readonly [first: number, last: number]; judged: BatchPart }

/**
 * The batch that a bundle says its order is a part of: it makes sense, and the order is that part of it to the last byte. Undefined in bundles of orders that
 * people approved by themselves. Throws Error.
 */
export function readBatch(evidence: Evidence): ProvenBatch | undefined {
  if (evidence.kind !== 'batch') return undefined
  const order: Intent = decode(intentShape, evidence.batch.intent)
  if (order.kind !== 'batch') throw new Error('what is said to be a batch is something else')
  const fault = batchFault(order)
  if (fault !== undefined) throw new Error(fault)
  const intent: Intent = decode(intentShape, evidence.intent)
  const found = findPart(order, evidence.intent, intent.orderId)
  if (!found) throw new Error('the order is no part of the batch')
  const first = found.number * Number(order.together)
  const paid = found.part.kind === 'transfer' ? 1 : found.part.outputs.length
  return { order, lines: [first + 1, first + paid], judged: judgedPart(order, found.part) }
}
