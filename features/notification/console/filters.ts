import { readDay, readId, readKeyword, readOneOf, readPage, toAddress } from '@holdfast/ui/url-filters'
import { NOTIFY_STATES, type NotifyState, SIDES } from '../contract.ts'

export const VIEWS = ['sent', 'receivers', 'changes'] as const
export type View = (typeof VIEWS)[number]

/** What notifications can be about, and tries. */
export const SHOWN_SIDES = [...SIDES, 'test'] as const

/** What the page shows; all of it stands in the address, so a view can be kept and sent on. */
export type Filters = {
  view: View
  side: (typeof SHOWN_SIDES)[number] | undefined
  status: NotifyState | undefined
  /** A webhook endpoint, by the word that links already have. */
  receiver: string | undefined
  wallet: string | undefined
  keyword: string
  /** Days, as the date fields write them: 2025-11-20. */
  from: string | undefined
  to: string | undefined
  page: number
}

/** The filters in an address. What is not understood is left out. */
export function readFilters(search: URLSearchParams): Filters {
  return {
    view: readOneOf(search, 'view', VIEWS) ?? 'sent',
    side: readOneOf(search, 'side', SHOWN_SIDES),
    status: readOneOf(search, 'status', NOTIFY_STATES),
    receiver: readId(search, 'receiver'),
    wallet: readId(search, 'wallet'),
    keyword: readKeyword(search),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    page: readPage(search),
  }
}

/** The address of filters; what is usual is left out. */
export function writeFilters({ view, keyword, ...others }: Filters): Record<string, string> {
  return toAddress({ view: view === 'sent' ? undefined : view, q: keyword, ...others })
}

/** Whether anything is narrowed. */
export function isNarrowed({ side, status, receiver, wallet, keyword, from, to }: Filters): boolean {
  return [side, status, receiver, wallet, keyword, from, to].some(Boolean)
}

/** What a date and a time field say together, in the reader's time zone; undefined if they say nothing. */
export function momentOf(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? new Date(text).getTime() : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
