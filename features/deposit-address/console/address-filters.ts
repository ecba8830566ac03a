import { readKeyword, readPage, readText, toAddress } from '@holdfast/ui/url-filters'

/** What the addresses of a sub-wallet are narrowed to; all of it is in the address of the page. */
export type AddressFilters = { keyword: string; chain: string | undefined; page: number }

export function readAddressFilters(search: URLSearchParams): AddressFilters {
  return { keyword: readKeyword(search), chain: readText(search, 'chain', 64), page: readPage(search) }
}

export function writeAddressFilters({ keyword, chain, page }: AddressFilters): Record<string, string> {
  return toAddress({ tab: 'addresses', q: keyword, chain, page })
}
