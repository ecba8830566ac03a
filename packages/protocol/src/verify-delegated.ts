import { equalBytes } from '@holdfast/encoding'
import type { DelegatedApproval } from '@holdfast/intent'
import { findPerson, type Policy } from '@holdfast/policy'
import { known } from '@holdfast/units'
import type { WitnessedStatement } from './statements.ts'
import type { AnyWord } from './words.ts'

/** A session that began in time may end a little later, and the clocks of signers differ by as much. */
const LATE_MS = 5n * 60_000n

/**
 * Checks what people said in the place of others at the times at which signers say that they signed: it was in force then, and nobody had ended it by what
 * another vote shows. Signatures that were made in time are given again at any time, so the earliest statement says when. Throws Error.
 */
export function checkDelegated(votes: readonly DelegatedApproval[], statements: readonly WitnessedStatement[], policy: Policy): void {
  if (votes.length === 0) return
  const [earliest] = statements.map(({ atMs }) => atMs).toSorted((a, b) => (a < b ? -1 : 1))
  if (earliest === undefined) throw new Error('no signer says when it signed what somebody decided for another')
  for (const vote of votes) {
    const { untilMs } = vote.delegation.statement
    if (earliest >= untilMs + LATE_MS) throw new Error(`signed when nobody decided for ${nameOf(vote, policy)} any more`)
    const newer = votes.some(({ delegation }) => isNewer(delegation.statement.delegator, delegation.statement.sequence, vote))
    if (newer) throw new Error(`another vote shows that ${nameOf(vote, policy)} had ended that somebody decides for them`)
  }
}

/** Whether a signer's word speaks against a vote for another: it says that the statement had ended, or is of a form that says nothing of that. */
export function speaksAgainstDelegated(word: AnyWord, votes: readonly DelegatedApproval[]): boolean {
  if (votes.length === 0) return false
  return word.kind !== 'word' || votes.some((vote) => word.ended.some(({ person, sequence }) => isNewer(person, sequence, vote)))
}

const isNewer = (person: Uint8Array, sequence: bigint, { delegation: { statement } }: DelegatedApproval): boolean =>
  equalBytes(person, statement.delegator) && sequence > statement.sequence

const nameOf = ({ delegation }: DelegatedApproval, policy: Policy): string =>
  known(findPerson(policy, delegation.statement.delegator), 'who signed a statement that was checked').name
