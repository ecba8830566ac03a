/** As much of a text as so many bytes of UTF-8 hold, without half a character at its end: names that are signed are bounded so. */
export function withinBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax))
  return text.slice(0, read)
}
