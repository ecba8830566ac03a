import { piecesOf } from './hostile-text.ts'

/** Colours of avatars; each carries white text with a contrast above 4.5. */
export const AVATAR_COLOURS = ['#3454b4', '#0f6e6e', '#7a4a9e', '#9a4a12', '#2f6b3a', '#a33a5b', '#4a5f7a', '#6b5a10'] as const

/** The letter of an avatar: the first of the name, in upper case. */
export function avatarLetter(name: string): string {
  const { pieces } = piecesOf(name.slice(0, 50))
  const visible = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  return [...visible.trim()][0]?.toLocaleUpperCase('en-US') ?? '?'
}

/** The colour of an avatar. It depends on the first letter of the name only. */
export function avatarColour(name: string): string {
  return AVATAR_COLOURS[(avatarLetter(name).codePointAt(0) ?? 0) % AVATAR_COLOURS.length] ?? AVATAR_COLOURS[0]
}
