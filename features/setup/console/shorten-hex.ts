const LONG_HEX = /\b(?:0x)?[0-9a-fA-F]{40,}\b/g

export type TextPart = { text: string /** The whole value, where `text` is only its ends. */; whole?: string }

/** A sentence with its long hexadecimal values (keys, fingerprints) cut to their ends, so that the words can be read. */
export function shortenHex(sentence: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const match of sentence.matchAll(LONG_HEX)) {
    if (match.index > at) parts.push({ text: sentence.slice(at, match.index) })
    const [whole] = match
    parts.push({ text: `${whole.slice(0, 8)}…${whole.slice(-8)}`, whole })
    at = match.index + whole.length
  }
  if (at < sentence.length) parts.push({ text: sentence.slice(at) })
  return parts
}
