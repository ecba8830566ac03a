import type { Language, OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { availableIn, brokenText, currentPolicy, placesOf, readDirectory } from '@holdfast/features/policy/server'
import { uuidToBytes } from '@holdfast/units'
import type { getAvailability } from '../contract.ts'
import { absenceGaps } from './absence-gaps.ts'
import { breaksWithout } from './guards.ts'
import { readOutOfOffice } from './out-of-office.ts'

/** Somebody of whom nobody has heard for so long may not be there any more. */
const SILENT_MS = 30 * 86_400_000

type Asked = { nowMs: number; language: Language; lastSeen: ReadonlyMap<string, number> }

/** Which approvals nobody can complete while people are away, and who is to approve and has neither been seen nor decided anything for thirty days. */
export async function readAvailability(tx: OrganisationTx, { nowMs, language, lastSeen }: Asked): Promise<OutputOf<typeof getAvailability>> {
  const { policy } = await currentPolicy(tx)
  const away = await readOutOfOffice(tx, nowMs)
  const absences = [...away].map(([id, { from, to }]) => ({ person: uuidToBytes(id), fromMs: from, toMs: to }))
  const gaps = absenceGaps(policy, availableIn(await readDirectory(tx)), absences, nowMs)
  const silent = []
  for (const { id, name, heardMs } of await readSilent(tx, { nowMs, lastSeen })) {
    const approves = placesOf(policy, uuidToBytes(id)).some(({ as }) => as === 'approver' || as === 'governor')
    if (approves) silent.push({ user_id: id, name, since: heardMs, breaks: await breaksWithout(tx, id, language) })
  }
  return { gaps: gaps.map(({ broken, fromMs, toMs }) => ({ text: brokenText([broken], policy, language).join(''), from: fromMs, until: toMs })), silent }
}

/** Active members who have neither been seen nor decided anything for thirty days, and when they were heard of last. */
export async function readSilent(tx: OrganisationTx, { nowMs, lastSeen }: Omit<Asked, 'language'>): Promise<{ id: string; name: string; heardMs: number }[]> {
  const words = await tx
    .selectFrom('approval')
    .select((row) => ['person_id', row.fn.max('created_at').as('at')])
    .where('org_id', '=', tx.orgId)
    .groupBy('person_id')
    .execute()
  const spoken = new Map<string, number>(words.map(({ person_id: id, at }) => [id, Number(at)]))
  const people = await tx.selectFrom('person').selectAll().where('org_id', '=', tx.orgId).where('state', '=', 'active').orderBy('name').execute()
  return people
    .map(({ id, name, created_at, last_login_at }) => ({
      id,
      name,
      heardMs: Math.max(Number(created_at), Number(last_login_at ?? 0), lastSeen.get(id) ?? 0, spoken.get(id) ?? 0),
    }))
    .filter(({ heardMs }) => nowMs - heardMs >= SILENT_MS)
}
