/** What the filters of a list read from the address of their page and write to it. What is not understood is left out. */

const DAY = /^\d{4}-\d{2}-\d{2}$/
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PAGE = /^[1-9]\d{0,5}$/
const KEYWORD_LIMIT = 100

/** A text that fits a pattern. */
export function readMatching(search: URLSearchParams, name: string, pattern: RegExp): string | undefined {
  const text = search.get(name) ?? ''
  return pattern.test(text) ? text : undefined
}

/** The page of a list; the first where none is named. */
export function readPage(search: URLSearchParams): number {
  return Number(readMatching(search, 'page', PAGE) ?? 1)
}

/** A text of at most so many characters, counted as people count them; undefined if there is none. */
export function readText(search: URLSearchParams, name: string, most: number): string | undefined {
  return [...(search.get(name) ?? '')].slice(0, most).join('') || undefined
}

/** The word that is looked for. */
export function readKeyword(search: URLSearchParams): string {
  return readText(search, 'q', KEYWORD_LIMIT) ?? ''
}

/** One of the values that there are. */
export function readOneOf<Value extends string>(search: URLSearchParams, name: string, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === search.get(name))
}

/** The identifier of a record. */
export function readId(search: URLSearchParams, name: string): string | undefined {
  return readMatching(search, name, ID)
}

export function isId(text: string): boolean {
  return ID.test(text)
}

/** A day as date fields write it, 2026-11-20, that the calendar has. */
export function readDay(search: URLSearchParams, name: string): string | undefined {
  const day = readMatching(search, name, DAY)
  if (day === undefined) return undefined
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day) ? day : undefined
}

/** The address of filters: empty values, what is false and the first page are usual, and left out. */
export function toAddress(values: Readonly<Record<string, string | number | boolean | undefined>>): Record<string, string> {
  const { page, ...others } = values
  const written = Object.entries(others).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  if (typeof page === 'number' && page > 1) written.push(['page', page])
  return Object.fromEntries(written.map(([name, value]) => [name, String(value)]))
}

/** The first millisecond of a day in the reader's time zone, or, with `end`, the last. */
export function dayLimit(day: string, end = false): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return end ? new Date(year, month - 1, date + 1).getTime() - 1 : new Date(year, month - 1, date).getTime()
}

/** What a call takes of the days from one to another. */
export function dayLimits({ from, to }: { from: string | undefined; to: string | undefined }): { start_time?: number; end_time?: number } {
  return { ...(from === undefined ? {} : { start_time: dayLimit(from) }), ...(to === undefined ? {} : { end_time: dayLimit(to, true) }) }
}

/** The day that many days before a moment, as date fields write it. */
export function dayBefore(nowMs: number, days: number): string {
  const now = new Date(nowMs)
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  const digits = (value: number, length: number) => String(value).padStart(length, '0')
  return `${digits(day.getFullYear(), 4)}-${digits(day.getMonth() + 1, 2)}-${digits(day.getDate(), 2)}`
}
