import { endOf, startOf } from '@holdfast/chain-core'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a payment was signed for the recipients of an order. One that was cancelled on the chain paid nobody and was taken back.
 * An order about a payment teaches nothing of its own, and one about stake or an authorization pays nobody.
 */
export const IS_SIGNED_FOR = sql<boolean>`(transfer_order.txid is not null and transfer_order.replaces is null and transfer_order.kind not in ('stake', 'stake_change', 'authorize') and transfer_order.state <> 'replaced')`

type Column = 'address' | 'address.address' | 'address_to' | 'order_output.address'

/** How addresses end, and how they begin, by which those that look like them are found before they are compared. */
export type Looks = { ends: readonly string[]; starts: readonly string[] }

export const looksOf = (addresses: readonly string[]): Looks => ({ ends: [...new Set(addresses.map(endOf))], starts: [...new Set(addresses.map(startOf))] })

/** Whether a column with an address can look like one of some: it ends like one, or begins like one. Each is answered by an index, and compared afterwards. */
export const mayLookLike = (column: Column, { ends, starts }: Looks) => sql<boolean>`(${beginsAs(column, starts)} or ${endsIn(column, ends)})`

/** What all addresses of a network begin with is so long (`startOf`). */
const CONSTANTS = [0, 1, 2, 4, 6]

/** As `endsIn`, for how they begin (`startOf`): of rows from before there was a column beside it, the address may have it after what its network begins with. */
function beginsAs(column: Column, starts: readonly string[]) {
  const [kept, wanted] = [sql.ref(`${column}_start`), sql`${starts}::text[]`]
  const begun = sql.join(CONSTANTS.map((length) => sql`substr(lower(${sql.ref(column)}), ${length}::int + 1, 6)`))
  return sql<boolean>`((${kept} = any(${wanted}) or ${kept} is null) and array[${begun}] && ${wanted})`
}

/**
 * Whether a column with an address ends in one of these (`endOf`). What is asked of the column beside it is answered by an index; rows from before there was one
 * have to be looked at.
 */
export function endsIn(column: Column, ends: readonly string[]) {
  const [kept, wanted] = [sql.ref(`${column}_end`), sql`any(${ends}::text[])`]
  return sql<boolean>`((${kept} = ${wanted} or ${kept} is null) and lower(right(${sql.ref(column)}, 4)) = ${wanted})`
}

/**
 * The addresses for which a payment was ever signed that end in one of these, and since when; an order that pays several makes all of them known. Each half has
 * an index by what people compare. An address can come up twice.
 */
export async function paidAddresses(tx: OrganisationTx, ends: readonly string[]): Promise<{ address: string; sinceMs: number }[]> {
  return (await askPaid(tx, { orgId: tx.orgId, ends })).map(paidOf)
}

/** The same of those that can look like some. */
export async function paidLike(tx: OrganisationTx, { ends, starts }: Looks): Promise<{ address: string; sinceMs: number }[]> {
  return (await askPaidLike(tx, { orgId: tx.orgId, ends, starts })).map(paidOf)
}

const paidOf = ({ address, since }: { address: string; since: bigint }) => ({ address, sinceMs: Number(since) })

type Owner = Pick<OrganisationTx, 'orgId'>

/** The query of `paidAddresses`, also for a longer question. */
export const selectPaidWhere = ({ orgId }: Owner, isAsked: (column: Column) => RawBuilder<boolean>) => sql<{ address: string; since: bigint }>`
  select address_to as address, min(created_at) as since from transfer_order
    where org_id = ${orgId} and ${IS_SIGNED_FOR} and ${isAsked('address_to')} group by 1
  union all select order_output.address, min(transfer_order.created_at) from order_output
    join transfer_order on transfer_order.org_id = order_output.org_id and transfer_order.id = order_output.order_id
    where order_output.org_id = ${orgId} and ${IS_SIGNED_FOR} and ${isAsked('order_output.address')} group by 1`

/** The query of those of some addresses of a network for which a payment with a memo of their own was ever signed. */
export const selectPaidWithMemo = ({ orgId }: Owner, chain: string, addresses: readonly string[]) => sql<{ address: string }>`
  select address_to as address from transfer_order
    where org_id = ${orgId} and chain = ${chain} and address_to = any(${[...addresses]}::text[]) and memo <> '' and ${IS_SIGNED_FOR}
  union select order_output.address from order_output
    join transfer_order on transfer_order.org_id = order_output.org_id and transfer_order.id = order_output.order_id
    where order_output.org_id = ${orgId} and transfer_order.chain = ${chain} and order_output.address = any(${[...addresses]}::text[])
      and order_output.memo <> '' and ${IS_SIGNED_FOR}`

const askPaid = writtenOnce((_, { orgId, ends }: Owner & Pick<Looks, 'ends'>) => selectPaidWhere({ orgId }, (column) => endsIn(column, ends)))

const askPaidLike = writtenOnce((_, { orgId, ends, starts }: Owner & Looks) => selectPaidWhere({ orgId }, (column) => mayLookLike(column, { ends, starts })))
