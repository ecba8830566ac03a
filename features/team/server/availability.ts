import type { Language, OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { type BrokenQuorum, brokenText, currentPolicy, placesOf } from '@holdfast/features/policy/server'
import type { Policy } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import type { getAvailability } from '../contract.ts'
import { absenceGaps, brokenTogether, type Gap } from './absence-gaps.ts'
import { readStandIns, standInText } from './delegation/stand-ins.ts'
import { breaksWithout } from './guards.ts'
import { readAround } from './out-of-office.ts'

/** Somebody of whom nobody has heard for so long may not be there any more. */
const SILENT_MS = 30 * 86_400_000

type Asked = { nowMs: number; language: Language; lastSeen: ReadonlyMap<string, number> }

/** Which approvals nobody can complete while people are away, and who is to approve and has neither been seen nor decided anything for thirty days. */
export async function readAvailability(tx: OrganisationTx, { nowMs, language, lastSeen }: Asked): Promise<OutputOf<typeof getAvailability>> {
  const { policy } = await currentPolicy(tx)
  const silent = []
  for (const { id, name, heardMs } of await readSilent(tx, { nowMs, lastSeen })) {
    const approves = placesOf(policy, uuidToBytes(id)).some(({ as }) => as === 'approver' || as === 'governor')
    if (approves) silent.push({ user_id: id, name, since: heardMs, breaks: await breaksWithout(tx, id, language) })
  }
  const deciding = await readStandIns(tx, nowMs)
  const { gaps, together } = await readShortages(tx, policy, { nowMs, silent: silent.map((each) => each.user_id) })
  const decidedNow = (id: string) =>
    deciding
      .filter(({ delegator, fromMs }) => fromMs <= nowMs && bytesToUuid(delegator) === id)
      .map((each) => standInText(each, policy, language))
      .at(0) ?? null
  const textOf = (broken: BrokenQuorum) => brokenText([broken], policy, language).join('')
  return {
    gaps: gaps.map(({ broken, fromMs, toMs, standIns }) => ({
      text: textOf(broken),
      from: fromMs,
      until: toMs,
      decided: standIns.map((each) => standInText(each, policy, language)),
    })),
    silent: silent.map((each) => ({ ...each, decided: decidedNow(each.user_id) })),
    together: together.map(textOf),
  }
}

/** Approvals that people may be too few for: while some are away who say so, and if all of those are gone of whom nothing was heard. */
export type Shortages = { gaps: Gap[]; together: BrokenQuorum[] }

/** What nobody could complete by a policy, in force or drafted, while people are away, or if those of whom nothing was heard were all gone. */
export async function readShortages(tx: OrganisationTx, policy: Policy, { nowMs, silent }: { nowMs: number; silent: readonly string[] }): Promise<Shortages> {
  const around = await readAround(tx, nowMs)
  return { gaps: absenceGaps(policy, around, nowMs), together: brokenTogether(policy, around.available, silent.map(uuidToBytes)) }
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
