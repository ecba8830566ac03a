/** A run of text that can be shown as it is, or characters that cannot be seen: their code points in words, and how many there are. */
export type TextPiece = { text: string } | { hidden: string; times: number }

/**
 * What a reader cannot see but a name can be forged with: controls, zero-width and bidirectional marks, fillers, variation
 * selectors, spaces that are not the ordinary one, and combining marks piled higher than any language does. Emoji are matched
 * first, because they are made with some of these.
 */
const CONTROLS = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}`
const FILLERS = String.raw`\u{34F}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{2800}\u{3164}\u{FFA0}`
const SPACES = String.raw`\u{A0}\u{2000}-\u{200A}\u{202F}\u{205F}`
const HIDDEN = new RegExp(String.raw`\p{RGI_Emoji}|(\p{M}{5,}|[${CONTROLS}${FILLERS}${SPACES}])`, 'gv')

const ORDINARY = /^[\x20-\x7E]*$/
const MOST_PIECES = 60

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * A text written by a person or a token, cut into what may be shown and what is hidden in it. At most `limit` characters;
 * `isCut` says whether there was more.
 */
export function piecesOf(text: string, limit = Number.POSITIVE_INFINITY): { pieces: TextPiece[]; isCut: boolean } {
  if (ORDINARY.test(text) && text.length <= limit) return { pieces: text === '' ? [] : [{ text }], isCut: false }
  // One character can be many code units; the search itself must not read megabytes either.
  const shown = text.length > limit ? text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '') : text
  const pieces: TextPiece[] = []
  let from = 0
  for (const match of shown.matchAll(HIDDEN)) {
    const found = match[1]
    if (found === undefined) continue
    if (match.index > from) pieces.push({ text: shown.slice(from, match.index) })
    const hidden = codePoint(found)
    const times = [...found].length
    const last = pieces.at(-1)
    if (last && 'hidden' in last && last.hidden === hidden) last.times += times
    else pieces.push({ hidden, times })
    from = match.index + found.length
  }
  if (from < shown.length) pieces.push({ text: shown.slice(from) })
  const isCut = shown.length < text.length || pieces.length > MOST_PIECES
  return { pieces: limit === Number.POSITIVE_INFINITY ? pieces : pieces.slice(0, MOST_PIECES), isCut }
}

/** As long as a name read aloud needs to be. */
export const LABEL_LIMIT = 120

/** The same in one plain text, for titles, hover texts and lists of the browser's own: what is hidden stands there in brackets. */
export function plainText(text: string, limit?: number): string {
  const { pieces, isCut } = piecesOf(text, limit)
  const words = pieces.map((piece) => ('text' in piece ? piece.text : `[${piece.hidden}${piece.times > 1 ? `×${piece.times}` : ''}]`))
  return words.join('') + (isCut ? '…' : '')
}

// Alphabets whose letters are taken for each other. Chinese, Japanese and Korean stand beside Latin letters every day.
const ALPHABETS: readonly (readonly [name: string, letter: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
]

/**
 * Why a name may not be what it looks like: `mixed` has letters of two alphabets in one word, such as a Cyrillic S in USDT;
 * `styled` has letters that only look like ordinary ones, such as 𝐔𝐒𝐃𝐓. Undefined if neither is so.
 */
export function disguiseOf(text: string): 'mixed' | 'styled' | undefined {
  if (ORDINARY.test(text)) return undefined
  const words = text.slice(0, 1000).match(/[\p{L}\p{M}]+/gu) ?? []
  if (words.some((word) => ALPHABETS.filter(([, letter]) => letter.test(word)).length > 1)) return 'mixed'
  const isStyled = (letter: string) => !ORDINARY.test(letter) && /^[A-Za-z0-9]+$/.test(letter.normalize('NFKC'))
  return [...text.slice(0, 1000)].some((letter) => /[\p{L}\p{N}]/u.test(letter) && isStyled(letter)) ? 'styled' : undefined
}
