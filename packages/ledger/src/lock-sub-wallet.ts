import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { sql } from 'kysely'

/**
 * Locks sub-wallets until the transaction ends: only one transaction at a time posts for a sub-wallet. Every posting does this first, so two transactions
 * never wait for each other's accounts, whatever accounts they touch, in however many postings, and whether or not the accounts exist yet. A transaction
 * that locks something else, such as the log or the outbox, before it posts must call this first. Several are locked in the order of their ids. From here
 * on others wait: do what needs no lock before, and ask no node afterwards. The lock is taken with the next query, and before it.
 */
export async function lockSubWallets(tx: OrganisationTx, ids: readonly string[]): Promise<void> {
  lock.along(tx, { orgId: tx.orgId, ids })
}

// Not "for update": rows that only name the sub-wallet, such as new orders and accounts, need not wait.
const lock = writtenOnce(
  (_, { orgId, ids }: { orgId: string; ids: readonly string[] }) =>
    sql`select id from sub_wallet where org_id = ${orgId} and id = any(${ids}::uuid[]) order by id for no key update`,
)
