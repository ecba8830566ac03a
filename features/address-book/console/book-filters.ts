import { readKeyword, readPage, readText, toAddress } from '@holdfast/ui/url-filters'

/** What the personal book is narrowed to; all of it is in the address of the page. */
export type BookFilters = { keyword: string; chain: string | undefined; page: number }

export function readBookFilters(search: URLSearchParams): BookFilters {
  return { keyword: readKeyword(search), chain: readText(search, 'chain', 64), page: readPage(search) }
}

export function writeBookFilters({ keyword, chain, page }: BookFilters): Record<string, string> {
  return toAddress({ q: keyword, chain, page })
}
