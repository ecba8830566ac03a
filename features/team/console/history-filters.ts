import { dayLimits, readDay, readId, readOneOf, readPage, toAddress } from '@holdfast/ui/url-filters'

const RESULTS = ['ok', 'refused'] as const

/** What the login history is narrowed to; all of it stands in the address, so that a view can be kept and sent on. */
export type HistoryFilters = {
  user: string | undefined
  result: 'ok' | 'refused' | undefined
  /** Days, as the date fields write them: 2026-11-20. */
  from: string | undefined
  to: string | undefined
  page: number
}

/** The filters in an address. What is not understood is left out. */
export function readHistoryFilters(search: URLSearchParams): HistoryFilters {
  return {
    user: readId(search, 'user'),
    result: readOneOf(search, 'result', RESULTS),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    page: readPage(search),
  }
}

/** The address of filters; what is usual is left out. */
export function writeHistoryFilters(filters: HistoryFilters): Record<string, string> {
  return toAddress(filters)
}

/** The filters as the call takes them, without the page. */
export function historyInput({ user, result, from, to }: HistoryFilters) {
  return { ...(user ? { user_id: user } : {}), ...(result ? { result } : {}), ...dayLimits({ from, to }) }
}
