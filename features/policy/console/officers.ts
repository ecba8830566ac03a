import type { PolicyDraft } from '../contract.ts'

/** The most officers who can be needed together to open one signer's recovery share. */
export const OFFICERS_NEEDED_MAX = 8

const RECIPIENT = /^age1[0-9a-z]{16,4092}$/

/** The draft in which a signer seals its recovery share to these officers; without any, to those of the version in force. */
export function setOfficers(draft: PolicyDraft, party: number, recipients: readonly string[], threshold: number): PolicyDraft {
  const { recovery = [], ...rest } = draft
  const others = recovery.filter((each) => each.party !== party)
  const next = recipients.length === 0 ? others : [...others, { party, recipients: [...recipients], threshold }].toSorted((a, b) => a.party - b.party)
  return next.length === 0 ? rest : { ...rest, recovery: next }
}

/** What is the matter with the officers of a draft, and of which signer; undefined if nothing is. What else there is the server says. */
export function officersFault({ recovery = [] }: PolicyDraft): { party: number; what: 'shape' | 'few' | 'twice' } | undefined {
  const all = recovery.flatMap(({ recipients }) => recipients)
  for (const { party, recipients, threshold } of recovery) {
    if (!recipients.every((each) => RECIPIENT.test(each))) return { party, what: 'shape' }
    if (recipients.some((each) => all.indexOf(each) !== all.lastIndexOf(each))) return { party, what: 'twice' }
    if (recipients.length < threshold) return { party, what: 'few' }
  }
  return undefined
}
