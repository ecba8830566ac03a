import { type OrganisationTx, type SystemTx, type Tx, writtenOnce } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { sql } from 'kysely'

/*
 * Tokens whose balances are not the sum of what their logs say: those that keep a fee of each transfer, and those whose balances change by themselves.
 * What comes
 * of them is held and credited to nobody, and no alarm compares them.
 */

type Marked = { chain: string; contract: string; reason: string; personId: string }

/** Marks a token as such for an organisation. The first word stays. */
export async function markUneven(tx: OrganisationTx, { clock }: Pick<Ports, 'clock'>, { chain, contract, reason, personId }: Marked): Promise<void> {
  const said = { reason, marked_by: personId, marked_at: clock.nowMs(), ended_by: null, ended_at: null }
  await tx
    .insertInto('uneven_token')
    .values({ org_id: tx.orgId, chain, contract, ...said })
    .onConflict((conflict) => conflict.columns(['org_id', 'chain', 'contract']).doUpdateSet(said).where('uneven_token.ended_at', 'is not', null))
    .execute()
}

/** Takes the mark back: what comes from now on is credited by its logs. What is held stays so. */
export async function unmarkUneven(tx: OrganisationTx, { clock }: Pick<Ports, 'clock'>, { chain, contract, personId }: Omit<Marked, 'reason'>): Promise<void> {
  await tx
    .updateTable('uneven_token')
    .set({ ended_by: personId, ended_at: clock.nowMs() })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('ended_at', 'is', null)
    .execute()
}

/** Who marked a token, when and why; null if it is not marked. */
export async function unevenMark(tx: OrganisationTx, chain: string, contract: string) {
  const row = await tx
    .selectFrom('uneven_token')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'uneven_token.org_id').onRef('person.id', '=', 'uneven_token.marked_by'))
    .select(['person.name as by', 'marked_at', 'reason'])
    .where('uneven_token.org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row ? { by: row.by, at: Number(row.marked_at), reason: row.reason } : null
}

/** The tokens that are marked for an organisation, for a longer question. */
export const selectMarked = (orgId: string) =>
  sql<{ chain: string; contract: string }>`select chain, contract from uneven_token where org_id = ${orgId} and ended_at is null`

const markedIn = (db: Pick<Tx, 'selectFrom'>) => db.selectFrom('uneven_token').select(['org_id', 'chain', 'contract']).where('ended_at', 'is', null)
const askMarked = writtenOnce((db) => markedIn(db))
const askMarkedOn = writtenOnce((db, { chain }: { chain: string }) => markedIn(db).where('chain', '=', chain))

/** Says whether a token is marked, for each organisation; of one chain only where it is named. */
export async function unevenTokens(tx: SystemTx | OrganisationTx, only?: string): Promise<(orgId: string, chain: string, contract: string) => boolean> {
  const found = only === undefined ? await askMarked(tx, {}) : await askMarkedOn(tx, { chain: only })
  const marked = new Set(found.map(({ org_id, chain, contract }) => `${org_id} ${chain} ${contract}`))
  return (orgId, chain, contract) => marked.has(`${orgId} ${chain} ${contract}`)
}
