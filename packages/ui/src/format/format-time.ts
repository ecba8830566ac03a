import type { Locale } from '../language/locale.ts'
import { dateFormat, relativeFormat } from './formatters.ts'

const MINUTE_MS = 60_000
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', MINUTE_MS],
  ['second', 1000],
]

const TO_THE_DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const
const TO_THE_SECOND = { ...TO_THE_DAY, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

const IN_WORDS = { numeric: 'auto' } as const

/** A moment for people, in their language and time zone: `20 Nov 2025, 14:03:22` or `2025年11月20日 14:03:22`. */
export function formatTime(ms: number, locale: Locale, timeZone?: string): string {
  return dateFormat(locale, TO_THE_SECOND, timeZone).format(ms)
}

/** A day for people: `20 Nov 2025` or `2025年11月20日`. */
export function formatDay(ms: number, locale: Locale, timeZone?: string): string {
  return dateFormat(locale, TO_THE_DAY, timeZone).format(ms)
}

/** How far away a moment is, in its largest unit: `in 7 days`, `2 minutes ago`. What is to come is rounded, so that seven days are seven when they begin. */
export function relativeTime(ms: number, nowMs: number, locale: Locale): string {
  const distance = ms - nowMs
  const [unit, lengthMs] = STEPS.find(([, length]) => Math.abs(distance) >= length) ?? ['second', 1000]
  return relativeFormat(locale, IN_WORDS).format(distance > 0 ? Math.round(distance / lengthMs) : Math.trunc(distance / lengthMs), unit)
}

/** The exact moment for machines and for hovering: `2025-11-20T14:03:22.000Z`. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
