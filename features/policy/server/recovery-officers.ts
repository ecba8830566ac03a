import type { Policy, RecoveryRecipients } from '@holdfast/policy'
import { Encrypter } from 'age-encryption'

/** Whether a signer can seal a share to a text: it is an age recipient, and as whole as whoever holds it made it. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}

/** The officers of one signer as people name them: who they are, and how many of them together open its recovery share. */
export type Officers = { party: number; recipients: readonly string[]; threshold: number }

/** The officers of one signer as a policy says them. */
export const officersOf = ({ party, recipients, threshold }: Officers): RecoveryRecipients =>
  threshold === 1
    ? { kind: 'single', party: BigInt(party), recipients: [...recipients] }
    : { kind: 'quorum', party: BigInt(party), threshold: BigInt(threshold), recipients: [...recipients] }

/** The officers of all signers, with others in the place of some. */
export function withOfficers(recovery: Policy['recovery'], others: readonly Officers[]): Policy['recovery'] {
  const kept = recovery.filter(({ party }) => !others.some((each) => BigInt(each.party) === party))
  return [...kept, ...others.map(officersOf)].toSorted((a, b) => Number(a.party - b.party))
}
