const LIMIT = 80
/** What cannot be seen, turns the direction of what follows, or ends a line. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}\u{34F}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]/gu
/** What a mail program makes a link of: a dot, a colon or an at sign inside a word, also in the forms of other scripts. */
const JOINTS = /[.:@．。｡․：＠](?=\S)/gu

/**
 * A stranger's text, such as a name or a host, as one line of an e-mail that no mail program makes a link of and that cannot pass for lines of our own: `evil.example`
 * becomes `evil[.]example`. At most 80 characters of it.
 */
export function inertText(text: string): string {
  const line = text.replace(/\s+/gu, ' ').replace(UNSEEN, '').replace(/ +/g, ' ').trim()
  const characters = [...line]
  const cut = characters.length > LIMIT ? `${characters.slice(0, LIMIT).join('')}…` : line
  return cut.replace(JOINTS, '[$&]')
}
