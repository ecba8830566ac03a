import type { SlotRule } from '@holdfast/chain-core'
import { askAlong, type OrganisationTx } from '@holdfast/db'
import type { OrderId } from '@holdfast/units'
import { holdAddress } from './locked-coins.ts'
import type { OrderRow } from '../order/read-order.ts'

/** Whether slots are numbers that the chain counts, so that they are leased. Elsewhere the bytes of a transaction are its slot, and say which. */
export const isLeased = (rule: SlotRule): boolean => rule === 'account-nonce' || rule === 'wallet-seqno'

/** Why an order has no slot yet: another order of the same address has one and is not signed. */
export type SlotOrWait = { kind: 'slot'; slot: bigint } | { kind: 'wait'; behindOrderId: OrderId }

/**
 * Leases the next slot of the paying address to an order: slots are given in order, one at a time, and the slot of an order that died
 * unsigned goes to the next order, so there is never a gap. `floor` is the next slot the chain expects; below it everything
 * is used, by us or by somebody with a recovered key. Safe to repeat; the same order gets the same slot.
 */
export async function leaseSlot(tx: OrganisationTx, order: OrderRow, floor: bigint, nowMs: number): Promise<SlotOrWait> {
  const { chain, address_from: address } = order
  // The lock makes one order at a time look; the primary key would refuse the second of two all the same.
  const held = holdAddress(tx, { chain, address })
  const ofAddress = tx
    .selectFrom('slot_lease')
    .select(['slot', 'order_id', 'state'])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
  const [leased, free, last] = await Promise.all([
    ofAddress.where('state', '=', 'leased').executeTakeFirst(),
    ofAddress.where('state', '=', 'released').where('slot', '>=', floor).orderBy('slot').limit(1).executeTakeFirst(),
    ofAddress.orderBy('slot', 'desc').limit(1).executeTakeFirst(),
    held,
  ])
  if (leased) return leased.order_id === order.id ? { kind: 'slot', slot: leased.slot } : { kind: 'wait', behindOrderId: leased.order_id }
  if (free) {
    const taken = tx.updateTable('slot_lease').set({ order_id: order.id, state: 'leased', updated_at: nowMs }).where('org_id', '=', tx.orgId)
    askAlong(tx, taken.where('chain', '=', chain).where('address', '=', address).where('slot', '=', free.slot))
    return { kind: 'slot', slot: free.slot }
  }
  const slot = last && last.slot >= floor ? last.slot + 1n : floor
  const lease = { org_id: tx.orgId, chain, address, slot, order_id: order.id, state: 'leased' as const, created_at: nowMs, updated_at: nowMs }
  askAlong(tx, tx.insertInto('slot_lease').values(lease))
  return { kind: 'slot', slot }
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
