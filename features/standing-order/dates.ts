// Dates of scheduled payments: days of the calendar of UTC, counted from 1 January 1970. Signers are given the days themselves and compute no calendar.

const DAY_MS = 86_400_000

/** The day of a text such as 2026-12-31; undefined for anything else, and for days that there are not. */
export function readDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const ms = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(ms) || dayText(ms / DAY_MS) !== text ? undefined : ms / DAY_MS
}

/** A day as text, such as 2026-12-31. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The day that a moment is in. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)

/** After what a payment is made again. */
export const REPEATS = ['once', 'day', 'week', 'month'] as const
export type Repeat = (typeof REPEATS)[number]

/** The day of a month up to which every month has it. */
const LAST_COMMON = 28

/**
 * The days of so many payments (`times`) from a first day on, each so many days, weeks or months (`step`) after the one before. Months are paid on the day of the
 * first payment up to the 28th, and on their last day where that is later, so the first of these may be later than the day that was given.
 */
export function datesFrom(first: number, { repeat, step, times }: { repeat: Repeat; step: number; times: number }): number[] {
  if (repeat === 'once') return [first]
  const numbers = Array.from({ length: times }, (_, i) => i * step)
  if (repeat !== 'month') return numbers.map((count) => first + count * (repeat === 'week' ? 7 : 1))
  const begin = new Date(first * DAY_MS)
  const [year, month, date] = [begin.getUTCFullYear(), begin.getUTCMonth(), begin.getUTCDate()]
  // Day 0 of a month is the last day of the one before.
  const ofMonth = (count: number) => (date > LAST_COMMON ? Date.UTC(year, month + count + 1, 0) : Date.UTC(year, month + count, date))
  return numbers.map((count) => dayOf(ofMonth(count)))
}
