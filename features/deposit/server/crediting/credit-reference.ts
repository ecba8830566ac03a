import type { OrganisationTx } from '@holdfast/db'
import { known } from '@holdfast/units'
import { sql } from 'kysely'

/** The name of a deposit's credit in the ledger. If a block was given up and came back, its deposits get another credit, numbered on. */
const referenceOf = (depositId: string, number: number) => `deposit:${depositId}:${number}`

type Credited = { id: string; number: number }

/** The newest credit of each of some deposits; a deposit that was never credited is left out. */
export async function lastCredits(tx: OrganisationTx, depositIds: readonly string[]): Promise<Map<string, Credited>> {
  const last = new Map<string, Credited>()
  for (let number = 0, asked = depositIds; asked.length > 0; number++) {
    const byReference = new Map(asked.map((id) => [referenceOf(id, number), id]))
    const rows = await tx
      .selectFrom('ledger_transfer')
      .select(['id', 'reference'])
      .where('org_id', '=', tx.orgId)
      .where('kind', '=', 'credit')
      .where(sql<boolean>`reference = any(${[...byReference.keys()]}::text[])`)
      .execute()
    for (const { id, reference } of rows) last.set(known(byReference.get(reference), 'the deposit of a credit'), { id, number })
    asked = asked.filter((id) => last.get(id)?.number === number)
  }
  return last
}

/** The reference under which the next credit of each of some deposits is posted: the first one, unless one was reversed. */
export async function nextReferences(tx: OrganisationTx, depositIds: readonly string[]): Promise<Map<string, string>> {
  const last = await lastCredits(tx, depositIds)
  return new Map(depositIds.map((id) => [id, referenceOf(id, (last.get(id)?.number ?? -1) + 1)]))
}
