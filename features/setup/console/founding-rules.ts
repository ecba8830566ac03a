/** The most members whose approval can be demanded: the person who asks never approves. */
export function highestThreshold(memberCount: number): number {
  return Math.max(1, memberCount - 1)
}

/** The threshold that is proposed: two people where there are enough. */
export function proposedThreshold(memberCount: number): number {
  return Math.min(2, highestThreshold(memberCount))
}

/** The age recipients in a text, one on each line. */
export function recipientsOf(text: string): string[] {
  return text.split(/\s+/).filter((each) => each !== '')
}

/** Whether every line is an age recipient: X25519 (`age1…`) or the hybrid kind (`age1pq1…`). */
export function areRecipients(text: string): boolean {
  const recipients = recipientsOf(text)
  return recipients.length > 0 && recipients.every((each) => /^age1[0-9a-z]{16,4092}$/.test(each))
}

/** The most officers who can be needed together to open one signer's recovery share. */
export const OFFICERS_NEEDED_MAX = 8

/**
 * What is the matter with the recovery recipients of one signer, as the name of the sentence that says it: one is none, there are fewer than must come
 * together, or one stands with another signer too, so that its holder would have two shares.
 */
export function recipientsFault(text: string, others: readonly string[], needed: number): 'recipientsShape' | 'recipientsFew' | 'recipientsTwice' | undefined {
  if (!areRecipients(text)) return 'recipientsShape'
  const own = recipientsOf(text)
  if (own.length < needed) return 'recipientsFew'
  const taken = others.flatMap(recipientsOf)
  return own.some((each, at) => taken.includes(each) || own.indexOf(each) !== at) ? 'recipientsTwice' : undefined
}

/** The demo: three people of whom two approve what the third asks for. */
export const demoFounding = { name: 'Demo organisation', members: ['Alice Chen', 'Bruno Diaz', 'Chiara Rossi'], threshold: 2 } as const
