import { at } from '@holdfast/units'
/**
 * How an approval key came to be, as far as the server that proposed it knows: who made the link it was enrolled with, whether the person whose key it is
 * said so themselves, and at which approval page it was made, the only one that can ask for it; null if that is not known. It stands at the end of the
 * key's label, so it is in the very document that approvers sign.
 */
export type KeyOrigin = { linkBy: string; confirmed: boolean; page: string | null }

const LABEL_MAX = 200
const PART_MAX = 80
const ORIGIN = / \(link: ([^();]*); confirmed: (yes|no)(?:; page: ([^();]*))?\)$/
/** What could end the part, or pass for another one, is no part of a name in it. */
const plain = (text: string): string => text.replaceAll(/[();]/g, ' ').trim()

/** The label with its origin at the end, in place of one that it claims itself; cut where it would be longer than 200 characters. */
export function withKeyOrigin(label: string, { linkBy, confirmed, page }: KeyOrigin): string {
  // A part of an address is another address: one that is too long is left out.
  const at = page === null || page.length > PART_MAX ? '' : `; page: ${plain(page)}`
  const origin = ` (link: ${plain(linkBy).slice(0, PART_MAX).trim()}; confirmed: ${confirmed ? 'yes' : 'no'}${at})`
  return `${keyOriginOf(label).label.slice(0, LABEL_MAX - origin.length)}${origin}`
}

/** A label taken apart. `origin` is null for keys of the founding document and of versions from before origins were written. */
export function keyOriginOf(label: string): { label: string; origin: KeyOrigin | null } {
  const found = ORIGIN.exec(label)
  if (!found) return { label, origin: null }
  const inner = label.slice(0, found.index)
  const origin = { linkBy: at(found, 1), confirmed: found[2] === 'yes', page: found[3] ?? null }
  return { label: ORIGIN.test(inner) ? keyOriginOf(inner).label : inner, origin }
}
