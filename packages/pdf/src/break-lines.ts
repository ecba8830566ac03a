/** A word, a Chinese character, or the space between. */
const PIECE = /\s+|[\p{Script=Han}\p{P}]|[^\s\p{Script=Han}\p{P}]+/gu

/**
 * A text in lines no wider than `width`, in whatever unit `widthOf` measures. It breaks between words and around Chinese characters, and inside a
 * word only where the word alone is too wide, as addresses are. Nothing but spaces at the ends of lines is left out.
 */
export function breakLines(text: string, width: number, widthOf: (text: string) => number): string[] {
  return text.split('\n').flatMap((paragraph) => breakParagraph(paragraph, width, widthOf))
}

function breakParagraph(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  const add = (piece: string) => {
    if (widthOf(line + piece) <= width || line === '') line += piece
    else {
      lines.push(line.trimEnd())
      line = piece.trimStart()
    }
  }
  for (const [piece] of text.matchAll(PIECE)) {
    if (widthOf(piece) <= width) add(piece)
    else for (const character of piece) add(character)
  }
  return [...lines, line.trimEnd()]
}
