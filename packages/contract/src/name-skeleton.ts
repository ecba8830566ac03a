import { DRAWN_AS } from './drawn-as.ts'

/**
 * Chosen by hand, beside Unicode's table: what in the fonts of the console looks like a letter although Unicode takes it for another one or for none, and
 * digits, which
 * Unicode takes for capitals. Widths and styled letters (full-width, mathematical) are taken to their plain form by NFKC before either is asked. Pairs of
 * letters of
 * one script that look alike in one font alone are in neither.
 */
const BY_HAND: Readonly<Record<string, string>> = { b: 'ƅ', f: 'ƒ', k: 'κᴋк', l: 'ӏ|1', o: '0', F: 'Ғ' }

const lettersOf = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([plain, drawn]) => [...drawn].map((letter) => [letter, plain] as const))
const PLAIN = new Map([...lettersOf(DRAWN_AS), ...lettersOf(BY_HAND)])
const CAPITAL_I = 'I'

/** What a name looks like: two names with one skeleton are hard to tell apart. `asTyped` takes a capital I for an l, before capitals become small. */
function skeleton(name: string, asTyped: boolean): string {
  const plainOf = (letter: string) => {
    const plain = PLAIN.get(letter) ?? letter
    return plain === CAPITAL_I && asTyped ? 'l' : plain
  }
  const plain = [...name.normalize('NFKC')].map(plainOf).join('')
  return [...plain.toLowerCase().normalize('NFKC')]
    .map(plainOf)
    .join('')
    .toLowerCase()
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[\s\-_.·]+/gu, ' ')
}

/** Whether a person takes one name for the other: by the shapes of their letters, their widths, their capitals, their spaces. */
export function looksLikeName(one: string, other: string): boolean {
  return skeleton(one, true) === skeleton(other, true) || skeleton(one, false) === skeleton(other, false)
}
