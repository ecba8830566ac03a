import { equalBytes } from '@holdfast/encoding'
import { type BrokenQuorum, newlyBroken, withoutPeople } from '@holdfast/features/policy/server'
import type { Policy } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'

type Available = Parameters<typeof withoutPeople>[0]
/** Somebody who says that they will not be there. */
export type Absence = { person: Uint8Array; fromMs: number; toMs: number }
/** An approval that nobody can complete from one moment to another, because people say that they will not be there; `away` are the ids of those. */
export type Gap = { broken: BrokenQuorum; fromMs: number; toMs: number; away: string[] }

/** What nobody can complete, and when, from now on, while those are away who say so. What nobody could complete anyway is not among it. */
export function absenceGaps(policy: Policy, available: Available, absences: readonly Absence[], nowMs: number): Gap[] {
  const moments = [nowMs, ...absences.flatMap(({ fromMs, toMs }) => [fromMs, toMs])].filter((each) => each >= nowMs)
  const edges = [...new Set(moments)].sort((a, b) => a - b)
  const gaps: Gap[] = []
  for (const [i, fromMs] of edges.entries()) {
    const toMs = edges[i + 1]
    if (toMs === undefined) break
    const gone = absences.filter((each) => each.fromMs <= fromMs && each.toMs >= toMs).map(({ person }) => person)
    const away = gone.map(bytesToUuid)
    for (const broken of newlyBroken(policy, available, withoutPeople(available, gone))) {
      const before = gaps.find((gap) => gap.toMs === fromMs && isSamePlace(gap.broken, broken))
      if (before) Object.assign(before, { toMs, away: [...new Set([...before.away, ...away])] })
      else gaps.push({ broken, fromMs, toMs, away })
    }
  }
  return gaps
}

/** The same as far as one person makes it so: what nobody can complete while they are away, and could, or for less long, if they were there. */
export function gapsBy(person: Uint8Array, ...[policy, available, absences, nowMs]: Parameters<typeof absenceGaps>): Gap[] {
  const others = absenceGaps(
    policy,
    available,
    absences.filter((each) => !equalBytes(each.person, person)),
    nowMs,
  )
  const isOthers = (gap: Gap) => others.some((each) => isSamePlace(each.broken, gap.broken) && each.fromMs <= gap.fromMs && each.toMs >= gap.toMs)
  return absenceGaps(policy, available, absences, nowMs).filter((gap) => !isOthers(gap))
}

/** What nobody could complete if all of these people were gone, and could without any one of them. */
export function brokenTogether(policy: Policy, available: Available, people: readonly Uint8Array[]): BrokenQuorum[] {
  const alone = people.flatMap((each) => newlyBroken(policy, available, withoutPeople(available, [each])))
  return newlyBroken(policy, available, withoutPeople(available, people)).filter((each) => !alone.some((one) => isSamePlace(one, each)))
}

const isSamePlace = (one: BrokenQuorum, other: BrokenQuorum): boolean => one.where === other.where && one.id === other.id
