import { known } from './known.ts'

// Controls, formats (writing direction, zero width, tags), line and paragraph separators, and all that has no shape.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Text in which everything can be seen: a character that has no shape of its own, or that turns the order of others around,
 * becomes its number, as in `⟨U+202E⟩`. Names and remarks come from documents that somebody else wrote: what an approver reads
 * must not be arranged by them, and in a terminal they must not move the cursor and rewrite the verdict.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `⟨U+${known(character.codePointAt(0), 'the character').toString(16).toUpperCase().padStart(4, '0')}⟩`)
}
