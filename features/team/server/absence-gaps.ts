import { type BrokenQuorum, newlyBroken, withoutPeople } from '@holdfast/features/policy/server'
import type { Policy } from '@holdfast/policy'

type Available = Parameters<typeof withoutPeople>[0]
/** Somebody who says that they will not be there. */
export type Absence = { person: Uint8Array; fromMs: number; toMs: number }
/** An approval that nobody can complete from one moment to another, because people say that they will not be there. */
export type Gap = { broken: BrokenQuorum; fromMs: number; toMs: number }

/** What nobody can complete, and when, from now on, while those are away who say so. What nobody could complete anyway is not among it. */
export function absenceGaps(policy: Policy, available: Available, absences: readonly Absence[], nowMs: number): Gap[] {
  const moments = [nowMs, ...absences.flatMap(({ fromMs, toMs }) => [fromMs, toMs])].filter((each) => each >= nowMs)
  const edges = [...new Set(moments)].sort((a, b) => a - b)
  const gaps: Gap[] = []
  for (const [i, fromMs] of edges.entries()) {
    const toMs = edges[i + 1]
    if (toMs === undefined) break
    const away = absences.filter((each) => each.fromMs <= fromMs && each.toMs >= toMs).map(({ person }) => person)
    for (const broken of newlyBroken(policy, available, withoutPeople(available, away))) {
      const before = gaps.find((gap) => gap.toMs === fromMs && gap.broken.where === broken.where && gap.broken.id === broken.id)
      if (before) before.toMs = toMs
      else gaps.push({ broken, fromMs, toMs })
    }
  }
  return gaps
}
