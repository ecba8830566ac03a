import { askAlong, type OrganisationTx } from '@holdfast/db'

/**
 * Locks sub-wallets until the transaction ends: only one transaction at a time posts for a sub-wallet. Every posting does this first, so two transactions
 * never wait for each other's accounts, whatever accounts they touch, in however many postings, and whether or not the accounts exist yet. A transaction
 * that locks something else, such as the log or the outbox, before it posts must call this first. Several are locked in the order of their ids. From here
 * on others wait: do what needs no lock before, and ask no node afterwards. The lock is taken with the next query, and before it.
 */
export async function lockSubWallets(tx: OrganisationTx, ids: readonly string[]): Promise<void> {
  // Not "for update": rows that only name the sub-wallet, such as new orders and accounts, need not wait.
  askAlong(tx, tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', 'in', ids).orderBy('id').forNoKeyUpdate())
}
