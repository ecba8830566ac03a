import { FAMILY_NAMES, type Family, familyByName } from './families.ts'

/**
 * What a text that stands in the field of an address is, by its form alone: `address` has the form of the wanted network, `other` that of another family;
 * `unseen` has a character at `at` that cannot be seen or only looks like one that addresses are written with; `name` is a name as name services give;
 * `unknown` is none of these, or not finished.
 */
export type AddressGuess = { kind: 'address' | 'name' | 'unknown' } | { kind: 'other'; family: Family } | { kind: 'unseen'; at: number; character: string }

const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const FORMS: Record<Family, RegExp> = {
  evm: /^0x[0-9a-f]{40}$/i,
  tron: new RegExp(`^T${BASE58}{33}$`),
  bitcoin: new RegExp(`^(?:(?:bc|tb|bcrt)1[0-9a-z]{8,87}|(?:BC|TB|BCRT)1[0-9A-Z]{8,87}|[123mn]${BASE58}{24,34})$`),
  ton: /^(?:[EUk0][A-Za-z0-9_+/-]{47}|(?:-1|0):[0-9a-fA-F]{64})$/,
}
const UNWRITTEN = /[^!-~]/gu
const NAME = /^(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}$/u

/** Says what a text is for a payment on a network. Never throws, and has an address of the network itself for nothing else. */
export function guessAddress(text: string, chain: string): AddressGuess {
  const given = text.trim()
  const wanted = familyByName(chain)
  if (wanted !== undefined && FORMS[wanted].test(given)) return { kind: 'address' }
  const other = FAMILY_NAMES.find((family) => FORMS[family].test(given))
  if (other !== undefined) return { kind: 'other', family: other }
  if (NAME.test(given)) return { kind: 'name' }
  const at = given.search(UNWRITTEN)
  // Words of a contact's name have such characters too: only a text that would else be an address has them by mistake.
  if (at !== -1 && STAND_INS.map((each) => given.replaceAll(UNWRITTEN, each)).some(isNearlyAddress))
    return { kind: 'unseen', at: at + 1, character: nameOf(given, at) }
  return { kind: 'unknown' }
}

/** What the odd character may have come to: it was put in, or it is in the place of one that addresses are written with. */
const STAND_INS = ['', 'a', 'A']

const isNearlyAddress = (text: string): boolean =>
  Object.values(FORMS).some((form) => form.test(text)) || (text.length >= 20 && /\d/.test(text) && /^[0-9A-Za-z_:+/-]+$/.test(text))

const nameOf = (text: string, at: number): string => `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
