import { equalBytes } from '@holdfast/encoding'
import type { Approval, Intent } from '@holdfast/intent'
import { ApprovalRefused, checkApproval, countApprovals, type Policy, type Tally } from '@holdfast/policy'

/** A group of people and how many of them must approve, with the keys that the version `directory` names. */
export type Quorum = { directory: Policy; eligible: Uint8Array[]; threshold: number }

/** The people who govern by a policy, except the requester. */
export function governanceQuorum({ initiator }: Pick<Intent, 'initiator'>, policy: Policy): Quorum {
  const { approvers, threshold } = policy.governance
  return { directory: policy, eligible: approvers.filter((id) => !equalBytes(id, initiator)), threshold: Number(threshold) }
}

export function isIn({ eligible }: Pick<Quorum, 'eligible'>, person: Uint8Array): boolean {
  return eligible.some((id) => equalBytes(id, person))
}

/** The fault of an approval by the keys of a quorum, if any. */
export function faultOf(approval: Approval, intent: Intent, current: Policy, { directory }: Quorum): ApprovalRefused | undefined {
  try {
    checkApproval(approval, intent, current, directory)
    return undefined
  } catch (cause) {
    if (cause instanceof ApprovalRefused) return cause
    throw cause
  }
}

/** The approvals that count in a quorum: given by its people, with keys of its version. */
export function countedIn(quorum: Quorum, approvals: readonly Approval[], intent: Intent, current: Policy): Approval[] {
  return approvals.filter((approval) => isIn(quorum, approval.person) && faultOf(approval, intent, current, quorum) === undefined)
}

/** The progress of a quorum. */
export function tallyOf(quorum: Quorum, approvals: readonly Approval[], intent: Intent, current: Policy): Tally {
  return countApprovals({ ...quorum, policy: current, intent, approvals: countedIn(quorum, approvals, intent, current) })
}
