import { useEndpoint } from '@holdfast/client'
import { chosenOf, subWalletLabel, subWalletPath, useSelection, useWallets, walletLabel } from '@holdfast/features/wallet/console'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { findPayer, type Payer } from './find-payer.ts'

/** The sub-wallets that can pay, and which of them does; both undefined until that is known. */
export function usePayers(wantedId: string | undefined) {
  const { wallets, error, refetch } = useWallets()
  const { wallet: inUse, subWallet } = useSelection()
  const open = wallets?.filter(({ state, retired }) => state === 'active' && !retired)
  const wallet = open && chosenOf(open, (each) => each.wallet_id, inUse?.id)
  // Of each wallet the list of all has the first ones alone.
  const { data: all, isPending } = useEndpoint(listAllSubWallets, { wallet_id: wallet?.wallet_id ?? '' }, { enabled: wallet !== undefined })
  const payers = open?.flatMap((each) =>
    (each === wallet && all ? all : each.sub_wallet_list).map(
      (own): Payer => ({ id: own.sub_wallet_id, name: subWalletPath({ wallet_name: walletLabel(each), sub_wallet_name: subWalletLabel(own) }) }),
    ),
  )
  const found = payers && findPayer(payers, { wantedId, inUseId: subWallet?.id, isWhole: wallet === undefined || !isPending })
  return { payers: found && payers, payer: found?.payer, isReplaced: found?.isReplaced ?? false, error, refetch }
}
