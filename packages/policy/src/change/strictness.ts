import { eligibleIn, oneStep, type Step } from '../evaluate/steps.ts'
import { peopleMeant } from '../people/who.ts'
import type { Policy } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { areAmong, isAtMost } from './compare.ts'

type Stopping = { mayStop: readonly Uint8Array[]; expiresAfterMs: bigint | null }

/** What a rule asks before it lets anything through. `askers` are those whom a rule of the first forms lets ask: it denies others, and asks no further rule. */
export type Demand =
  | { kind: 'refuse' }
  | ({ kind: 'pass'; fees: ReadonlyMap<string, bigint>; coSigner: string | null } & Stopping)
  | ({ kind: 'approve'; steps: readonly Step[]; delayMs: bigint; askers: readonly Uint8Array[] | null } & Stopping)

/** What a rule of a policy asks. */
export function demandOf(rule: Rule, policy: Policy): Demand {
  if (rule.kind !== 'named') {
    const { approvers, threshold, initiators } = rule
    return { kind: 'approve', steps: oneStep(approvers, threshold), delayMs: 0n, askers: initiators, mayStop: [], expiresAfterMs: null }
  }
  const { action } = rule
  if (action.kind === 'refuse') return { kind: 'refuse' }
  const stopping = { mayStop: peopleMeant(policy, action.mayStop), expiresAfterMs: action.expiresAfterMs === 0n ? null : action.expiresAfterMs }
  if (action.kind !== 'approve') {
    const fees = new Map(action.fees.map(({ chain, max }) => [chain, max]))
    return { kind: 'pass', fees, coSigner: action.kind === 'checked' ? action.machine : null, ...stopping }
  }
  const steps = action.steps.map(({ need, who }) => ({ need: Number(need), eligible: peopleMeant(policy, who) }))
  return { kind: 'approve', steps, delayMs: action.delayMs, askers: null, ...stopping }
}

/**
 * Whether whatever satisfies one demand satisfies the other as well: at least as many of the same people in each step, no shorter delay, no longer life, and
 * nobody fewer whose no was enough by name. Whoever stands in a step no more says no no more: otherwise nobody could be taken out of a rule at once.
 */
export function isAsStrict(after: Demand, before: Demand): boolean {
  if (after.kind === 'refuse') return true
  if (before.kind === 'refuse' || after.kind !== before.kind || !isAtMost(after.expiresAfterMs, before.expiresAfterMs)) return false
  if (after.kind === 'pass' && before.kind === 'pass')
    return (
      hasCoSigner(after, before) && areAmong(before.mayStop, after.mayStop) && [...after.fees].every(([chain, max]) => max <= (before.fees.get(chain) ?? -1n))
    )
  if (after.kind !== 'approve' || before.kind !== 'approve') return false
  if (before.askers !== null && !(after.askers !== null && areAmong(after.askers, before.askers))) return false
  const stoppers = [...after.mayStop, ...eligibleIn(after.steps)]
  return after.delayMs >= before.delayMs && areAmong(before.mayStop, stoppers) && hasEachStep(after.steps, before.steps)
}

const hasCoSigner = (after: { coSigner: string | null }, before: { coSigner: string | null }): boolean =>
  before.coSigner === null || before.coSigner === after.coSigner

/** Whether each of some steps has one of its own among others that asks for as many of no other people. */
function hasEachStep(after: readonly Step[], before: readonly Step[]): boolean {
  const [first, ...others] = before
  if (!first) return true
  return after.some((step, i) => step.need >= first.need && areAmong(step.eligible, first.eligible) && hasEachStep(after.toSpliced(i, 1), others))
}
