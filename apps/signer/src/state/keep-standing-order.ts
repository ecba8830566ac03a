import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { type Intent, intentHash, intentShape } from '@holdfast/intent'
import { followStandingOrder, type StandingOrders } from '@holdfast/policy'
import type { JournalEvent } from './journal-events.ts'
import type { Register } from './register.ts'

/** Keeps a standing order that was followed at a time. */
export function keepStandingOrder(kept: StandingOrders, { intent: encoded }: Extract<JournalEvent, { kind: 'standingOrderFollowed' }>, atMs: number): void {
  const order = decode(intentShape, encoded)
  if (order.kind !== 'standingOrder') throw new Error('the journal has another order where a standing order was followed')
  followStandingOrder(kept, order, { hash: intentHash(order), sinceMs: atMs })
}

/** Whether an order is a standing order that this signer follows, in this very version. */
export function followsStandingOrder(order: Intent, { standingOrders }: Register): boolean {
  const kept = order.kind === 'standingOrder' ? standingOrders.get(toHex(order.id)) : undefined
  return kept !== undefined && equalBytes(kept.hash, intentHash(order))
}
