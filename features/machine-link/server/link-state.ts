import type { OrganisationTx } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import { readMark, type SignedMark, signedMarkShape } from '@holdfast/protocol/co-signer-calls'

/** When a co-signer was here last, and in which version. */
export type Seen = { version: string; seenAt: number }

/** The newest mark that a co-signer gave; null where it was never here. */
export async function newestMark(tx: OrganisationTx, machineId: string): Promise<SignedMark | null> {
  const row = await tx.selectFrom('machine_link').select('mark').where('org_id', '=', tx.orgId).where('machine_id', '=', machineId).executeTakeFirst()
  return row ? readMark(new Uint8Array(row.mark)) : null
}

/** Writes that a co-signer is here, with its mark. An older mark never takes the place of a newer one. */
export async function noteSeen(
  tx: OrganisationTx,
  machineId: string,
  { version, mark, nowMs }: { version: string; mark: SignedMark; nowMs: number },
): Promise<void> {
  const { position: place } = mark.mark
  const row = { org_id: tx.orgId, machine_id: machineId, version, seen_at: nowMs, place, mark: encode(signedMarkShape, mark) }
  await tx
    .insertInto('machine_link')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'machine_id']).doUpdateSet((set) => ({
        version,
        seen_at: nowMs,
        place: set.fn('greatest', ['machine_link.place', 'excluded.place']),
        mark: set.case().when('excluded.place', '>=', set.ref('machine_link.place')).then(set.ref('excluded.mark')).else(set.ref('machine_link.mark')).end(),
      })),
    )
    .execute()
}

/** Writes that a co-signer is here still. */
export async function noteStillHere(tx: OrganisationTx, machineId: string, nowMs: number): Promise<void> {
  await tx.updateTable('machine_link').set({ seen_at: nowMs }).where('org_id', '=', tx.orgId).where('machine_id', '=', machineId).execute()
}

/** The co-signers that were ever here, by the id of the machine. */
export async function readSeen(tx: OrganisationTx): Promise<Map<string, Seen>> {
  const rows = await tx.selectFrom('machine_link').select(['machine_id', 'version', 'seen_at']).where('org_id', '=', tx.orgId).execute()
  return new Map(rows.map((row) => [row.machine_id, { version: row.version, seenAt: Number(row.seen_at) }]))
}
