import { type Quorum, tallyOf } from '@holdfast/features/proposal/server'
import type { Approval } from '@holdfast/intent'
import { neededIn, type Policy, quorumsOfChange as askedBySigners, type Tally } from '@holdfast/policy'
import type { PolicyChange } from './policy-change.ts'

/**
 * People of whom so many must approve a change: those who govern now and, where they are to be others, those who will; and those of each part that it touches.
 */
export type ChangeQuorum = Quorum & { name: ReturnType<typeof askedBySigners>[number]['of'] }

/** The quorums a change needs, as signers count them. The person who asks is in none. */
export function quorumsOfChange({ intent, next }: Pick<PolicyChange, 'intent' | 'next'>, current: Policy): [ChangeQuorum, ...ChangeQuorum[]] {
  const asked = askedBySigners(current, next, intent.initiator).map(({ of, directory, steps, mayStop }) => ({
    name: of,
    directory,
    steps,
    eligible: mayStop,
    threshold: neededIn(steps),
  }))
  return asked as [ChangeQuorum, ...ChangeQuorum[]]
}

/** How far each quorum is. */
export function tallies(change: PolicyChange, current: Policy, approvals: readonly Approval[]): { quorum: ChangeQuorum; tally: Tally }[] {
  return quorumsOfChange(change, current).map((quorum) => ({ quorum, tally: tallyOf(quorum, approvals, change.intent, current) }))
}
