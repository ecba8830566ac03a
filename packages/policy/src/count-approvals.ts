import { toHex } from '@holdfast/encoding'
import { type Approval, askersOf, type Intent, type MachineSignature } from '@holdfast/intent'
import { known } from '@holdfast/units'
import { checkApproval } from './check-approval.ts'
import { checkMachineSignature } from './people/check-machine.ts'
import { eligibleIn, fillSteps, mayStopFor, type Step, stepsFor } from './evaluate/steps.ts'
import { isAmong } from './people/is-among.ts'
import { asksUnsigned, partyOfMachine } from './people/machines.ts'
import { findSpeaker, type Speaker } from './people/speaker.ts'
import type { Policy } from './policy.ts'

/**
 * Who has spoken. `met` is true only where distinct eligible people fill every step, co-signers fill theirs, nobody eligible rejected, and the machine that asks,
 * if one does, signed that it asks; `filled` says who stands in which step.
 */
export type Tally = { met: boolean; approvedBy: Speaker[]; rejectedBy: Speaker[]; missing: number; filled: Uint8Array[][] }

/**
 * Counts distinct people, and machines where they stand. Every approval given must be valid (throws ApprovalRefused otherwise): a bundle with a bad
 * approval in it is not one to reason about. Whoever asked is never eligible, whatever keys they hold, but in the step of those who ask.
 */
export function countApprovals(input: {
  policy: Policy
  directory?: Policy
  intent: Intent
  approvals: readonly Approval[]
  /** What machines signed of the order. */
  machines?: readonly MachineSignature[]
  /** The clock of whoever decides: a machine that has expired by then counts no more. */
  atMs?: number
  steps: readonly Step[]
  /** Whose no is enough, where those are more than the people of the steps. */
  mayStop?: readonly Uint8Array[]
  /** For proofs of the past: see `checkApproval`. */
  allowsEarlierWords?: boolean
}): Tally {
  const { policy, intent, approvals, machines = [], atMs, allowsEarlierWords = false } = input
  const steps = stepsFor(input.steps, askersOf(intent))
  const eligible = eligibleIn(steps)
  const mayStop = mayStopFor(input.mayStop ?? eligible, steps, askersOf(intent))
  const approvedBy = new Map<string, Speaker>()
  const rejectedBy = new Map<string, Speaker>()
  const hear = (speaker: Speaker, isNo: boolean) => {
    if (isAmong(isNo ? mayStop : eligible, speaker.id)) (isNo ? rejectedBy : approvedBy).set(toHex(speaker.id), speaker)
  }
  for (const approval of approvals) hear(checkApproval(approval, intent, policy, input.directory, { allowsEarlierWords }), approval.decision !== 'approve')
  for (const signed of machines) {
    const party = partyOfMachine(checkMachineSignature(signed, intent, policy, atMs))
    hear(known(findSpeaker(policy, party), 'a machine of the policy'), signed.decision === 'reject')
  }
  const { filled, missing: missingInSteps } = fillSteps(
    steps,
    [...approvedBy.values()].map(({ id }) => id),
  )
  // The signature by which a rule passes an order is missing once, not twice.
  const isCounted = steps.some((step, i) => step.isAskers && (filled[i] ?? []).length < step.need)
  const lacksAsk = isUnasked(policy, intent, machines) && !isCounted
  const missing = missingInSteps + (lacksAsk ? 1 : 0)
  const asksForPeople = steps.length > 0 && steps.every(({ need }) => need >= 1)
  const met = asksForPeople && missing === 0 && rejectedBy.size === 0
  return { met, approvedBy: [...approvedBy.values()], rejectedBy: [...rejectedBy.values()], missing, filled }
}

/** Whether an order names a machine that signs what it asks for, and none of what was signed, each of which was checked, says so. */
const isUnasked = (policy: Policy, { initiator }: Intent, machines: readonly MachineSignature[]): boolean =>
  (findSpeaker(policy, initiator)?.isMachine ?? false) && !asksUnsigned(policy, initiator) && !machines.some(({ decision }) => decision === 'ask')
