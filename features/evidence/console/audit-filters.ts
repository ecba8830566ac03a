import type { CallInput } from '@holdfast/contract'
import { dayLimits, readDay, readId, readKeyword, readOneOf, readPage, toAddress } from '@holdfast/ui/url-filters'
import { type listLog, LOG_KINDS } from '../contract.ts'

/** What the log is narrowed to; all of it stands in the address, so that a view can be kept and sent on. */
export type AuditFilters = {
  kind: (typeof LOG_KINDS)[number] | undefined
  person: string | undefined
  keyword: string
  /** Days, as the date fields write them: 2026-11-20. */
  from: string | undefined
  to: string | undefined
  page: number
}

/** The filters in an address. What is not understood is left out. */
export function readAuditFilters(search: URLSearchParams): AuditFilters {
  return {
    kind: readOneOf(search, 'kind', LOG_KINDS),
    person: readId(search, 'person'),
    keyword: readKeyword(search),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    page: readPage(search),
  }
}

/** The address of filters; what is usual is left out. */
export function writeAuditFilters({ keyword, ...others }: AuditFilters): Record<string, string> {
  return toAddress({ q: keyword, ...others })
}

/** The filters as the call takes them, without the page. */
export function auditInput({ kind, person, keyword, from, to }: AuditFilters): Omit<CallInput<typeof listLog>, 'page_no' | 'page_size'> {
  return { ...(kind ? { kind } : {}), ...(person ? { person_id: person } : {}), ...(keyword === '' ? {} : { keyword }), ...dayLimits({ from, to }) }
}
