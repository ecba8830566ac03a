import { useEndpoint } from '@holdfast/client'
import { subWalletLabel, subWalletPath, useSelection, useWallets, walletLabel } from '@holdfast/features/wallet/console'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'

/** A sub-wallet that pays, by the name of its wallet and its own. */
export type Payer = { id: string; name: string }

/** The sub-wallets that can pay, and the wanted one, else the one in use, else the first. */
export function usePayers(wantedId: string | undefined) {
  const { wallets, error, refetch } = useWallets()
  const { wallet: inUse, subWallet } = useSelection()
  const open = wallets?.filter(({ state, retired }) => state === 'active' && !retired)
  const wallet = open?.find(({ wallet_id: id }) => id === inUse?.id) ?? open?.[0]
  // Of each wallet the list of all has the first ones alone.
  const { data: all } = useEndpoint(listAllSubWallets, { wallet_id: wallet?.wallet_id ?? '' }, { enabled: wallet !== undefined })
  const payers = open?.flatMap((each) =>
    (each === wallet && all ? all : each.sub_wallet_list).map(
      (own): Payer => ({ id: own.sub_wallet_id, name: subWalletPath({ wallet_name: walletLabel(each), sub_wallet_name: subWalletLabel(own) }) }),
    ),
  )
  const payer = [wantedId, subWallet?.id].map((id) => payers?.find((each) => each.id === id)).find(Boolean) ?? payers?.[0]
  return { payers, payer, error, refetch }
}
