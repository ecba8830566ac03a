import { createHash } from 'node:crypto'
import type { Opened, Segment } from './segments.ts'

/**
 * By what a request is known once it was seen. `whole`: by all of its bytes. `timed`: by the segment in which its time begins, which no request of another
 * moment has. Segments are not bound to each other: whatever is put together of requests that were seen has a `timed` that was seen.
 */
export type Marks = { whole: string; timed: string }

/** The name of the time and what stands before its value. Within a text of JSON its quotation marks would be escaped. */
const TIME = /"time"\s*:\s*"?/g

export function marksOf({ text, segments }: Opened): Marks {
  const found = [...text.matchAll(TIME)].at(-1)
  const at = found ? Buffer.byteLength(text.slice(0, found.index + found[0].length)) : 0
  return { whole: digestOf(segments), timed: digestOf(segmentsAt(segments, at)) }
}

/** The segment in which a byte of the text stands; all of them where there is none. */
function segmentsAt(segments: readonly Segment[], at: number): readonly Segment[] {
  let end = 0
  for (const segment of segments) {
    end += segment.text.length
    if (at < end) return [segment]
  }
  return segments
}

function digestOf(segments: readonly Segment[]): string {
  const hash = createHash('sha256')
  for (const { sealed } of segments) hash.update(sealed)
  return hash.digest('base64url')
}
