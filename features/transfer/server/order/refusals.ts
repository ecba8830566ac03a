import type { OrderRow } from './read-order.ts'

/** A signer's refusal as stored with the order. */
export type Refusal = { party: number; signer: string; check: string; reason: string; atMs: number }
type Kept = Refusal & { bundle: string }

/** The refusals an order has met, oldest first; each signer and check once. */
export function refusalsOf(row: Pick<OrderRow, 'refusal'>): Kept[] {
  return (row.refusal as Kept[] | null) ?? []
}
