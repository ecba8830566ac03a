import type { OrganisationTx } from '@holdfast/db'
import { type MailNeeds, writeMail } from '@holdfast/features/mail/server'
import { speakersOf } from '@holdfast/features/proposal/server'
import { readSums } from './batch-view.ts'
import type { Batch } from './move-batch.ts'
import { askedMail, endedMail } from './mail-words.ts'

// People are told of a batch as a whole, and not of its lines: once when they are asked, and once when it has ended.

/** Writes to those who decide on a batch, and who decides for one of them, that it waits for them, in the transaction that puts it before them. */
export async function tellAsked(tx: OrganisationTx, needs: MailNeeds, { batchId, lines }: { batchId: string; lines: number }): Promise<void> {
  const personIds = await speakersOf(tx, batchId, needs.ports.clock.nowMs())
  await writeMail(tx, needs, { topic: 'batch_waits', aboutId: batchId, personIds, path: '/mpc/center/wallet/todo', words: askedMail(lines) })
}

/**
 * Writes to whoever asked for a batch that it has ended, and how: how many lines were paid, how many not. The row, which was read with a lock, says that it was
 * told, in the same transaction, so it is told once. Who takes a batch back knows it.
 */
export async function tellEnded(tx: OrganisationTx, needs: MailNeeds, { row, intent }: Batch): Promise<void> {
  const { id, state, told_at: toldAt, initiator } = row
  if (toldAt !== null) return
  if (state !== 'cancelled') {
    const { counts } = (await readSums(tx, [id]))(id)
    const words = endedMail({ state, lines: intent.lines.length, paid: counts.completed, failed: counts.failed })
    const path = `/mpc/tools/batchTransfer/transferRecord?batch=${id}`
    await writeMail(tx, needs, { topic: 'batch_ended', aboutId: id, personIds: [initiator], path, words })
  }
  await tx.updateTable('batch_transfer').set({ told_at: needs.ports.clock.nowMs() }).where('org_id', '=', tx.orgId).where('id', '=', id).execute()
}
