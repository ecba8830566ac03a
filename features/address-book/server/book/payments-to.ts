import type { OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { formatAmount } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'

/** What places are looked for by: texts, or the columns that hold them. */
type Place = { org: RawBuilder<unknown>; address: RawBuilder<unknown>; chains: RawBuilder<unknown>; memo: RawBuilder<unknown> }

/**
 * Orders that pay a place, each with what it pays there. An order that pays several is found by each of its recipients, and pays each its own part, also the
 * one that stands for all of them in the order itself. What is only about another payment pays nobody.
 */
export const paymentsTo = ({ org, address, chains, memo }: Place) => {
  const columns = sql`paid.id, paid.chain, paid.contract, paid.symbol, paid.state, paid.txid, paid.created_at`
  const isThere = sql`paid.org_id = ${org} and paid.replaces is null and ${chains} ? paid.chain`
  return sql`
    select ${columns}, paid.amount, 1 as recipients from transfer_order as paid
    where ${isThere} and paid.address_to = ${address} and coalesce(paid.memo, '') = ${memo}
      and not exists (select from order_output as part where part.org_id = paid.org_id and part.order_id = paid.id)
    union all
    select ${columns}, part.amount,
      (select count(*)::int from order_output as each where each.org_id = part.org_id and each.order_id = part.order_id) as recipients
    from order_output as part join transfer_order as paid on paid.org_id = part.org_id and paid.id = part.order_id
    where part.org_id = ${org} and part.address = ${address} and coalesce(part.memo, '') = ${memo} and ${isThere}`
}

type PaymentRow = {
  id: string
  chain: string
  contract: string
  symbol: string
  state: string
  amount: bigint
  recipients: number
  created_at: bigint
  total: bigint
}

/** A page of the orders that pay an entry, the newest first. */
export async function listPayments(
  tx: OrganisationTx,
  networks: Networks,
  { address, chains, memo }: { address: string; chains: string[]; memo: string },
  { page_no: page, page_size: size }: { page_no: number; page_size: number },
) {
  const place = { org: sql`${tx.orgId}`, address: sql`${address}`, chains: sql`${JSON.stringify(chains)}::jsonb`, memo: sql`${memo}` }
  const { rows } = await sql<PaymentRow>`
    select *, count(*) over () as total from (${paymentsTo(place)}) as found
    order by created_at desc, id desc limit ${size} offset ${(page - 1) * size}`.execute(tx)
  const list = rows.map(({ id, chain, contract, symbol, state, amount, recipients, created_at: at }) => ({
    order_id: id,
    chain,
    network: networks.find(chain)?.name ?? chain,
    symbol,
    amount: formatAmount(BigInt(amount), networks.byContract(chain, contract)?.decimals ?? 0),
    recipients,
    state,
    at: Number(at),
  }))
  return { pageTotal: Number(rows[0]?.total ?? 0), list }
}
