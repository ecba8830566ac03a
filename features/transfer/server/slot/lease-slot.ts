import { ChainError, type SlotRule } from '@holdfast/chain-core'
import { askAlong, type OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import type { OrderId } from '@holdfast/units'
import { sql } from 'kysely'
import { holdAddress } from './locked-coins.ts'
import type { OrderRow } from '../order/read-order.ts'

/** Whether slots are numbers that the chain counts, so that they are leased. Elsewhere the bytes of a transaction are its slot, and say which. */
export const isLeased = (rule: SlotRule): boolean => rule === 'account-nonce' || rule === 'wallet-seqno'

/**
 * The slot of an order, or why it has none yet. `wait`: another order of the same address has one and is not signed. `ahead`: the slots before the one that the
 * chain is said to expect are none that were ever leased.
 */
export type SlotOrWait = { kind: 'slot'; slot: bigint } | { kind: 'wait'; behindOrderId: OrderId } | { kind: 'ahead' }

/**
 * Leases the next slot of the paying address to an order: slots are given in order, one at a time, and the slot of an order that died
 * unsigned goes to the next order, so there is never a gap. `floor` is the next slot the chain expects; below it everything
 * is used, by us or by somebody with a recovered key. Where it `isSure`, it may be `ahead`. Safe to repeat; the same order gets the same slot.
 */
export async function leaseSlot(tx: OrganisationTx, order: OrderRow, floor: bigint, nowMs: number, isSure = false): Promise<SlotOrWait> {
  const { chain, address_from: address } = order
  // The lock makes one order at a time look; the primary key would refuse the second of two all the same.
  const held = holdAddress(tx, { chain, address })
  const ofAddress = tx
    .selectFrom('slot_lease')
    .select(['slot', 'order_id', 'state'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
  const [leased, free, last, unheard] = await Promise.all([
    ofAddress.where('state', '=', 'leased').executeTakeFirst(),
    ofAddress.where('state', '=', 'released').where('slot', '>=', floor).orderBy('slot').limit(1).executeTakeFirst(),
    ofAddress.orderBy('slot', 'desc').limit(1).executeTakeFirst(),
    firstUnheard(tx, { chain, address, floor }),
    held,
  ])
  if (leased) return leased.order_id === order.id ? { kind: 'slot', slot: leased.slot } : { kind: 'wait', behindOrderId: leased.order_id }
  if (!isSure && floor > (last?.slot ?? -1n) + 1n) return { kind: 'ahead' }
  if (free && free.slot < unheard) {
    const taken = tx.updateTable('slot_lease').set({ order_id: order.id, state: 'leased', updated_at: nowMs }).where('org_id', '=', tx.orgId)
    askAlong(tx, taken.where('chain', '=', chain).where('address', '=', address).where('slot', '=', free.slot))
    return { kind: 'slot', slot: free.slot }
  }
  const lease = { org_id: tx.orgId, chain, address, slot: unheard, order_id: order.id, state: 'leased' as const, created_at: nowMs, updated_at: nowMs }
  askAlong(tx, tx.insertInto('slot_lease').values(lease))
  return { kind: 'slot', slot: unheard }
}

/**
 * The lowest slot from `floor` on that no order ever had. Mostly it follows on the last one; where a source once named a slot far ahead, it is what leads up to
 * that: nothing beyond it is reached before.
 */
async function firstUnheard(tx: OrganisationTx, { chain, address, floor }: { chain: string; address: string; floor: bigint }): Promise<bigint> {
  const first = sql<{ slot: bigint }>`
    with had as (select slot from slot_lease where org_id = ${tx.orgId} and chain = ${chain} and address = ${address} and slot >= ${floor})
    select case when exists (select from had where slot = ${floor}::numeric)
      then (select min(slot) + 1 from had where not exists (select from had as next where next.slot = had.slot + 1)) else ${floor}::numeric end as slot`
  const { rows } = await first.execute(tx)
  return BigInt(rows[0]?.slot ?? floor)
}

/**
 * The next slot of an address by the source that says the least, where one says `floor` and there are several: a slot before which some are free is never
 * reached. Throws ChainError if no other source answers.
 */
export async function leastSlot({ name, witnesses = [] }: Network, address: string, floor: bigint): Promise<bigint> {
  if (witnesses.length === 0) return floor
  const answers = await Promise.allSettled(witnesses.map((each) => each.nextSlot(address)))
  const bug = answers.find((each) => each.status === 'rejected' && !(each.reason instanceof ChainError))
  if (bug) throw (bug as PromiseRejectedResult).reason
  const said = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (said.length === 0) throw new ChainError(`${name}: only one source says that the next slot of ${address} is ${floor}; it is asked again`)
  return said.reduce((least, each) => (each < least ? each : least), floor)
}

/**
 * Gives an order's slot to the next one, signed or not: the chain shows that nothing used it, and that the order's bytes never will. Otherwise the slots after
 * it could not be used either.
 */
export async function reopenSlot(tx: OrganisationTx, order: OrderRow, nowMs: number): Promise<void> {
  await tx
    .updateTable('slot_lease')
    .set({ state: 'released', updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', order.chain)
    .where('address', '=', order.address_from)
    .where('order_id', '=', order.id)
    .execute()
}

/** Records the end of an order's slot: used once signed bytes exist, released if the order died before that. */
export async function endLease(tx: OrganisationTx, order: OrderRow, state: 'used' | 'released', nowMs: number): Promise<void> {
  const ended = tx
    .updateTable('slot_lease')
    .set({ state, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', order.chain)
    .where('address', '=', order.address_from)
    .where('order_id', '=', order.id)
    .where('state', '=', 'leased')
  askAlong(tx, ended)
}
