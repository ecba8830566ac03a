/**
 * How an approval key came to be, as far as the server that proposed it knows: who made the link it was enrolled with, and whether the person
 * whose key it is said so themselves. It stands at the end of the key's label, so it is in the very document that approvers sign.
 */
export type KeyOrigin = { linkBy: string; confirmed: boolean }

const LABEL_MAX = 200
const ORIGIN = / \(link: ([^()]*); confirmed: (yes|no)\)$/
/** What could end the part, or pass for another one, is no part of a name in it. */
const plain = (text: string): string => text.replaceAll(/[();]/g, ' ').trim()

/** The label with its origin at the end, in place of one that it claims itself; cut where it would be longer than 200 characters. */
export function withKeyOrigin(label: string, { linkBy, confirmed }: KeyOrigin): string {
  const origin = ` (link: ${plain(linkBy).slice(0, 80).trim()}; confirmed: ${confirmed ? 'yes' : 'no'})`
  return `${keyOriginOf(label).label.slice(0, LABEL_MAX - origin.length)}${origin}`
}

/** A label taken apart. `origin` is null for keys of the founding document and of versions from before origins were written. */
export function keyOriginOf(label: string): { label: string; origin: KeyOrigin | null } {
  const found = ORIGIN.exec(label)
  if (!found) return { label, origin: null }
  const inner = label.slice(0, found.index)
  return { label: ORIGIN.test(inner) ? keyOriginOf(inner).label : inner, origin: { linkBy: found[1]!, confirmed: found[2] === 'yes' } }
}
