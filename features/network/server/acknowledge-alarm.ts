import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import type { AlarmCause } from './halts.ts'

/** The alarms that a person ends by having seen them. Others end when what is wrong is no more. */
export const SEEN_BY_PEOPLE = ['surplus', 'untold', 'odd_log', 'uncredited'] as const satisfies readonly AlarmCause[]
export type SeenCause = (typeof SEEN_BY_PEOPLE)[number]

type Named = { chain: string; contract: string; cause: SeenCause; place: string; personId: string }

/**
 * Says that a person has seen an alarm: it ends, and who said so is kept. It comes again where the same happens again; a surplus, where it is larger
 * than what was
 * accepted. Returns when that was. Throws `state_changed` if no such alarm is open.
 */
export async function acknowledgeAlarm(
  tx: OrganisationTx,
  { clock }: Pick<Ports, 'clock'>,
  { chain, contract, cause, place, personId }: Named,
): Promise<number> {
  const alarms = tx.selectFrom('asset_alarm').selectAll().where('org_id', '=', tx.orgId).where('chain', '=', chain).where('contract', '=', contract)
  const row = await alarms.where('cause', '=', cause).where('place', '=', place).where('over_at', 'is', null).forUpdate().executeTakeFirst()
  if (!row) throw new AppError('state_changed')
  const nowMs = Math.max(clock.nowMs(), Number(row.since_at))
  await tx
    .updateTable('asset_alarm')
    .set({ over_at: nowMs, acknowledged_by: personId, acknowledged_at: nowMs, ...(row.excess !== null && { accepted: row.excess }) })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('cause', '=', cause)
    .where('place', '=', place)
    .execute()
  return nowMs
}

/** By how much more an address may have than the ledger says without anybody being told: what a person accepted. */
export async function acceptedSurplus(tx: OrganisationTx, { chain, contract, place }: { chain: string; contract: string; place: string }): Promise<bigint> {
  const row = await tx
    .selectFrom('asset_alarm')
    .select('accepted')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('cause', '=', 'surplus')
    .where('place', '=', place)
    .executeTakeFirst()
  return row?.accepted ?? 0n
}

/** Takes back what was accepted, down to what is there now: what went away must be told of if it comes again. */
export async function lowerAccepted(
  tx: OrganisationTx,
  { chain, contract, place }: { chain: string; contract: string; place: string },
  to: bigint,
): Promise<void> {
  await tx
    .updateTable('asset_alarm')
    .set({ accepted: to })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .where('cause', '=', 'surplus')
    .where('place', '=', place)
    .where('accepted', '>', to)
    .execute()
}
