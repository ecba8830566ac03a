import { AppError } from '@holdfast/contract'
import { nextNumber, type Database, type OrganisationTx } from '@holdfast/db'
import type { OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'

export type Numbered = 'sub_wallet' | 'order' | 'deposit' | 'supply'
const TABLES = { sub_wallet: 'sub_wallet', order: 'transfer_order', deposit: 'deposit', supply: 'tron_supply' } as const
const AT_ONCE = 1000

/**
 * Numbers what has none yet, in the order in which it was made. One after another: whoever has read up to a number never misses one below it, however late what
 * it stands for was written.
 */
export async function numberAll(db: Database, orgId: OrganisationId, kind: Numbered): Promise<void> {
  const waiting = await db.readOrganisation(orgId, (tx) => unnumbered(tx, kind))
  if (waiting.length === 0) return
  const count = await db.asOrganisation(orgId, (tx) => numberSome(tx, kind))
  if (count === AT_ONCE) await numberAll(db, orgId, kind)
}

/** Numbers some of what has none, and answers how many that were. */
async function numberSome(tx: OrganisationTx, kind: Numbered): Promise<number> {
  await nextNumber(tx, 'wire_number')
  const found = await unnumbered(tx, kind)
  if (found.length === 0) return 0
  const { last } = await tx
    .selectFrom('wire_number')
    .select((row) => row.fn.max('number').as('last'))
    .where('org_id', '=', tx.orgId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  const first = ((last as bigint | null) ?? 0n) + 1n
  await tx
    .insertInto('wire_number')
    .values(found.map(({ id }, i) => ({ org_id: tx.orgId, kind, number: first + BigInt(i), subject_id: id })))
    .execute()
  return found.length
}

/** What of a kind has no number. Each kind has a table of its own, which the names of its columns do not tell the types of the query builder. */
async function unnumbered(tx: OrganisationTx, kind: Numbered): Promise<{ id: string }[]> {
  const table = sql.table(TABLES[kind])
  const { rows } = await sql<{ id: string }>`select subject.id from ${table} as subject
    left join wire_number as n on n.org_id = subject.org_id and n.subject_id = subject.id and n.kind = ${kind}
    where subject.org_id = ${tx.orgId} and n.number is null order by subject.created_at, subject.id limit ${AT_ONCE}`.execute(tx)
  return rows
}

/** The numbers of these, by their ids. */
export async function numbersOf(db: Database, orgId: OrganisationId, kind: Numbered, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  await numberAll(db, orgId, kind)
  return db.readOrganisation(orgId, (tx) => numbered(tx, kind, ids))
}

/** The same in the transaction that tells of them. */
export async function numbersWithin(tx: OrganisationTx, kind: Numbered, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  let found = await numbered(tx, kind, ids)
  while (ids.some((id) => !found.has(id)) && (await numberSome(tx, kind)) > 0) found = await numbered(tx, kind, ids)
  return found
}

async function numbered(tx: OrganisationTx, kind: Numbered, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('wire_number')
    .select(['number', 'subject_id'])
    .where('org_id', '=', tx.orgId)
    .where('kind', '=', kind)
    .where('subject_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.subject_id, Number(row.number)]))
}

/** What these numbers stand for, in their order; none for a number that was never given. */
export async function idsOf(db: Database, orgId: OrganisationId, kind: Numbered, numbers: readonly bigint[]): Promise<{ id: string; number: number }[]> {
  const rows = await db.readOrganisation(orgId, (tx) =>
    tx
      .selectFrom('wire_number')
      .select(['number', 'subject_id'])
      .where('org_id', '=', tx.orgId)
      .where('kind', '=', kind)
      .where('number', 'in', numbers)
      .orderBy('number')
      .execute(),
  )
  return rows.map((row) => ({ id: row.subject_id, number: Number(row.number) }))
}

/** The sub-wallet that a number stands for. Throws AppError `wallet_not_found`. */
export async function subWalletOf(db: Database, orgId: OrganisationId, number: string): Promise<string> {
  const [found] = /^\d{1,18}$/.test(number) ? await idsOf(db, orgId, 'sub_wallet', [BigInt(number)]) : []
  if (!found) throw new AppError('wallet_not_found')
  return found.id
}
