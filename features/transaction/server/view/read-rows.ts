import { type OrganisationTx, type Schema, writtenOnce } from '@holdfast/db'
import type { PersonId } from '@holdfast/units'
import { type Selectable, sql } from 'kysely'

export type AllowanceSpendRow = Selectable<Schema['token_pull']>

type Some = { orgId: string; ids: readonly string[] }

/** One text however many ids there are, so that the database knows it again. */
const some = <T extends 'transfer_order' | 'deposit' | 'waiting_deposit' | 'token_pull'>(table: T) =>
  writtenOnce((_, { orgId, ids }: Some) => sql<Selectable<Schema[T]>>`select * from ${sql.table(table)} where org_id = ${orgId} and id = any(${ids}::uuid[])`)

const askOrders = some('transfer_order')
const askDeposits = some('deposit')
const askWaiting = some('waiting_deposit')
const askSpends = some('token_pull')

/** Some orders of the organisation. */
export async function orderRows(tx: OrganisationTx, ids: readonly string[]) {
  return ids.length === 0 ? [] : askOrders(tx, { orgId: tx.orgId, ids })
}

/** Some deposits of the organisation: those that a block has, and those that wait for one. */
export async function depositRows(tx: OrganisationTx, ids: readonly string[]) {
  if (ids.length === 0) return { deposits: [], waiting: [] }
  const given = { orgId: tx.orgId, ids }
  const [deposits, waiting] = await Promise.all([askDeposits(tx, given), askWaiting(tx, given)])
  return { deposits, waiting }
}

/** Some allowance spends of the organisation. */
export async function readAllowanceSpends(tx: OrganisationTx, ids: readonly string[]): Promise<AllowanceSpendRow[]> {
  return ids.length === 0 ? [] : askSpends(tx, { orgId: tx.orgId, ids })
}

/** Every decision stored for some orders, of people and of machines, the oldest first. */
export async function approvalsOf(tx: OrganisationTx, ids: readonly string[]) {
  return ids.length === 0 ? [] : askApprovals(tx, { orgId: tx.orgId, ids })
}

const askApprovals = writtenOnce((db, { orgId, ids }: Some) => {
  const isOfThem = sql<boolean>`intent_hash in (select intent_hash from transfer_order where org_id = ${orgId} and id = any(${ids}::uuid[]))`
  // That a machine asks stands for its yes, where a rule passes orders by that.
  const decision = sql<'approve' | 'reject'>`case decision when 'reject' then 'reject' else 'approve' end`
  const byMachines = db
    .selectFrom('machine_signature')
    .select(['intent_hash', 'party as person_id', decision.as('decision'), sql<PersonId | null>`null::uuid`.as('for_person'), 'created_at'])
    .where('org_id', '=', orgId)
    .where(isOfThem)
  return db
    .selectFrom('approval')
    .select(['intent_hash', 'person_id', 'decision', 'for_person', 'created_at'])
    .where('org_id', '=', orgId)
    .where(isOfThem)
    .unionAll(byMachines)
    .orderBy('created_at')
})
