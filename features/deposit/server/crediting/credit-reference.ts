import type { OrganisationTx } from '@holdfast/db'

/** The name of a deposit's credit in the ledger. A block that was given up and came back gives its deposits another credit, numbered on. */
const referenceOf = (depositId: string, number: number) => `deposit:${depositId}:${number}`

/** The newest credit of a deposit, or undefined where it never had one. */
export async function lastCredit(tx: OrganisationTx, depositId: string): Promise<{ id: string; number: number } | undefined> {
  let found: { id: string; number: number } | undefined
  for (let number = 0; ; number++) {
    const row = await tx
      .selectFrom('ledger_transfer')
      .select('id')
      .where('org_id', '=', tx.orgId)
      .where('kind', '=', 'credit')
      .where('reference', '=', referenceOf(depositId, number))
      .executeTakeFirst()
    if (!row) return found
    found = { id: row.id, number }
  }
}

/** The reference under which the next credit of a deposit is posted: the first one, unless one was reversed. */
export async function nextReference(tx: OrganisationTx, depositId: string): Promise<string> {
  const last = await lastCredit(tx, depositId)
  return referenceOf(depositId, last ? last.number + 1 : 0)
}
