import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { OrderRow } from '@holdfast/features/transfer/server'
import { describeTransactions, openView, orderView, quorumsOf } from '@holdfast/features/transaction/server'
import { known } from '@holdfast/units'

/**
 * What people call what an order names by addresses: the wallet that pays, the network, the recipient; and what the payment is worth now, in US dollars. Nobody
 * signs it: the approval page shows it as the server's word. `own`: a wallet of the organisation's; `requester`: the requester's address book calls it so.
 */
export type OrderAround = {
  wallet: string
  network: string | null
  to: { name: string; by: 'own' | 'requester' } | null
  worth: { amount: string; currency: string } | null
}

type Needs = Pick<ServerContext, 'networks' | 'ports'>

export async function orderAround(tx: OrganisationTx, { networks, ports }: Needs, row: OrderRow): Promise<OrderAround> {
  const view = await openView({ tx, networks, language: 'en_US', nowMs: ports.clock.nowMs(), fiat: 'USD' })
  const quorum = known((await quorumsOf(view, [row])).get(row.id), `the quorum of order ${row.id}`)
  const [[described], wallet, to] = await Promise.all([
    describeTransactions(view, [orderView(view, row, quorum, null)]),
    walletNames(tx).where('sub_wallet.id', '=', row.sub_wallet_id).executeTakeFirstOrThrow(),
    nameOfRecipient(tx, row),
  ])
  const now = described?.worth?.now ?? null
  return {
    wallet: titleOf(wallet),
    network: networks.find(row.chain)?.name ?? null,
    to,
    worth: now === null ? null : { amount: now, currency: view.fiat },
  }
}

const walletNames = (tx: OrganisationTx) =>
  tx
    .selectFrom('sub_wallet')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'sub_wallet.org_id').onRef('wallet.id', '=', 'sub_wallet.wallet_id'))
    .select(['wallet.name as wallet', 'wallet.alias', 'sub_wallet.name as sub'])
    .where('sub_wallet.org_id', '=', tx.orgId)

const titleOf = ({ wallet, alias, sub }: { wallet: string; alias: string | null; sub: string }): string => `${alias ?? wallet} / ${sub}`

async function nameOfRecipient(tx: OrganisationTx, { chain, address_to: to, initiator }: OrderRow): Promise<OrderAround['to']> {
  const own = await walletNames(tx)
    .innerJoin('address', (join) => join.onRef('address.org_id', '=', 'sub_wallet.org_id').onRef('address.sub_wallet_id', '=', 'sub_wallet.id'))
    .where('address.chain', '=', chain)
    .where('address.address', '=', to)
    .executeTakeFirst()
  if (own) return { name: titleOf(own), by: 'own' }
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
