import { dayLimits, readDay, readOneOf, readPage, toAddress } from '@holdfast/ui/url-filters'

const METHODS = ['GET', 'POST'] as const
const DOOR = ['let_in', 'refused'] as const
const LONGEST = 64

/** What the log of calls is narrowed to; all of it stands in the address, so that a view can be kept and sent on. */
export type CallFilters = {
  app_id: string | undefined
  keyword: string | undefined
  method: (typeof METHODS)[number] | undefined
  http_code: string | undefined
  code: string | undefined
  ip: string | undefined
  refused: (typeof DOOR)[number] | undefined
  from: string | undefined
  to: string | undefined
  page: number
}

const textOf = (search: URLSearchParams, name: string) => search.get(name)?.trim().slice(0, LONGEST) || undefined

/** The filters in an address. What is not understood is left out. */
export function readCallFilters(search: URLSearchParams): CallFilters {
  return {
    app_id: textOf(search, 'app_id'),
    keyword: textOf(search, 'keyword'),
    method: readOneOf(search, 'method', METHODS),
    http_code: isStatus(search.get('http_code') ?? '') ? textOf(search, 'http_code') : undefined,
    code: textOf(search, 'code'),
    ip: textOf(search, 'ip'),
    refused: readOneOf(search, 'refused', DOOR),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    page: readPage(search),
  }
}

/** Three digits, as every status of HTTP has. */
export const isStatus = (text: string): boolean => /^\d{3}$/.test(text)

/** The address of filters; what is usual is left out. */
export const writeCallFilters = (filters: CallFilters): Record<string, string> => toAddress(filters)

/** The filters as the call takes them, without the page. */
export function callsInput({ from, to, app_id, keyword, method, http_code, code, ip, refused }: CallFilters) {
  const said = Object.entries({ app_id, keyword, method, http_code, code, ip, refused }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(said), ...dayLimits({ from, to }) }
}
