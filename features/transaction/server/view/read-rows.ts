import type { OrganisationTx, Schema } from '@holdfast/db'
import { type Selectable, sql } from 'kysely'

export type AllowanceSpendRow = Selectable<Schema['token_pull']>

/** One text however many ids there are, so that the database knows it again. */
const isOneOf = (ids: readonly string[]) => sql<boolean>`id = any(${[...ids]}::uuid[])`

/** Some orders of the organisation. */
export async function orderRows(tx: OrganisationTx, ids: readonly string[]) {
  if (ids.length === 0) return []
  return tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where(isOneOf(ids)).execute()
}

/** Some deposits of the organisation: those that a block has, and those that wait for one. */
export async function depositRows(tx: OrganisationTx, ids: readonly string[]) {
  if (ids.length === 0) return { deposits: [], waiting: [] }
  const [deposits, waiting] = await Promise.all([
    tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId).where(isOneOf(ids)).execute(),
    tx.selectFrom('waiting_deposit').selectAll().where('org_id', '=', tx.orgId).where(isOneOf(ids)).execute(),
  ])
  return { deposits, waiting }
}

/** Some allowance spends of the organisation. */
export async function readAllowanceSpends(tx: OrganisationTx, ids: readonly string[]): Promise<AllowanceSpendRow[]> {
  if (ids.length === 0) return []
  return tx.selectFrom('token_pull').selectAll().where('org_id', '=', tx.orgId).where(isOneOf(ids)).execute()
}

/** Every decision stored for some orders, of people and of machines, the oldest first. */
export async function approvalsOf(tx: OrganisationTx, ids: readonly string[]) {
  if (ids.length === 0) return []
  const isOfThem = sql<boolean>`intent_hash in (select intent_hash from transfer_order where org_id = ${tx.orgId} and id = any(${[...ids]}::uuid[]))`
  // That a machine asks stands for its yes, where a rule passes orders by that.
  const decision = sql<'approve' | 'reject'>`case decision when 'reject' then 'reject' else 'approve' end`
  const byMachines = tx
    .selectFrom('machine_signature')
    .select(['intent_hash', 'party as person_id', decision.as('decision'), 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where(isOfThem)
  return tx
    .selectFrom('approval')
    .select(['intent_hash', 'person_id', 'decision', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where(isOfThem)
    .unionAll(byMachines)
    .orderBy('created_at')
    .execute()
}
