import { pinnedContract } from '@holdfast/chain-core'
import type { Reservation } from './journal-events.ts'

// What counts against the limits of rules, as the register keeps it.

/**
 * An order's amount as it counts against the rule that let it through, at the time of its latest session. `asset` null counts against all. `told` says who asked
 * for it, from where and to whom it pays; absent, where the journal does not hold that, it counts against everybody.
 */
export type Spend = {
  ruleId: string
  asset: string | null
  amount: bigint
  atMs: number
  told?: { initiator: Uint8Array; from: string; paid: readonly { to: string; amount: bigint }[] }
}

/** The asset a reservation counts in; base units of two assets are never added up. Tokens of a collection count together, by the piece. */
export const assetKeyOf = (reservation: Reservation): string | null =>
  reservation.kind !== 'unnamed' ? `${reservation.chain}|${pinnedContract(reservation.contract) ?? ''}` : null

/** What a reservation counts. */
export function spendOf(reservation: Reservation): Omit<Spend, 'atMs'> {
  const { ruleId, amount, from } = reservation
  const told = 'paid' in reservation ? { told: { initiator: reservation.initiator, from, paid: reservation.paid } } : {}
  return { ruleId, asset: assetKeyOf(reservation), amount, ...told }
}
