import { useEndpoint } from '@holdfast/client'
import { listAllSubWallets, listSubWallets } from '@holdfast/features/wallet/contract'
import { useEffect, useRef } from 'react'
import { type Filters, foreignSubWallets, forOtherWallet, withoutSubWallets } from './filters.ts'

const HIDDEN = 2
const MOST_HIDDEN = 200

type Narrow = (filtersOf: (present: Filters) => Filters) => void

/**
 * Keeps the list to what can be of its wallet: once another wallet is chosen it begins anew, without the sub-wallets of the one before. Those that an address
 * or a kept view brings along from elsewhere are taken off as well.
 */
export function useFiltersOfWallet(filters: Filters, walletId: string | undefined, narrow: Narrow): void {
  const before = useRef(walletId)
  useEffect(() => {
    const isOther = before.current !== undefined && before.current !== walletId
    before.current = walletId
    if (isOther) narrow(forOtherWallet)
  }, [walletId, narrow])
  const foreign = foreignSubWallets(filters, useSubWalletIds(filters, walletId)).join()
  useEffect(() => {
    if (foreign !== '') narrow((present) => withoutSubWallets(present, foreign.split(',')))
  }, [foreign, narrow])
}

/** The sub-wallets of the wallet, those that are hidden too; undefined while that is not known or not asked. */
function useSubWalletIds({ subWallets, everyWallet }: Filters, walletId: string | undefined): string[] | undefined {
  const isAsked = walletId !== undefined && !everyWallet && subWallets.length > 0
  const shown = useEndpoint(listAllSubWallets, { wallet_id: walletId ?? '' }, { enabled: isAsked })
  const ids = shown.data?.map((each) => each.sub_wallet_id)
  const isMissing = ids !== undefined && subWallets.some((id) => !ids.includes(id))
  const query = { wallet_id: walletId ?? '', app_show_status: HIDDEN, page_no: 1, page_size: MOST_HIDDEN }
  const hidden = useEndpoint(listSubWallets, query, { enabled: isAsked && isMissing, isAside: true })
  if (!isAsked || !ids || shown.isFetching) return undefined
  if (!isMissing) return ids
  if (!hidden.data || hidden.isFetching || hidden.data.pageTotal > MOST_HIDDEN) return undefined
  return [...ids, ...[...hidden.data.top_sub_wallet_list, ...hidden.data.sub_wallet_list].map((each) => each.sub_wallet_id)]
}
