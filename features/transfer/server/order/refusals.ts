import type { OrderRow } from './read-order.ts'

/** A signer's refusal as stored with the order. */
export type Refusal = { party: number; signer: string; check: string; reason: string; atMs: number }
/** `policyVersion`: the one by which the signer was a signer, if the bundle does not say it itself. */
type Kept = Refusal & { bundle: string; policyVersion?: number }

/** The refusals an order has met, oldest first; each signer and check once. */
export function refusalsOf(row: Pick<OrderRow, 'refusal'>): Kept[] {
  return (row.refusal as Kept[] | null) ?? []
}
