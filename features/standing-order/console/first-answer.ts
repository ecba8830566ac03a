import { useState } from 'react'

/** What an endpoint answered, as far as a form asks about it. */
type Answer<T> = { data: T | undefined; error: unknown; fetchStatus: 'fetching' | 'paused' | 'idle' }

/**
 * What a form begins with: the first answer that is not just being asked for again. One that was kept from an earlier visit may be of before a change, and
 * later ones are not for a form in which somebody types already.
 */
export function firstAnswer<T>(kept: T | undefined, { data, error, fetchStatus }: Answer<T>): T | undefined {
  if (kept !== undefined) return kept
  return fetchStatus === 'idle' && !error ? data : undefined
}

/** The answer that a form begins with, for as long as the form is there. */
export function useFirstAnswer<T>(answer: Answer<T>): T | undefined {
  const [kept, keep] = useState<T>()
  const first = firstAnswer(kept, answer)
  if (first !== kept) keep(first)
  return first
}

/** Whether two drafts say the same: what was typed and taken back again is no input. */
export const isSameDraft = <T extends object>(one: T, other: T): boolean => JSON.stringify(one) === JSON.stringify(other)
