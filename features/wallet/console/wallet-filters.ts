import { readKeyword, readOneOf, toAddress } from '@holdfast/ui/url-filters'
import type { Wallet } from './use-wallets.ts'

export const SHOWN = ['all', 'held', 'open', 'closed', 'making', 'archived'] as const
export const SORTS = ['created', 'value', 'name'] as const

/** The filters and the order of the wallets; all of it is in the address. */
export type WalletFilters = { keyword: string; show: (typeof SHOWN)[number]; sort: (typeof SORTS)[number] }

/** The filters in an address. Invalid ones are left out. */
export function readWalletFilters(search: URLSearchParams): WalletFilters {
  return { keyword: readKeyword(search), show: readOneOf(search, 'show', SHOWN) ?? 'all', sort: readOneOf(search, 'sort', SORTS) ?? 'created' }
}

/** The address of filters; defaults are left out. */
export function writeWalletFilters({ keyword, show, sort }: WalletFilters): Record<string, string> {
  return toAddress({ q: keyword, show: show === 'all' ? undefined : show, sort: sort === 'created' ? undefined : sort })
}

type Judged = Pick<Wallet, 'wallet_name' | 'alias' | 'state' | 'deposits' | 'usd_balance' | 'usd_partial' | 'created_at' | 'top'>

/** The wallets that match, pinned ones first, then in the requested order. */
export function narrowWallets<W extends Judged>(wallets: readonly W[], { keyword, show, sort }: WalletFilters): W[] {
  const word = keyword.trim().toLowerCase()
  const matches = wallets.filter((wallet) => nameOf(wallet).includes(word) && isShown(wallet, show))
  const compare: Record<WalletFilters['sort'], (a: W, b: W) => number> = {
    created: (a, b) => a.created_at - b.created_at,
    name: (a, b) => (a.alias ?? a.wallet_name).localeCompare(b.alias ?? b.wallet_name),
    value: (a, b) => compareValues(b.usd_balance, a.usd_balance),
  }
  return matches.toSorted((a, b) => Number(b.top) - Number(a.top) || compare[sort](a, b))
}

function nameOf({ wallet_name, alias }: Judged): string {
  return `${wallet_name}\n${alias ?? ''}`.toLowerCase()
}

function isShown({ state, deposits, usd_balance }: Judged, show: WalletFilters['show']): boolean {
  // Holdings without a price may be worth something.
  if (show === 'held') return usd_balance === null || /[1-9]/.test(usd_balance)
  if (show === 'open') return state === 'active' && deposits === 'open'
  if (show === 'closed') return state === 'active' && deposits !== 'open'
  // Archived ones are a list of their own.
  return show === 'all' || show === 'archived' || state !== 'active'
}

/** Compares decimal texts by their digits, never by a float; unknown values come after zero. */
export function compareValues(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  const [wholeA = '', fractionA = ''] = a.split('.')
  const [wholeB = '', fractionB = ''] = b.split('.')
  return wholeA.length - wholeB.length || order(wholeA, wholeB) || order(fractionA, fractionB)
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether a value is known and below one dollar. */
export function isSmall(usd: string | null): boolean {
  return usd !== null && /^0(\.|$)/.test(usd)
}
