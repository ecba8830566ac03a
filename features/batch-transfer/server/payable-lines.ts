import type { OrganisationTx } from '@holdfast/db'

/** A line that can be paid, with its number in the file. */
export type PayableLine = { line: number; to: string; memo: string | null; amount: bigint }

/** The lines of a batch that can be paid, and how many cannot. */
export async function payableLines(tx: OrganisationTx, batchId: string): Promise<{ lines: PayableLine[]; wrong: number }> {
  const rows = await tx
    .selectFrom('batch_transfer_line')
    .select(['line', 'address', 'memo', 'amount', 'faults'])
    .where('org_id', '=', tx.orgId)
    .where('batch_id', '=', batchId)
    .orderBy('line')
    .execute()
  const lines = rows.flatMap(({ line, address, memo, amount, faults }) =>
    address === null || amount === null || (faults as unknown[]).length > 0 ? [] : [{ line, to: address, memo, amount }],
  )
  return { lines, wrong: rows.length - lines.length }
}
