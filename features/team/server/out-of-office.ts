import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { availableIn, currentPolicy, readDirectory } from '@holdfast/features/policy/server'
import { announce } from '@holdfast/jobs'
import { uuidToBytes } from '@holdfast/units'
import type { saveOutOfOffice as endpoint } from '../contract.ts'
import { type Around, gapsBy } from './absence-gaps.ts'
import { gapText, readStandIns } from './delegation/stand-ins.ts'
import type { Actor } from './guards.ts'

export type OutOfOffice = { from: number; to: number; delegate: { user_id: string; name: string } | null; note: string; now: boolean }

const LONGEST_MS = 366 * 86_400_000

/** Who is not there, now or later, by person. */
export async function readOutOfOffice(tx: OrganisationTx, nowMs: number): Promise<ReadonlyMap<string, OutOfOffice>> {
  const rows = await tx
    .selectFrom('absence')
    .leftJoin('person', (join) => join.onRef('person.org_id', '=', 'absence.org_id').onRef('person.id', '=', 'absence.deputy'))
    .select(['absence.person_id', 'absence.from_at', 'absence.to_at', 'absence.note', 'absence.deputy', 'person.name'])
    .where('absence.org_id', '=', tx.orgId)
    .where('absence.ended_at', 'is', null)
    .where('absence.to_at', '>', BigInt(nowMs))
    .execute()
  return new Map(
    rows.map(({ person_id: personId, from_at, to_at, note, deputy, name }) => {
      const delegate = deputy === null ? null : { user_id: deputy, name: name ?? '' }
      return [personId, { from: Number(from_at), to: Number(to_at), delegate, note, now: Number(from_at) <= nowMs }]
    }),
  )
}

/** Who is there, and the same with who decides for whom, as a policy is held against it. */
export async function readAround(tx: OrganisationTx, nowMs: number): Promise<Around> {
  const absences = [...(await readOutOfOffice(tx, nowMs))].map(([id, { from, to }]) => ({ person: uuidToBytes(id), fromMs: from, toMs: to }))
  return { available: availableIn(await readDirectory(tx)), absences, standIns: await readStandIns(tx, nowMs) }
}

/** Who is not there now, until when, and whom they say to ask meanwhile, by person. */
export async function readAbsentNow(tx: OrganisationTx, nowMs: number): Promise<ReadonlyMap<string, { untilMs: number; ask: string | null }>> {
  const absent = [...(await readOutOfOffice(tx, nowMs))].filter(([, { now }]) => now)
  return new Map(absent.map(([personId, { to, delegate }]) => [personId, { untilMs: to, ask: delegate?.name ?? null }]))
}

/**
 * Says when the caller will not be there. Nothing is decided by it and nobody gets a vote: others see it where they wait for the caller. Answers
 * the approvals that nobody could complete without them, and without whoever else is away then, as sentences, with who decides in
 * their place where that is enough. Throws AppError.
 */
export async function saveOutOfOffice(
  tx: OrganisationTx,
  needs: Pick<ServerContext, 'ports'>,
  actor: Actor,
  input: InputOf<typeof endpoint>,
): Promise<string[]> {
  const { from, to, delegate = null, note } = input
  const nowMs = needs.ports.clock.nowMs()
  const refuse = (field: string, reason: string) => new AppError('invalid_parameters', { details: { field, reason } })
  if (to <= Math.max(from, nowMs)) throw refuse('to', 'it must be later than the beginning and than now')
  if (to - from > LONGEST_MS) throw refuse('to', 'it must be within a year')
  if (delegate === actor.personId) throw refuse('delegate', 'it must be somebody else')
  if (delegate !== null) {
    const deputy = await tx.selectFrom('person').select('state').where('org_id', '=', tx.orgId).where('id', '=', delegate).executeTakeFirst()
    if (!deputy) throw new AppError('resource_not_found')
    if (deputy.state !== 'active') throw refuse('delegate', 'it must be an active member')
  }
  const values = { from_at: from, to_at: to, deputy: delegate, note, ended_at: null, updated_at: nowMs }
  await tx
    .insertInto('absence')
    .values({ org_id: tx.orgId, person_id: actor.personId, ...values })
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id']).doUpdateSet(values))
    .execute()
  const { policy } = await currentPolicy(tx)
  const gaps = gapsBy(uuidToBytes(actor.personId), policy, await readAround(tx, nowMs), nowMs)
  const warnings = new Set(gaps.map(({ broken, standIns }) => gapText({ broken, standIns }, policy, actor.language)))
  await announce(tx, needs.ports, 'member.changed', { person_id: actor.personId })
  return [...warnings]
}

/** Says that the caller is back; nothing if they are there already. */
export async function endOutOfOffice(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, { personId }: Actor): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  const { numUpdatedRows } = await tx
    .updateTable('absence')
    .set({ ended_at: nowMs, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .where('to_at', '>', BigInt(nowMs))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await announce(tx, needs.ports, 'member.changed', { person_id: personId })
}
