import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { concatBytes, toHex } from '@holdfast/encoding'

/** One answer holds about this much of the log; a longer one is fetched in several. */
const ANSWER_BYTES_MAX = 4 << 20
/** Rows are read in blocks, so that a long log never stands in memory whole. */
const BLOCK_ENTRIES = 256
const CHECKPOINTS_MAX = 20

/**
 * A stretch of the log from entry `from` on, in the form `verify-log` reads, with the newest checkpoints that signers have
 * cosigned. The answer gives where to go on; entries that are appended meanwhile come with a later answer.
 */
export async function exportLog(tx: OrganisationTx, from: number, limitBytes = ANSWER_BYTES_MAX) {
  const organisation = await tx.selectFrom('organisation').select('genesis_hash').where('id', '=', tx.orgId).executeTakeFirst()
  const last = await tx.selectFrom('log_entry').select('sequence').where('org_id', '=', tx.orgId).orderBy('sequence', 'desc').limit(1).executeTakeFirst()
  if (!organisation?.genesis_hash || !last) throw new AppError('resource_not_found')
  const entries = Number(last.sequence) + 1
  const frames: Uint8Array[] = []
  let next = from
  for (let bytes = 0; next < entries && bytes < limitBytes; ) {
    const rows = await tx
      .selectFrom('log_entry')
      .select('bytes')
      .where('org_id', '=', tx.orgId)
      .where('sequence', '>=', BigInt(next))
      .orderBy('sequence')
      .limit(BLOCK_ENTRIES)
      .execute()
    for (const row of rows) {
      if (bytes >= limitBytes) break
      const frame = frameOf(new Uint8Array(row.bytes))
      frames.push(frame)
      bytes += frame.length
      next++
    }
  }
  const notes = await tx
    .selectFrom('log_checkpoint')
    .select(['size', 'note'])
    .where('org_id', '=', tx.orgId)
    // Signers may have witnessed more since the end of the log was read above: beside this log that would look as if it were cut short.
    .where('size', '<=', BigInt(entries))
    .orderBy('size', 'desc')
    .limit(CHECKPOINTS_MAX)
    .execute()
  return {
    log: Buffer.from(concatBytes(...frames)).toString('base64'),
    next: next < entries ? next : null,
    entries,
    checkpoints: notes.map(({ size, note }) => ({ size: Number(size), note })),
    file_name: `holdfast-log-${entries}`,
    fingerprint: toHex(organisation.genesis_hash),
  }
}

function frameOf(entry: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, entry.length)
  return concatBytes(length, entry)
}
