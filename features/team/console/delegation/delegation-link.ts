const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

type Days = { from: string | undefined; to: string | undefined }

/** How many days of the calendar lie from one to another, both counted; undefined while they are not two, or the last is before the first. */
export function daysIn({ from, to }: Days): number | undefined {
  if (from === undefined || to === undefined || !DAY.test(from) || !DAY.test(to)) return undefined
  // In UTC every day is as long as any other.
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return count >= 1 ? count : undefined
}

/** The approval page with these filled in: what is signed is read there once more, and nothing of a link is trusted. Undefined while days are missing. */
export function linkTo(url: string, { delegateId, from, to }: Days & { delegateId: string }): string | undefined {
  return daysIn({ from, to }) === undefined ? undefined : `${url}/${delegateId.replaceAll('-', '')}/${from}/${to}`
}
