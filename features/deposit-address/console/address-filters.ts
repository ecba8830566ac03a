import { readKeyword, readPage, readText, toAddress } from '@holdfast/ui/url-filters'

/** What the addresses of a sub-wallet are narrowed to; all of it is in the address of the page. */
export type AddressFilters = { keyword: string; chain: string | undefined; state: AddressState | undefined; page: number }

/** Used is an address that money ever came to; funded one that has some now. */
export const ADDRESS_STATES = ['unused', 'used', 'funded'] as const
export type AddressState = (typeof ADDRESS_STATES)[number]

export function readAddressFilters(search: URLSearchParams): AddressFilters {
  return {
    keyword: readKeyword(search),
    chain: readText(search, 'chain', 64),
    state: ADDRESS_STATES.find((each) => each === search.get('state')),
    page: readPage(search),
  }
}

export function writeAddressFilters({ keyword, chain, state, page }: AddressFilters): Record<string, string> {
  return toAddress({ tab: 'addresses', q: keyword, chain, state, page })
}
