import { equalBytes } from '@holdfast/encoding'
import { type Intent, type MachineSignature, seatOf, type Vote } from '@holdfast/intent'
import {
  ApprovalRefused,
  checkApproval,
  countApprovals,
  decidersOf,
  machineOfParty,
  oneStep,
  type Policy,
  type Step,
  stoppersOf,
  type Tally,
} from '@holdfast/policy'

/**
 * Steps of people who must approve, with the keys that the version `directory` names. `eligible` is everybody who counts, in a step or by a no; `threshold` how
 * many people all steps need.
 */
export type Quorum = { directory: Policy; steps: readonly Step[]; eligible: readonly Uint8Array[]; threshold: number }

/** Who decides an order that no rule decides: those who govern by a policy, or approve its part of the workspace, except the requester. */
export function governanceQuorum(intent: Extract<Intent, { initiator: Uint8Array }>, policy: Policy): Quorum {
  const { approvers, threshold } = decidersOf(policy, intent)
  const others = (people: readonly Uint8Array[]) => people.filter((id) => !equalBytes(id, intent.initiator))
  return { directory: policy, steps: oneStep(others(approvers), threshold), eligible: others(stoppersOf(policy, intent)), threshold: Number(threshold) }
}

/** The people among those who count: an order that waits for a machine waits in nobody's list for it. */
export const peopleAmong = (policy: Policy, parties: readonly Uint8Array[]): Uint8Array[] => parties.filter((id) => machineOfParty(policy, id) === undefined)

export function isIn({ eligible }: Pick<Quorum, 'eligible'>, person: Uint8Array): boolean {
  return eligible.some((id) => equalBytes(id, person))
}

/** The fault of an approval by the keys of a quorum, if any. */
export function faultOf(approval: Vote, intent: Intent, current: Policy, { directory }: Quorum): ApprovalRefused | undefined {
  try {
    checkApproval(approval, intent, current, directory)
    return undefined
  } catch (cause) {
    if (cause instanceof ApprovalRefused) return cause
    throw cause
  }
}

/** The approvals that count in a quorum: given by its people, with keys of its version. */
export function countedIn(quorum: Quorum, approvals: readonly Vote[], intent: Intent, current: Policy): Vote[] {
  return approvals.filter((approval) => isIn(quorum, seatOf(approval)) && faultOf(approval, intent, current, quorum) === undefined)
}

/** The progress of a quorum, with what machines signed of an order. */
export function tallyOf(quorum: Quorum, approvals: readonly Vote[], intent: Intent, current: Policy, machines: readonly MachineSignature[] = []): Tally {
  const { directory, steps, eligible } = quorum
  return countApprovals({ policy: current, directory, steps, mayStop: eligible, intent, machines, approvals: countedIn(quorum, approvals, intent, current) })
}
