import { loadAddressList, loadDepositDrawer } from '@holdfast/features/deposit-address/console'
import type { WalletParts } from '@holdfast/features/wallet/console'
import { lazyDrawerBody, lazyPart, LoadingState } from '@holdfast/ui'

/** What the pages of a wallet are made of, from the features that stand on wallets. */
export const walletParts: WalletParts = {
  AddressList: lazyPart(loadAddressList, <LoadingState rows={6} />),
  DepositDrawer: lazyDrawerBody(() => loadDepositDrawer().then((module) => module.DepositDrawer)),
}
