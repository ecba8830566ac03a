import type { OrganisationTx } from '@holdfast/db'
import { sql } from 'kysely'

/**
 * Whether a payment was signed for the recipients of an order. One that was cancelled on the chain paid nobody and was taken back.
 * An order about a payment teaches nothing of its own, and one about stake pays nobody.
 */
export const IS_SIGNED_FOR = sql<boolean>`(transfer_order.txid is not null and transfer_order.replaces is null and transfer_order.kind not in ('stake', 'stake_change') and transfer_order.state <> 'replaced')`

/**
 * Whether a column with an address ends in one of these (`endOf`). What is asked of the column beside it is answered by an index; rows from before there was one
 * have to be looked at.
 */
export function endsIn(column: 'address' | 'address.address' | 'address_to' | 'order_output.address', ends: readonly string[]) {
  const [kept, wanted] = [sql.ref(`${column}_end`), sql`any(${ends}::text[])`]
  return sql<boolean>`((${kept} = ${wanted} or ${kept} is null) and lower(right(${sql.ref(column)}, 4)) = ${wanted})`
}

/**
 * The addresses for which a payment was ever signed that end in one of these, and since when; an order that pays several makes all of them known. Each half has
 * an index by what people compare. An address can come up twice.
 */
export async function paidAddresses(tx: OrganisationTx, ends: readonly string[]): Promise<{ address: string; sinceMs: number }[]> {
  const { rows } = await selectPaid(tx, ends).execute(tx)
  return rows.map(({ address, since }) => ({ address, sinceMs: Number(since) }))
}

/** The query of `paidAddresses`, for a longer question. */
export const selectPaid = ({ orgId }: Pick<OrganisationTx, 'orgId'>, ends: readonly string[]) => sql<{ address: string; since: bigint }>`
  select address_to as address, min(created_at) as since from transfer_order
    where org_id = ${orgId} and ${IS_SIGNED_FOR} and ${endsIn('address_to', ends)} group by 1
  union all select order_output.address, min(transfer_order.created_at) from order_output
    join transfer_order on transfer_order.org_id = order_output.org_id and transfer_order.id = order_output.order_id
    where order_output.org_id = ${orgId} and ${IS_SIGNED_FOR} and ${endsIn('order_output.address', ends)} group by 1`
