/**
 * What the console does with a code, apart from rejecting the call:
 * - `toast`: show the sentence.
 * - `silent`: nothing; the caller handles it.
 * - `logout`: forget everything about the session and go to the sign-in page.
 * - `not-permitted`: go to /custody/notPms.
 * - `clear-selection`: forget the chosen wallet and sub-wallet and close the drawer.
 * - `clear-or-refresh`: forget the chosen wallet on a wallet centre page, otherwise close the drawer and refresh.
 */
export type Reaction = 'toast' | 'silent' | 'logout' | 'not-permitted' | 'clear-selection' | 'clear-or-refresh'

/** The two languages of the interface, as the cookie and the `Language` header write them. */
export type Language = 'en_US' | 'zh_CN'

/** `{word}` in a sentence is replaced by that detail of the error. */
export type ErrorEntry = { code: string; httpStatus: number; reaction: Reaction; sentence: Record<Language, string> }

/** One refusal. A business refusal is answered with HTTP 200, as the envelope convention wants. */
export function entry(code: string, reaction: Reaction, english: string, chinese: string, httpStatus = 200): ErrorEntry {
  return { code, httpStatus, reaction, sentence: { en_US: english, zh_CN: chinese } }
}
