import { useSelection } from '@holdfast/features/wallet/console'

/** The wallet whose transactions are shown: the chosen one, else the first. One that was chosen once and is gone narrows to nothing. */
export function useChosenWallet(wallets: readonly { wallet_id: string }[] | undefined): string | undefined {
  const { wallet } = useSelection()
  return wallets?.find((each) => each.wallet_id === wallet?.id)?.wallet_id ?? wallets?.[0]?.wallet_id
}
