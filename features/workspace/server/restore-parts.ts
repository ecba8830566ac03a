import { deputiesOf, findPerson, inThirdForm, listingCoolingMs, type PartName, type Policy, type Who } from '@holdfast/policy'
import { COOLING_HOURS_MAX, DELAY_HOURS_MAX, type WorkspaceDraft } from '../contract.ts'
import { whoView } from './parts-in-force.ts'

const HOUR_MS = 3_600_000n

/**
 * The approvers of parts and the waits of an earlier version as a draft on top of `policy`. A part whose people or groups `policy` no longer knows, or whose
 * people have no approval key in it, is left out: it stays with those who govern until somebody names others.
 */
export function restoredParts(former: Policy, policy: Policy): { draft: WorkspaceDraft; left_out: PartName[] } {
  const { parts, looseningDelayMs } = inThirdForm(former)
  const { groups } = inThirdForm(policy)
  const isKnown = (each: Who) => (each.kind === 'group' ? groups.some(({ id }) => id === each.id) : (findPerson(policy, each.id)?.credentials.length ?? 0) > 0)
  const whole = parts.filter(({ who }) => who.every(isKnown))
  const hours = Number(looseningDelayMs / HOUR_MS)
  return {
    draft: {
      base_version: Number(policy.version),
      // A version of an earlier form had no wait; the shortest that can be said stands in for it.
      delay_h: Math.min(Math.max(hours, 1), DELAY_HOURS_MAX),
      cooling_h: Math.min(Math.ceil(listingCoolingMs(former) / Number(HOUR_MS)), COOLING_HOURS_MAX),
      // Whom the policy in force no longer knows cannot stand in.
      deputies: deputiesOf(former).filter(isKnown).map(whoView),
      parts: whole.map(({ part, need, who }) => ({
        key: part as PartName,
        need: Number(need),
        who: who.map(whoView),
      })),
    },
    left_out: parts.filter((each) => !whole.includes(each)).map(({ part }) => part as PartName),
  }
}
