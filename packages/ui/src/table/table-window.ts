/** What of a long list stands in the page: rows, or room for rows that do not. */
export type Stretch = { kind: 'rows'; from: number; to: number } | { kind: 'room'; from: number; to: number }

type WindowInput = {
  count: number
  rowHeightPx: number
  scrollTopPx: number
  viewPx: number
  /** A row that stays in the page wherever it is, such as the one that has the focus. */
  kept?: number | undefined
}

// Rows beyond the edges are there before they are seen; more than a step, because the place that is asked about may be a step old.
const BEYOND = 10
/** The list is drawn anew once in so many rows. */
export const STEP = 8

/** Cuts a list of rows of one height into what is in sight and what is not. The stretches follow each other and cover all rows. */
export function windowOf({ count, rowHeightPx, scrollTopPx, viewPx, kept }: WindowInput): Stretch[] {
  const first = Math.floor(Math.max(0, scrollTopPx) / rowHeightPx)
  const inView = Math.ceil(viewPx / rowHeightPx)
  const from = Math.min(count, Math.max(0, Math.floor((first - BEYOND) / STEP) * STEP))
  const to = Math.min(count, Math.max(from, Math.ceil((first + inView + BEYOND) / STEP) * STEP))
  const ranges: [number, number][] = [[from, to]]
  if (kept !== undefined && kept >= 0 && kept < count) {
    if (kept < from) ranges.unshift([kept, kept + 1])
    if (kept >= to) ranges.push([kept, kept + 1])
  }
  const stretches: Stretch[] = []
  let at = 0
  for (const [start, end] of ranges) {
    if (start > at) stretches.push({ kind: 'room', from: at, to: start })
    if (end > start) stretches.push({ kind: 'rows', from: start, to: end })
    at = Math.max(at, end)
  }
  if (at < count) stretches.push({ kind: 'room', from: at, to: count })
  return stretches
}

/** Where to scroll so that a row is wholly in sight; the present place where it is already. */
export function scrollTopFor(row: number, { rowHeightPx, scrollTopPx, viewPx }: Omit<WindowInput, 'count' | 'kept'>): number {
  const top = row * rowHeightPx
  if (top < scrollTopPx) return top
  return top + rowHeightPx > scrollTopPx + viewPx ? top + rowHeightPx - viewPx : scrollTopPx
}

/** The row a key leads to from a row, within the list; undefined if the key is none of the table's. */
export function rowAfterKey(key: string, row: number, count: number, rowsInView: number): number | undefined {
  const page = Math.max(1, rowsInView - 1)
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  }
  const to = Object.hasOwn(steps, key) ? steps[key] : undefined
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to))
}
