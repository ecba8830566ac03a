import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { ENDS_DELEGATION } from '@holdfast/intent'
import type { Carried } from '@holdfast/policy'
import type { OrderId } from '@holdfast/units'
import { sql } from 'kysely'
import type { OrderRow } from './read-order.ts'

/*
 * Authorizations (EIP-7702) that another order's transaction carries. Each is an order of its own, whose signed bytes stay the same whoever carries them. While
 * an order that carries some has not ended, no other one carries them; if it ends without a block, the next one carries the same bytes.
 */

/** The signed bytes of an authorization, and the order that they are of. */
export type SignedCarried = { id: OrderId; address: string; delegate: string; raw: Uint8Array }

/** Signed bytes of an authorization; of two signatures over the same bytes always the same one. */
const FIRST_SIGNED = sql`(select made.raw_tx from order_transaction made where made.org_id = o.org_id and made.order_id = o.id and made.raw_tx is not null
  order by made.number limit 1)`
const DELEGATE = sql`case when o.address_to = ${ENDS_DELEGATION} then '' else o.address_to end`

/** Whether an order that has not ended carries it. */
const IS_CARRIED = sql`exists (select from order_carried by join transfer_order carrier on carrier.org_id = by.org_id and carrier.id = by.order_id
  where by.org_id = o.org_id and by.carried_id = o.id and not carrier.is_final)`

/** What the transaction of an order carries, in its sequence: one question at most, so that it can be asked alone. Only moves under a standing order do. */
export async function readCarried(tx: OrganisationTx, order: Pick<OrderRow, 'id' | 'standing_order_id'>): Promise<SignedCarried[]> {
  if (order.standing_order_id === null) return []
  const { rows } = await sql<SignedCarried>`
    select o.id, o.address_from as address, ${DELEGATE} as delegate, ${FIRST_SIGNED} as raw
      from order_carried by join transfer_order o on o.org_id = by.org_id and o.id = by.carried_id
      where by.org_id = ${tx.orgId} and by.order_id = ${order.id}::uuid order by by.place`.execute(tx)
  return rows
}

/** What is to be carried, as standing orders judge it: addresses of orders are the organisation's own. */
export async function carriedFacts(tx: OrganisationTx, ids: readonly OrderId[]): Promise<Carried[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ address: string; delegate: string }>`
    select o.address_from as address, ${DELEGATE} as delegate from transfer_order o
      where o.org_id = ${tx.orgId} and o.kind = 'authorize' and o.id = any(${[...ids]}::uuid[])`.execute(tx)
  return rows.map(({ address, delegate }) => ({ authority: address, delegate, isOwn: true }))
}

/**
 * An authorization that has not ended. `raw` and `slot` null: not signed yet. `isCarried`: an order that has not ended carries it. `isBehind`: an earlier order
 * of its address has not ended, so that its nonce is not the next one.
 */
export type OpenAuthorization = Omit<SignedCarried, 'raw'> & { raw: Uint8Array | null; slot: bigint | null; isCarried: boolean; isBehind: boolean }

/** The authorizations under a standing order that have not ended. */
export async function openAuthorizations(tx: OrganisationTx, standingOrderId: string): Promise<OpenAuthorization[]> {
  const { rows } = await sql<Omit<OpenAuthorization, 'slot' | 'isCarried' | 'isBehind'> & { slot: string | null; is_carried: boolean; is_behind: boolean }>`
    select o.id, o.address_from as address, ${DELEGATE} as delegate, o.slot, ${FIRST_SIGNED} as raw,
        ${IS_CARRIED} as is_carried,
        exists (select from transfer_order earlier where earlier.org_id = o.org_id and earlier.chain = o.chain and earlier.address_from = o.address_from
          and not earlier.is_final and earlier.id <> o.id and earlier.slot < o.slot) as is_behind
      from transfer_order o
      where o.org_id = ${tx.orgId} and o.kind = 'authorize' and not o.is_final and o.standing_order_id = ${standingOrderId}::uuid`.execute(tx)
  return rows.map(({ is_carried: isCarried, is_behind: isBehind, slot, ...row }) => ({
    ...row,
    slot: slot === null ? null : BigInt(slot),
    isCarried,
    isBehind,
  }))
}

/**
 * Has an order carry authorizations. Call it while the sub-wallet that pays is locked. Throws `state_changed` unless each of them is signed and has not ended,
 * and no other order that has not ended carries it: then nothing is written.
 */
export async function writeCarried(tx: OrganisationTx, orderId: OrderId, ids: readonly OrderId[]): Promise<void> {
  if (ids.length === 0) return
  const { rows: free } = await sql<{ id: string }>`
    select o.id from transfer_order o
      where o.org_id = ${tx.orgId} and o.id = any(${[...ids]}::uuid[]) and o.kind = 'authorize' and not o.is_final and ${FIRST_SIGNED} is not null
        and not ${IS_CARRIED}`.execute(tx)
  if (free.length < ids.length) throw new AppError('state_changed')
  await tx
    .insertInto('order_carried')
    .values(ids.map((id, place) => ({ org_id: tx.orgId, order_id: orderId, place, carried_id: id })))
    .execute()
}

/** Throws `state_changed` while an authorization of an address has not ended. Call it while its sub-wallet is locked. */
export async function demandNoOther(tx: OrganisationTx, { chain, address }: { chain: string; address: string }): Promise<void> {
  const other = await tx
    .selectFrom('transfer_order')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address_from', '=', address)
    .where('kind', '=', 'authorize')
    .where('is_final', '=', false)
    .executeTakeFirst()
  if (other) throw new AppError('state_changed')
}
