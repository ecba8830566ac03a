export { createSelectionStore, SelectionContext, type SelectionStore, useSelection, useSelectionStore } from './selection.ts'
export { useWallets } from './use-wallets.ts'
export { WalletSwitcher } from './wallet-switcher.tsx'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadWalletPage = () => import('./wallet-page.tsx').then((module) => module.WalletPage)
export const loadWalletCentrePage = () => import('./wallet-centre-page.tsx').then((module) => module.WalletCentrePage)
export const loadDepositDrawer = () => import('./deposit-drawer.tsx')
