import { toHex } from '@holdfast/encoding'
import { type Approval, askersOf, type Intent } from '@holdfast/intent'
import { checkApproval } from './check-approval.ts'
import { eligibleIn, fillSteps, mayStopFor, type Step, stepsFor } from './evaluate/steps.ts'
import { isAmong } from './people/is-among.ts'
import type { Person, Policy } from './policy.ts'

/** Who has spoken. `met` is true only where distinct eligible people fill every step and nobody eligible rejected; `filled` says who stands in which step. */
export type Tally = { met: boolean; approvedBy: Person[]; rejectedBy: Person[]; missing: number; filled: Uint8Array[][] }

/**
 * Counts distinct people. Every approval given must be valid (throws ApprovalRefused otherwise): a bundle with a bad
 * approval in it is not one to reason about. Whoever asked is never eligible, whatever keys they hold, but in the step of those who ask.
 */
export function countApprovals(input: {
  policy: Policy
  directory?: Policy
  intent: Intent
  approvals: readonly Approval[]
  steps: readonly Step[]
  /** Whose no is enough, where those are more than the people of the steps. */
  mayStop?: readonly Uint8Array[]
  /** For proofs of the past: see `checkApproval`. */
  allowsEarlierWords?: boolean
}): Tally {
  const { policy, intent, approvals, allowsEarlierWords = false } = input
  const steps = stepsFor(input.steps, askersOf(intent))
  const eligible = eligibleIn(steps)
  const mayStop = mayStopFor(input.mayStop ?? eligible, steps, askersOf(intent))
  const approvedBy = new Map<string, Person>()
  const rejectedBy = new Map<string, Person>()
  for (const approval of approvals) {
    const person = checkApproval(approval, intent, policy, input.directory, { allowsEarlierWords })
    const isApproval = approval.decision === 'approve'
    if (isAmong(isApproval ? eligible : mayStop, person.id)) (isApproval ? approvedBy : rejectedBy).set(toHex(person.id), person)
  }
  const { filled, missing } = fillSteps(
    steps,
    [...approvedBy.values()].map(({ id }) => id),
  )
  const asksForPeople = steps.length > 0 && steps.every(({ need }) => need >= 1)
  const met = asksForPeople && missing === 0 && rejectedBy.size === 0
  return { met, approvedBy: [...approvedBy.values()], rejectedBy: [...rejectedBy.values()], missing, filled }
}
