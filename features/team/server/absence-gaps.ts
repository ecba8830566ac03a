import { equalBytes } from '@holdfast/encoding'
import { type BrokenQuorum, brokenQuorums, isSamePlace, newlyBroken, placesOf, withoutPeople } from '@holdfast/features/policy/server'
import type { Policy } from '@holdfast/policy'
import type { StandIn } from '@holdfast/policy/analysis'
import { bytesToUuid } from '@holdfast/units'

type Available = Omit<Parameters<typeof withoutPeople>[0], 'standIns'>
/** Somebody who says that they will not be there. */
export type Absence = { person: Uint8Array; fromMs: number; toMs: number }
/** Who decides in whose place, from one moment to another. */
export type TimedStandIn = StandIn & { fromMs: number; untilMs: number }
/** Who is there, and what people said of their absences: that they will be away, and who decides for them. */
export type Around = { available: Available; absences: readonly Absence[]; standIns: readonly TimedStandIn[] }
/**
 * An approval that nobody can complete from one moment to another, because people say that they will not be there; `away` are the ids of those. `standIns` is
 * empty, or says who decides for them all that time, so that it can be completed nevertheless.
 */
export type Gap = { broken: BrokenQuorum; fromMs: number; toMs: number; away: string[]; standIns: TimedStandIn[] }

/** What nobody can complete, and when, from now on, while those are away who say so. What nobody could complete anyway is not among it. */
export function absenceGaps(policy: Policy, { available, absences, standIns }: Around, nowMs: number): Gap[] {
  const times = [...absences.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), ...standIns.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])]
  const edges = [...new Set([nowMs, ...times.filter((each) => each >= nowMs)])].sort((a, b) => a - b)
  const gaps: Gap[] = []
  for (const [i, fromMs] of edges.entries()) {
    const toMs = edges[i + 1]
    if (toMs === undefined) break
    const gone = absences.filter((each) => each.fromMs <= fromMs && each.toMs >= toMs).map(({ person }) => person)
    const away = gone.map(bytesToUuid)
    const there = withoutPeople(available, gone)
    const deciding = standIns.filter((each) => each.fromMs <= fromMs && each.untilMs >= toMs && gone.some((id) => equalBytes(id, each.delegator)))
    const stillBroken = brokenQuorums(policy, { ...there, standIns: deciding })
    for (const broken of newlyBroken(policy, available, there)) {
      const isFor = ({ delegator }: StandIn) => placesOf(policy, delegator).some(({ of }) => isSamePlace(of, broken))
      const by = stillBroken.some((each) => isSamePlace(each, broken)) ? [] : deciding.filter(isFor)
      const before = gaps.find((gap) => gap.toMs === fromMs && isSamePlace(gap.broken, broken) && isSameList(gap.standIns, by))
      if (before) Object.assign(before, { toMs, away: [...new Set([...before.away, ...away])] })
      else gaps.push({ broken, fromMs, toMs, away, standIns: by })
    }
  }
  return gaps
}

/** The same as far as one person makes it so: what nobody can complete while they are away, and could, or for less long, if they were there. */
export function gapsBy(person: Uint8Array, policy: Policy, around: Around, nowMs: number): Gap[] {
  const others = absenceGaps(policy, { ...around, absences: around.absences.filter((each) => !equalBytes(each.person, person)) }, nowMs)
  const isOthers = (gap: Gap) =>
    others.some(
      (each) =>
        isSamePlace(each.broken, gap.broken) && each.fromMs <= gap.fromMs && each.toMs >= gap.toMs && (each.standIns.length === 0 || gap.standIns.length > 0),
    )
  return absenceGaps(policy, around, nowMs).filter((gap) => !isOthers(gap))
}

/** What nobody could complete if all of these people were gone, and could without any one of them. */
export function brokenTogether(policy: Policy, available: Available, people: readonly Uint8Array[]): BrokenQuorum[] {
  const alone = people.flatMap((each) => newlyBroken(policy, available, withoutPeople(available, [each])))
  return newlyBroken(policy, available, withoutPeople(available, people)).filter((each) => !alone.some((one) => isSamePlace(one, each)))
}

const isSameList = <T>(some: readonly T[], others: readonly T[]): boolean => some.length === others.length && some.every((each, i) => each === others[i])
