const DAY_MS = 86_400_000

/** The month that a moment is in, of UTC: 2026-12. */
export const monthAt = (ms: number): string => new Date(ms).toISOString().slice(0, 7)

/** The month so many after another. */
export function monthAfter(month: string, count: number): string {
  return monthAt(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + count, 1))
}

/** Whether a text is a month that the calendar has. */
export const isMonth = (text: string): boolean => /^20\d\d-(0[1-9]|1[0-2])$/.test(text)

/** The weeks of a month, from Monday to Sunday; the places before its first day and after its last have none. */
export function weeksOf(month: string): (string | undefined)[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const days = (Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`) - first) / DAY_MS
  // Day 0 of a week is a Sunday.
  const before = (new Date(first).getUTCDay() + 6) % 7
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const day = week * 7 + weekday - before
      return day < 0 || day >= days ? undefined : `${month}-${String(day + 1).padStart(2, '0')}`
    }),
  )
}
