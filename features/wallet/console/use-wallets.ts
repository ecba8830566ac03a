import type { OutputOf } from '@holdfast/contract'
import { useFiat } from '@holdfast/features/price/console'
import { useEndpoint, withError } from '@holdfast/client'
import { useMemo } from 'react'
import { listAllSubWallets, listWallets } from '../contract.ts'
import { chosenOf } from './selection-store.ts'
import { useSelection } from './selection.ts'

export type Wallet = OutputOf<typeof listWallets>['wallet_list'][number]
export type SubWallet = OutputOf<typeof listAllSubWallets>[number]

/** Prices change without anybody's action. */
export const PRICES_EVERY_MS = 60_000

/** Every wallet the person may see, pinned ones first, and the totals of all. */
export function useWallets() {
  const { asked } = useFiat()
  const answer = useEndpoint(listWallets, { type: 0, need_stat: 1, ...asked }, { refetchEveryMs: PRICES_EVERY_MS })
  const { data, isPending } = answer
  // One list for as long as the answer is the same: effects that depend on it would otherwise run at each render.
  const wallets = useMemo(() => data && [...data.top_wallet, ...data.wallet_list], [data])
  return withError(answer, { wallets, archivedCount: data?.archived_count ?? 0, stat: data?.stat ?? undefined, isPending })
}

/** The wallets that were put away, where they are asked for. */
export function useArchivedWallets(enabled: boolean) {
  const { asked } = useFiat()
  const answer = useEndpoint(listWallets, { archived: true, ...asked }, { enabled })
  const { data } = answer
  return withError(answer, { wallets: data && [...data.top_wallet, ...data.wallet_list] })
}

/** The wallet in use: the chosen one, else the first. */
export function useCurrentWallet() {
  const { wallet } = useSelection()
  const answer = useWallets()
  const { wallets } = answer
  return withError(answer, { wallet: wallets && chosenOf(wallets, (each) => each.wallet_id, wallet?.id), isKnown: wallets !== undefined })
}

/** The sub-wallets of a wallet and the one in use: the chosen one, else the first. */
export function useSubWallets(walletId: string) {
  const { subWallet } = useSelection()
  const answer = useEndpoint(listAllSubWallets, { wallet_id: walletId })
  const { data } = answer
  return withError(answer, { subWallets: data, current: data && chosenOf(data, (each) => each.sub_wallet_id, subWallet?.id) })
}

/** The name that people use for a wallet. */
export function walletLabel(wallet: Pick<Wallet, 'wallet_name' | 'alias'>): string {
  return wallet.alias ?? wallet.wallet_name
}

/** The name that people use for a sub-wallet within its wallet. */
export function subWalletLabel(subWallet: Pick<SubWallet, 'sub_wallet_name' | 'alias'>): string {
  return subWallet.alias ?? subWallet.sub_wallet_name
}
