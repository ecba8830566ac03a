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
type ErrorEntry = { code: string; httpStatus: number; reaction: Reaction; sentence: Record<Language, string> }

/** An entry of the catalogue of errors with its name. */
export type Refusal<Name extends string = string> = ErrorEntry & { name: Name }

/** The refusals of one room, by name. */
type Refusals<Name extends string = string> = { readonly [Each in Name]: Refusal<Each> }

/** One refusal. A business refusal is answered with HTTP 200, as the envelope convention wants; another status says that no business rule was reached. */
export function entry(code: string, reaction: Reaction, english: string, chinese: string, httpStatus = 200): ErrorEntry {
  return { code, httpStatus, reaction, sentence: { en_US: english, zh_CN: chinese } }
}

/** Gives each refusal of a room its name. */
export function defineErrors<Name extends string>(entries: Record<Name, ErrorEntry>): Refusals<Name> {
  return Object.fromEntries(Object.entries<ErrorEntry>(entries).map(([name, each]) => [name, { name, ...each }])) as Refusals<Name>
}

/** Two refusals have one name or one code: a fault of the program. */
class ImpossibleDuplicate extends Error {
  override readonly name = 'ImpossibleDuplicate'
}

type NameIn<Part> = Part extends unknown ? keyof Part & string : never

/** The refusals of all rooms in one catalogue. Throws ImpossibleDuplicate if two have the same name or the same code. */
export function joinErrors<const Parts extends readonly Refusals[]>(parts: Parts): Refusals<NameIn<Parts[number]>> {
  const all = parts.flatMap((part) => Object.values(part))
  for (const key of ['name', 'code'] as const) {
    const values = all.map((each) => each[key])
    const double = values.find((value, i) => values.indexOf(value) !== i)
    if (double !== undefined) throw new ImpossibleDuplicate(`two refusals have the ${key} ${double}`)
  }
  return Object.fromEntries(all.map((each) => [each.name, each])) as Refusals<NameIn<Parts[number]>>
}
