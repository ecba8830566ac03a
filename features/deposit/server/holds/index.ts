import type { SystemTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { comment } from './comment.ts'
import type { Arrival, Hold } from './hold.ts'
import { tooLarge } from './too-large.ts'
import { unevenToken } from './uneven-token.ts'

/** Every reason to hold a payment; of those that apply, the first is the one that people are told. */
const HOLDS: readonly Hold[] = [tooLarge, unevenToken, comment]

/** Payments with the sub-status of those that must not be credited; null of the others. */
export async function holdArrivals<T extends Arrival>(tx: SystemTx, network: Network, arrivals: readonly T[]): Promise<(T & { heldFor: string | null })[]> {
  const reasons: Awaited<ReturnType<Hold>>[] = []
  for (const hold of HOLDS) reasons.push(await hold(tx, network, arrivals))
  return arrivals.map((arrival) => ({ ...arrival, heldFor: reasons.map((reasonOf) => reasonOf(arrival)).find((reason) => reason !== null) ?? null }))
}
