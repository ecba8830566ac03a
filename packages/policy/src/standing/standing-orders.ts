import { equalBytes, toHex } from '@holdfast/encoding'
import { STOPPED_MAX, type StandingOrderIntent, type StopStatement } from '@holdfast/intent'

/** A standing order as a signer keeps it: the hash of its order, since when, and who stopped this version; null if nobody did. */
export type KeptOrder = { order: StandingOrderIntent; hash: Uint8Array; sinceMs: number; stoppedBy: Uint8Array | null }

/** The newest version of every standing order, by its id. Mutated by `followStandingOrder` and `stopStandingOrders` only. */
export type StandingOrders = Map<string, KeptOrder>

/** Why a standing order cannot take its place among those that are kept, in words; undefined if it can, or is there already. */
export function standingOrderPlaceFault(kept: StandingOrders, order: StandingOrderIntent, hash: Uint8Array): string | undefined {
  const before = kept.get(toHex(order.id))
  if (before && equalBytes(before.hash, hash)) return undefined
  if (before && order.version <= before.order.version)
    return `version ${before.order.version} of this standing order is in force, which version ${order.version} does not follow`
  return !before && kept.size >= STOPPED_MAX ? `there are ${kept.size} standing orders, and there can be ${STOPPED_MAX} at most` : undefined
}

/** Keeps a followed standing order in the place of every version before it. Following it again changes nothing. */
export function followStandingOrder(kept: StandingOrders, order: StandingOrderIntent, { hash, sinceMs }: Pick<KeptOrder, 'hash' | 'sinceMs'>): void {
  const id = toHex(order.id)
  const before = kept.get(id)
  if (before && equalBytes(before.hash, hash)) return
  kept.set(id, { order, hash, sinceMs, stoppedBy: null })
}

/** Keeps that a person stopped standing orders. A version that is newer than the one that was stopped goes on. */
export function stopStandingOrders(kept: StandingOrders, { person, orders }: Pick<StopStatement, 'person' | 'orders'>): void {
  for (const { id, version } of orders) {
    const found = kept.get(toHex(id))
    if (found && found.order.version <= version) found.stoppedBy ??= person
  }
}
