import type { OrganisationTx } from '@holdfast/db'
import { BATCH_STATUS, batchOf, readSums } from '@holdfast/features/batch-transfer/server'
import { assetFields, type RecordContext } from './record-fields.ts'
import type { Story } from '../story.ts'

const UNDER_WAY = { counts: { completed: 0, failed: 0 }, paid: 0n }

/**
 * What a batch came to, as a whole: that people are asked, that its lines are being paid, and once how it ended. Like a deposit it keeps no history here: what
 * it is now is its story. Undefined where nobody was asked, and while one that was stopped still has lines under way.
 */
export async function batchStory(tx: OrganisationTx, context: RecordContext, batchId: string): Promise<Story | undefined> {
  const row = await tx.selectFrom('batch_transfer').selectAll().where('org_id', '=', tx.orgId).where('id', '=', batchId).executeTakeFirst()
  const batch = row && batchOf(row)
  if (!batch || (row.state === 'stopped' && !row.is_final)) return undefined
  const { lines, from } = batch.intent
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n)
  // While it is under way, its lines are told of one by one. What became of them all is counted at its end.
  const { counts, paid } = row.is_final ? (await readSums(tx, [batchId]))(batchId) : UNDER_WAY
  const status = BATCH_STATUS[row.state]
  const step = {
    ...{ sourceSeq: 0n, marker: row.state, event: `batch.${row.state}`, status, atMs: Number(row.updated_at) },
    fields: {
      ...{ id: row.id, request_id: null, wallet_id: row.wallet_id, sub_wallet_id: row.sub_wallet_id, status, sub_status: row.state },
      ...assetFields(context, row).fields(total),
      ...{ address_from: from, lines: lines.length, paid: counts.completed, failed: counts.failed },
      not_executed: row.is_final ? lines.length - counts.completed - counts.failed : 0,
      paid_amount_base_units: String(paid),
      created_at: Number(row.created_at),
      updated_at: Number(row.updated_at),
    },
  }
  return { side: 'batch', recordId: row.id, walletId: row.wallet_id, requestId: null, steps: [step], progress: null }
}
