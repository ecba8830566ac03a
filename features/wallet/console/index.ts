export { createSelectionStore, SelectionContext, type SelectionStore, useSelection, useSelectionStore } from './selection.ts'
export { useWallets, type SubWallet, subWalletLabel } from './use-wallets.ts'
export { type WalletParts, WalletPartsContext } from './wallet-parts.ts'
export { WalletSwitcher } from './wallet-switcher.tsx'
export { IconQr } from './icons.tsx'
export { CoinAmount } from './money.tsx'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadWalletPage = () => import('./wallet-page.tsx').then((module) => module.WalletPage)
export const loadWalletCentrePage = () => import('./wallet-centre-page.tsx').then((module) => module.WalletCentrePage)
