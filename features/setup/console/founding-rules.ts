/** The signers that every organisation has. */
export const SIGNERS = [1, 2, 3] as const

/** The most members whose approval can be demanded: the person who asks never approves. */
export function highestThreshold(memberCount: number): number {
  return Math.max(1, memberCount - 1)
}

/** The threshold that is proposed: two people where there are enough. */
export function proposedThreshold(memberCount: number): number {
  return Math.min(2, highestThreshold(memberCount))
}

/** How many of those who may approve a payment can be away without stopping it: who asks for it never approves. */
export function sparePeople(memberCount: number, threshold: number): number {
  return Math.max(0, memberCount - 1 - threshold)
}

/** The age recipients in a text, one on each line. */
export function recipientsOf(text: string): string[] {
  return text.split(/\s+/).filter((each) => each !== '')
}

/** Whether these are age recipients, one at least: X25519 (`age1…`) or the hybrid kind (`age1pq1…`). */
export function areRecipients(recipients: readonly string[]): boolean {
  return recipients.length > 0 && recipients.every((each) => /^age1[0-9a-z]{16,4092}$/.test(each))
}

/** The most officers who can be needed together to open one signer's recovery share. */
export const OFFICERS_NEEDED_MAX = 8

/**
 * What is the matter with the recovery recipients of one signer, as the name of the sentence that says it: one is none, there are fewer than must come
 * together, or one stands with another signer too, so that its holder would have two shares.
 */
export function recipientsFault(
  own: readonly string[],
  others: readonly string[],
  needed: number,
): 'recipientsShape' | 'recipientsFew' | 'recipientsTwice' | undefined {
  if (!areRecipients(own)) return 'recipientsShape'
  if (own.length < needed) return 'recipientsFew'
  return own.some((each, at) => others.includes(each) || own.indexOf(each) !== at) ? 'recipientsTwice' : undefined
}

/** The demo: three people of whom two approve what the third asks for. */
export const demoFounding = { name: 'Demo organisation', members: ['Alice Chen', 'Bruno Diaz', 'Chiara Rossi'], threshold: 2 } as const
