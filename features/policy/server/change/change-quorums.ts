import { governanceQuorum, type Quorum, tallyOf } from '@holdfast/features/proposal/server'
import { equalBytes } from '@holdfast/encoding'
import type { Approval } from '@holdfast/intent'
import type { Policy, Tally } from '@holdfast/policy'
import type { PolicyChange } from './policy-change.ts'

/** People of whom so many must approve a change: those who govern now and, where they are to be others, those who will. */
export type ChangeQuorum = Quorum & { name: 'current' | 'next' }

/** The quorums a change needs, as checkPolicyChange of packages/policy counts them. The person who asks is in none. */
export function quorumsOfChange({ intent, next }: Pick<PolicyChange, 'intent' | 'next'>, current: Policy): [ChangeQuorum, ...ChangeQuorum[]] {
  const isSame =
    current.governance.approvers.length === next.governance.approvers.length &&
    current.governance.approvers.every((id) => next.governance.approvers.some((other) => equalBytes(id, other)))
  const now = { name: 'current' as const, ...governanceQuorum(intent, current) }
  return isSame ? [now] : [now, { name: 'next', ...governanceQuorum(intent, next) }]
}

/** How far each quorum is. */
export function tallies(change: PolicyChange, current: Policy, approvals: readonly Approval[]): { quorum: ChangeQuorum; tally: Tally }[] {
  return quorumsOfChange(change, current).map((quorum) => ({ quorum, tally: tallyOf(quorum, approvals, change.intent, current) }))
}
