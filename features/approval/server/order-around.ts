import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { OrderRow } from '@holdfast/features/transfer/server'
import { describeTransactions, openView, orderView, quorumsOf } from '@holdfast/features/transaction/server'
import { namedSubWallets, subWalletPath } from '@holdfast/features/wallet/server'
import { at, known } from '@holdfast/units'
import { sql } from 'kysely'

/**
 * What people call what an order names by addresses: the wallet that pays, the network, the recipient; and what the payment is worth now, in US dollars. Nobody
 * signs it: the approval page shows it as the server's word. `own`: a wallet of the organisation's; `book`: its address book calls it so; `requester`: the
 * requester's own does.
 */
export type OrderAround = {
  wallet: string
  network: string | null
  to: { name: string; by: 'own' | 'book' | 'requester' } | null
  worth: { amount: string; currency: string } | null
}

type Needs = Pick<ServerContext, 'networks' | 'ports'>

export async function orderAround(tx: OrganisationTx, { networks, ports }: Needs, row: OrderRow): Promise<OrderAround> {
  const view = await openView({ tx, networks, language: 'en_US', nowMs: ports.clock.nowMs(), fiat: 'USD' })
  const quorum = known((await quorumsOf(view, [row])).get(row.id), `the quorum of order ${row.id}`)
  const [described, to] = await Promise.all([describeTransactions(view, [orderView(view, row, quorum)]), nameOfRecipient(tx, row)])
  const shown = at(described, 0)
  const now = shown.worth?.now ?? null
  return {
    wallet: subWalletPath(shown),
    network: networks.find(row.chain)?.name ?? null,
    to,
    worth: now === null ? null : { amount: now, currency: view.fiat },
  }
}

async function nameOfRecipient(tx: OrganisationTx, { chain, address_to: to, memo, initiator }: OrderRow): Promise<OrderAround['to']> {
  const own = await namedSubWallets(tx)
    .innerJoin('address', (join) => join.onRef('address.org_id', '=', 'sub_wallet.org_id').onRef('address.sub_wallet_id', '=', 'sub_wallet.id'))
    .where('address.chain', '=', chain)
    .where('address.address', '=', to)
    .executeTakeFirst()
  if (own) return { name: subWalletPath(own), by: 'own' }
  const entry = await tx
    .selectFrom('book_entry')
    .select('name')
    .where('org_id', '=', tx.orgId)
    .where('address', '=', to)
    .where('memo', '=', memo ?? '')
    .where(sql<boolean>`chains ? ${chain}`)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (entry) return { name: entry.name, by: 'book' }
  const contact = await tx
    .selectFrom('personal_address')
    .select('name')
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', initiator)
    .where('chain', '=', chain)
    .where('address', '=', to)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return contact ? { name: contact.name, by: 'requester' } : null
}
