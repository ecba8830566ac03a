import { equalBytes } from '@holdfast/encoding'
import type { Approval } from '@holdfast/intent'
import { ApprovalRefused, checkApproval, countApprovals, type Policy, type Tally } from '@holdfast/policy'
import type { PolicyChange } from './policy-change.ts'

/** People of whom so many must approve a change: those who govern now and, where they are to be others, those who will. */
export type ChangeQuorum = { name: 'current' | 'next'; directory: Policy; eligible: Uint8Array[]; threshold: number }

/** The quorums a change needs, as checkPolicyChange of packages/policy counts them. The person who asks is in none. */
export function quorumsOfChange({ intent, next }: Pick<PolicyChange, 'intent' | 'next'>, current: Policy): ChangeQuorum[] {
  const quorum = (name: ChangeQuorum['name'], directory: Policy): ChangeQuorum => ({
    name,
    directory,
    eligible: directory.governance.approvers.filter((id) => !equalBytes(id, intent.initiator)),
    threshold: Number(directory.governance.threshold),
  })
  const isSame =
    current.governance.approvers.length === next.governance.approvers.length &&
    current.governance.approvers.every((id) => next.governance.approvers.some((other) => equalBytes(id, other)))
  return isSame ? [quorum('current', current)] : [quorum('current', current), quorum('next', next)]
}

/** The approvals that count in a quorum: given by its people, with keys of its version. */
export function countedIn({ directory, eligible }: ChangeQuorum, approvals: readonly Approval[], change: PolicyChange, current: Policy): Approval[] {
  return approvals.filter((approval) => {
    if (!eligible.some((id) => equalBytes(id, approval.person))) return false
    try {
      checkApproval(approval, change.intent, current, directory)
      return true
    } catch (cause) {
      if (cause instanceof ApprovalRefused) return false
      throw cause
    }
  })
}

/** How far each quorum is. */
export function tallies(change: PolicyChange, current: Policy, approvals: readonly Approval[]): { quorum: ChangeQuorum; tally: Tally }[] {
  return quorumsOfChange(change, current).map((quorum) => ({
    quorum,
    tally: countApprovals({
      policy: current,
      directory: quorum.directory,
      intent: change.intent,
      approvals: countedIn(quorum, approvals, change, current),
      eligible: quorum.eligible,
      threshold: quorum.threshold,
    }),
  }))
}
