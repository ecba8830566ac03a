import { endOf, looksAlike } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { IS_SIGNED_FOR } from '@holdfast/features/transfer/server'
import { sql } from 'kysely'

export type Similar = { address: string; kind: 'own' | 'paid_before' }

/** What the organisation itself knows of a destination. */
export type KnownAddress = { own: { subWalletId: string; name: string } | null; firstSeen: boolean; similarTo: Similar[] }

/**
 * Looks a canonical address up among the organisation's own and those it has paid. Only addresses that a payment was signed
 * for count as paid before: what others send to us, or a draft names, teaches nothing.
 */
export async function inspectAddress(tx: OrganisationTx, network: Network, address: string): Promise<KnownAddress> {
  const own = await tx
    .selectFrom('address')
    .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'address.org_id').onRef('sub_wallet.id', '=', 'address.sub_wallet_id'))
    .select(['sub_wallet.id', 'sub_wallet.name'])
    .where('address.org_id', '=', tx.orgId)
    .where('address.chain', '=', network.chain)
    .where('address.address', '=', address)
    .executeTakeFirst()
  const paid = await tx
    .selectFrom('transfer_order')
    .leftJoin('order_output', (join) =>
      join.onRef('order_output.org_id', '=', 'transfer_order.org_id').onRef('order_output.order_id', '=', 'transfer_order.id'),
    )
    .select('transfer_order.id')
    .where('transfer_order.org_id', '=', tx.orgId)
    .where((either) => either.or([either('address_to', '=', address), either('order_output.address', '=', address)]))
    .where(IS_SIGNED_FOR)
    .limit(1)
    .executeTakeFirst()
  return { own: own ? { subWalletId: own.id, name: own.name } : null, firstSeen: !paid, similarTo: await similarAddresses(tx, address) }
}

async function similarAddresses(tx: OrganisationTx, address: string): Promise<Similar[]> {
  const end = endOf(address)
  const own = await tx
    .selectFrom('address')
    .select('address')
    .distinct()
    .where('org_id', '=', tx.orgId)
    .where(sql<boolean>`lower(right(address, ${end.length})) = ${end}`)
    .execute()
  const paid = await tx
    .selectFrom('transfer_order')
    .leftJoin('order_output', (join) =>
      join.onRef('order_output.org_id', '=', 'transfer_order.org_id').onRef('order_output.order_id', '=', 'transfer_order.id'),
    )
    .select(sql<string>`coalesce(order_output.address, address_to)`.as('address_to'))
    .distinct()
    .where('transfer_order.org_id', '=', tx.orgId)
    .where(IS_SIGNED_FOR)
    .where(sql<boolean>`lower(right(coalesce(order_output.address, address_to), ${end.length})) = ${end}`)
    .execute()
  const similar = [
    ...own.map((each): Similar => ({ address: each.address, kind: 'own' })),
    ...paid.map((each): Similar => ({ address: each.address_to, kind: 'paid_before' })),
  ]
  return similar.filter((each, i) => looksAlike(each.address, address) && similar.findIndex((first) => first.address === each.address) === i)
}
