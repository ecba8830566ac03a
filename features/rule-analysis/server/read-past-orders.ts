import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { listedPlaces } from '@holdfast/features/address-book/server'
import { IS_SIGNED_FOR } from '@holdfast/features/known-address/server'
import { actOf, intentShape, isPayment, isTransaction, paymentsOf } from '@holdfast/intent'
import type { DestinationFacts, PaidTo } from '@holdfast/policy'
import type { PastOrder } from '@holdfast/policy/analysis'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'

/** More orders than these are not looked at; the oldest are left out. */
export const ORDERS_MAX = 100_000

/** Orders of the organisation since a time, the oldest first, each as rules look at it, with a few words that say which it is. */
export async function readPastOrders(
  tx: OrganisationTx,
  sinceMs: number,
  nowMs: number,
): Promise<{ orders: PastOrder[]; titles: ReadonlyMap<string, string> }> {
  const rows = await tx
    .selectFrom('transfer_order')
    .select(['id', 'intent', 'symbol', 'address_to', 'created_at', 'slot', 'is_final'])
    .where('org_id', '=', tx.orgId)
    .where('replaces', 'is', null)
    .where('created_at', '>=', BigInt(sinceMs))
    .orderBy('created_at', 'desc')
    .limit(ORDERS_MAX)
    .execute()
  const read = rows.toReversed().flatMap((row) => {
    const intent = decode(intentShape, new Uint8Array(row.intent))
    return isTransaction(intent) ? [{ row, intent }] : []
  })
  const places = new Map<string, Set<string>>()
  for (const { intent } of read) {
    const addresses = places.get(intent.asset.chain) ?? new Set<string>()
    places.set(intent.asset.chain, addresses)
    if (isPayment(intent)) for (const { to } of paymentsOf(intent)) addresses.add(to)
  }
  const knowing = new Map<string, FactsAt>()
  for (const [chain, addresses] of places) knowing.set(chain, await destinationsOf(tx, chain, [...addresses], nowMs))
  const titles = new Map(
    read.map(({ row, intent }) => [row.id, `${formatAmount(intent.amount, Number(intent.asset.decimals))} ${row.symbol} → ${row.address_to}`]),
  )
  const orders = read.map(({ row, intent }): PastOrder => {
    const facts = knowing.get(intent.asset.chain)
    return {
      id: row.id,
      act: actOf(intent),
      from: intent.from,
      paid: isPayment(intent) ? paymentsOf(intent).map(({ to, amount }) => ({ to, amount })) : [],
      atMs: Number(row.created_at),
      openMs: intent.expiresAtMs - intent.notBeforeMs,
      isCounted: row.slot !== null || !row.is_final,
      ...(facts && { destination: (to: PaidTo) => facts(to, Number(row.created_at)) }),
    }
  })
  return { orders, titles }
}

/** What is known of an address as of a time. */
type FactsAt = (to: Pick<PaidTo, 'address' | 'memo'>, atMs: number) => DestinationFacts

/** What this server knows of addresses of a network: whose they are and what is on the whitelist as of now, and since when they were paid. */
export async function destinationsOf(tx: OrganisationTx, chain: string, addresses: readonly string[], nowMs: number): Promise<FactsAt> {
  if (addresses.length === 0) return () => ({ isOwn: false, isListed: false, lists: [], isPaidBefore: false })
  const [own, listed, paid] = await Promise.all([
    tx
      .selectFrom('address')
      .select('address')
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('address', 'in', [...addresses])
      .execute(),
    listedPlaces(tx, nowMs, { chain, addresses }),
    sql<{ address: string; first: bigint }>`
      select address, min(created_at) as first from (
        select transfer_order.address_to as address, transfer_order.created_at from transfer_order
          where transfer_order.org_id = ${tx.orgId} and transfer_order.chain = ${chain} and ${IS_SIGNED_FOR}
            and transfer_order.address_to = any(${[...addresses]}::text[])
        union all
        select output.address, transfer_order.created_at from transfer_order
          join order_output output on output.org_id = transfer_order.org_id and output.order_id = transfer_order.id
          where transfer_order.org_id = ${tx.orgId} and transfer_order.chain = ${chain} and ${IS_SIGNED_FOR}
            and output.address = any(${[...addresses]}::text[])
      ) as paid group by address`.execute(tx),
  ])
  const ours = new Set(own.map(({ address }) => address))
  const since = new Map(paid.rows.map(({ address, first }) => [address, Number(first)]))
  return ({ address, memo }, atMs) => {
    const entries = listed.filter((each) => each.address === address && each.memo === (memo ?? ''))
    return {
      isOwn: ours.has(address),
      isListed: entries.length > 0,
      lists: entries.flatMap(({ lists }) => lists),
      isPaidBefore: (since.get(address) ?? Number.POSITIVE_INFINITY) < atMs,
    }
  }
}
