/** A piece of text: ordinary words; or characters that people compare one by one, in groups; or a number, in groups of three. */
export type Piece = { kind: 'words' | 'key' | 'number'; text: string; groups: string[] }

const GROUPED_ADDRESS = /^(?:0x )?(?:[0-9A-Za-z]{4} ){3,}[0-9A-Za-z]{1,4}$/
// A run of hexadecimal digits, an address, or an amount of five digits and more before its unit.
const COMPARED = /(0x[0-9A-Za-z]{32,}|\b[0-9a-f]{32,}\b|(?<![0-9A-Za-z.:/-])[0-9]{5,}(?:\.[0-9]+)?(?= [A-Za-z]))/

/**
 * Finds addresses, keys, hashes and long amounts in a text. The groups of all pieces put together are the text again:
 * gaps between groups are for the eye and are drawn, not written.
 */
export function splitKeys(text: string): Piece[] {
  if (GROUPED_ADDRESS.test(text)) return [{ kind: 'key', text, groups: text.split(/(?= )/) }]
  // The expression has one group, so every second piece is what it matched.
  return text.split(COMPARED).flatMap((piece, i): Piece[] => {
    if (piece === '') return []
    if (i % 2 === 0) return [{ kind: 'words', text: piece, groups: [piece] }]
    const isAmount = /^[0-9]+(\.[0-9]+)?$/.test(piece) && piece.length < 32
    return [isAmount ? { kind: 'number', text: piece, groups: thousands(piece) } : { kind: 'key', text: piece, groups: fours(piece) }]
  })
}

function fours(key: string): string[] {
  const prefix = key.startsWith('0x') ? ['0x'] : []
  return [...prefix, ...(key.slice(prefix.length * 2).match(/.{1,4}/g) ?? [])]
}

function thousands(amount: string): string[] {
  const [whole, fraction] = amount.split('.') as [string, string?]
  const groups = whole.split(/(?=(?:[0-9]{3})+$)/)
  if (fraction !== undefined) groups[groups.length - 1] += `.${fraction}`
  return groups
}
