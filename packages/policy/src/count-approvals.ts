import { equalBytes, toHex } from '@holdfast/encoding'
import { type Approval, askersOf, type Intent } from '@holdfast/intent'
import { checkApproval } from './check-approval.ts'
import type { Person, Policy } from './policy.ts'

/** Who has spoken. `met` is true only where enough distinct eligible people approved and nobody eligible rejected. */
export type Tally = { met: boolean; approvedBy: Person[]; rejectedBy: Person[]; missing: number }

/**
 * Counts distinct people. Every approval given must be valid (throws ApprovalRefused otherwise): a bundle with a bad
 * approval in it is not one to reason about. Whoever asked is never eligible, whatever keys they hold.
 */
export function countApprovals(input: {
  policy: Policy
  directory?: Policy
  intent: Intent
  approvals: readonly Approval[]
  eligible: readonly Uint8Array[]
  threshold: number
  /** For proofs of the past: see `checkApproval`. */
  allowsEarlierWords?: boolean
}): Tally {
  const { policy, intent, approvals, threshold, allowsEarlierWords = false } = input
  const askers = askersOf(intent)
  const eligible = input.eligible.filter((id) => !askers.some((asker) => equalBytes(id, asker)))
  const approvedBy = new Map<string, Person>()
  const rejectedBy = new Map<string, Person>()
  for (const approval of approvals) {
    const person = checkApproval(approval, intent, policy, input.directory, { allowsEarlierWords })
    if (!eligible.some((id) => equalBytes(id, person.id))) continue
    const side = approval.decision === 'approve' ? approvedBy : rejectedBy
    side.set(toHex(person.id), person)
  }
  const missing = Math.max(0, threshold - approvedBy.size)
  const met = threshold >= 1 && missing === 0 && rejectedBy.size === 0
  return { met, approvedBy: [...approvedBy.values()], rejectedBy: [...rejectedBy.values()], missing }
}
