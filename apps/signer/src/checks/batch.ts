import { decode } from '@holdfast/encoding'
import { batchFault, type BatchIntent, type BatchPart, findPart, type Intent, intentShape, judgedPart, type SpendingIntent } from '@holdfast/intent'
import type { SignRequest } from '@holdfast/protocol'
import { readOr } from './read-or.ts'
import { Refused } from './refused.ts'

/*
 * Batches: people approved many payments as one order, and each is signed by itself. What a signer signs for one of them follows from the bytes of the batch
 * alone, so it is one order for ever, with one slot: asked for it twice, a signer finds the slot that it has.
 */

/** A batch, and as what the rules judge the part of it that is to be signed: with the amount of the whole. */
export type Batched = { batch: BatchIntent; judged: BatchPart }

/** c4: the order is a part of the batch that is said to stand behind it, to the last byte. Undefined where none is. Throws Refused. */
export function readBatched({ batch: given, intent: encoded, standingOrder }: SignRequest, { orderId }: SpendingIntent): Batched | undefined {
  if (given === null) return undefined
  if (standingOrder !== null) throw new Refused('c5', 'people approve a batch or a standing order, and no transfer has both')
  const batch: Intent = readOr('c4', 'the batch', () => decode(intentShape, given.intent))
  if (batch.kind !== 'batch') throw new Refused('c4', 'what is said to be a batch is something else')
  const fault = batchFault(batch)
  if (fault !== undefined) throw new Refused('c4', fault)
  const found = findPart(batch, encoded, orderId)
  if (!found) throw new Refused('c4', 'the order is no part of the batch that is said to stand behind it')
  return { batch, judged: judgedPart(batch, found.part) }
}
