import { readKeyword, toAddress } from '@holdfast/ui/url-filters'
import type { CoinAsset } from './coin-table.tsx'
import { isSmall } from '../wallet-filters.ts'

/** The filters on the coins of a sub-wallet; all of them are in the address. */
export type CoinFilters = { hideSmall: boolean; favouritesOnly: boolean; hideUnverified: boolean; keyword: string }

export function readCoinFilters(search: URLSearchParams): CoinFilters {
  return {
    hideSmall: search.get('small') === 'hidden',
    favouritesOnly: search.get('focus') === '1',
    hideUnverified: search.get('unverified') !== 'shown',
    keyword: readKeyword(search),
  }
}

/** The address of filters; defaults are left out: unknown tokens are hidden. */
export function writeCoinFilters({ hideSmall, favouritesOnly, hideUnverified, keyword }: CoinFilters): Record<string, string> {
  return toAddress({ small: hideSmall && 'hidden', focus: favouritesOnly && '1', unverified: !hideUnverified && 'shown', q: keyword })
}

type Judged = Pick<CoinAsset, 'symbol' | 'network' | 'contract_address' | 'usd' | 'focus' | 'pending_balance'>

/** The coins that match, favourites first. Coins with a pending deposit or without a price are never hidden as small. */
export function narrowCoins<C extends Judged>(coins: readonly C[], { hideSmall, favouritesOnly, keyword }: CoinFilters): C[] {
  const word = keyword.trim().toLowerCase()
  return coins
    .filter((coin) => `${coin.symbol}\n${coin.network}\n${coin.contract_address ?? ''}`.toLowerCase().includes(word))
    .filter((coin) => !favouritesOnly || coin.focus)
    .filter((coin) => !hideSmall || !isSmall(coin.usd) || /[1-9]/.test(coin.pending_balance))
    .toSorted((a, b) => Number(b.focus) - Number(a.focus))
}
