import type { Locale } from '@holdfast/intent'

// The last millisecond that has a form with four digits for the year.
const LAST_PLAIN_TIME_MS = 253402300799999n

/** A time in UTC to the second, as orders show it; a time beyond the year 9999 as its number. */
export function formatTime(ms: bigint): string {
  if (ms > LAST_PLAIN_TIME_MS) return `${ms} ms`
  return new Date(Number(ms))
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}

/** A time by the reader's own clock, to the minute and with the name of its zone; a time beyond the year 9999 as its number. */
export function localTime(ms: bigint, locale: Locale, timeZone?: string): string {
  if (ms > LAST_PLAIN_TIME_MS) return `${ms} ms`
  const fields = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
  return new Intl.DateTimeFormat(locale, { ...fields, ...(timeZone === undefined ? {} : { timeZone }) }).format(Number(ms))
}
