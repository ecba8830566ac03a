import { askAlong, type OrganisationTx } from '@holdfast/db'

/**
 * Holds sub-wallets until the transaction ends: who books for one of them does so alone. Every posting does this first, so two transactions never wait for
 * each other's accounts, whatever accounts they touch, in however many postings, and whether the accounts are there yet or not. A transaction that locks
 * something else, such as the log or the outbox, before it posts has to call this before that. Several are locked in the order of their ids. From here on the
 * others wait: what needs no lock is done before, and nothing is asked of a node any more. The lock is taken with the next question, and before it.
 */
export async function lockSubWallets(tx: OrganisationTx, ids: readonly string[]): Promise<void> {
  // Not "for update": rows that only name the sub-wallet, such as new orders and accounts, need not wait.
  askAlong(tx, tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', 'in', ids).orderBy('id').forNoKeyUpdate())
}
