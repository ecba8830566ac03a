import { equalBytes, toHex } from '@holdfast/encoding'
import type { DelegatedApproval } from '@holdfast/intent'
import { findPerson, isInForce } from '@holdfast/policy'
import type { Word } from '@holdfast/protocol'
import type { JournalEvent } from '../../state/journal-events.ts'
import type { Register } from '../../state/register.ts'
import { Refused } from '../refused.ts'

/*
 * What people say in the place of others (ADR 53). Whoever named somebody ends it with a higher number, at any signer's page and without the server; two of three
 * signers know of it, or hear it from the third.
 */

/** Whether whoever signed the statement of a vote has signed a newer one, by what this signer has heard. */
export const isEnded = ({ delegation: { statement } }: DelegatedApproval, { ended }: Register): boolean =>
  statement.sequence < (ended.get(toHex(statement.delegator)) ?? 0n)

/** c6: nobody in whose place somebody decides has ended that, by what this signer, the others and these votes say. Throws Refused. */
export function checkNotEnded(votes: readonly DelegatedApproval[], register: Register, words: readonly Word[] = []): void {
  const told = [...words.flatMap(({ ended }) => ended), ...votes.map(({ delegation: { statement } }) => ({ ...statement, person: statement.delegator }))]
  for (const vote of votes) {
    const { delegator, sequence } = vote.delegation.statement
    if (!isEnded(vote, register) && !told.some((each) => equalBytes(each.person, delegator) && each.sequence > sequence)) continue
    const name = findPerson(register.policy, delegator)?.name ?? toHex(delegator)
    throw new Refused('c6', `${name} has ended that somebody decides in their place`)
  }
}

/** c5: whoever named somebody still lets them decide, by this signer's own clock. Throws Refused. */
export function checkStillDelegated(votes: readonly DelegatedApproval[], nowMs: number): void {
  if (votes.every(({ delegation }) => isInForce(delegation, BigInt(nowMs)))) return
  throw new Refused('c5', 'an approval was given for another person, and the time for which that person said so has passed')
}

/** What this signer's word says: the highest number that it has heard of each person of the policy. */
export const endedHere = ({ ended, policy }: Register): Word['ended'] =>
  policy.people.flatMap(({ id }) => {
    const sequence = ended.get(toHex(id))
    return sequence === undefined ? [] : [{ person: id, sequence }]
  })

/** What the journal is to hold of statements that were checked: each ends those of its person before it. */
export function endedBy(statements: readonly { delegator: Uint8Array; sequence: bigint }[], { ended }: Register): JournalEvent[] {
  const newer = statements.filter(({ delegator, sequence }) => sequence > (ended.get(toHex(delegator)) ?? -1n))
  return newer.map(({ delegator, sequence }) => ({ kind: 'delegationEnded', person: delegator, sequence }))
}

/** Keeps the highest number of a person. */
export function keepEnded({ ended }: Register, { person, sequence }: Extract<JournalEvent, { kind: 'delegationEnded' }>): void {
  const known = ended.get(toHex(person))
  if (known === undefined || sequence > known) ended.set(toHex(person), sequence)
}
