import { decode, equalBytes, fromHex } from '@holdfast/encoding'
import { intentShape, type StandingOrderIntent } from '@holdfast/intent'
import { PageError } from '../page-error.ts'
import type { KeptReply } from './signer-api.ts'

/** A standing order that the signer of this page follows, and the id of whoever stopped it there. */
export type Kept = { order: StandingOrderIntent; stoppedBy: Uint8Array | null }

/** A standing order out of the signer's answer, read from its bytes. Throws PageError `unreadable` if it is none of this organisation. */
export function readKept({ intent, stoppedBy }: KeptReply, genesis: Uint8Array): Kept {
  try {
    const order = decode(intentShape, fromHex(intent))
    if (order.kind !== 'standingOrder' || !equalBytes(order.genesis, genesis)) throw new PageError('unreadable')
    return { order, stoppedBy: stoppedBy === null ? null : fromHex(stoppedBy) }
  } catch (cause) {
    throw cause instanceof PageError ? cause : new PageError('unreadable', '', { cause })
  }
}
