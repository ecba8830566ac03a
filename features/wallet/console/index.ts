import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconGrid, IconWallet } from '@holdfast/ui'

export { chosenOf, createSelectionStore, SelectionContext, type SelectionStore, useSelection, useSelectionStore } from './selection.ts'
export { PRICES_EVERY_MS, useCurrentWallet, useWallets, type SubWallet, subWalletLabel, walletLabel } from './use-wallets.ts'
export { openCreateWalletDrawer } from './open-create-wallet-drawer.tsx'
export { PaymentFormsContext, usePaymentForm } from './payment-forms.ts'
export { type WalletParts, WalletPartsContext } from './wallet-parts.ts'
export { paySeveralPath, schedulePath } from './pay-several-path.ts'
export { WalletSwitcher } from './wallet-switcher.tsx'
export { WalletName } from './wallet-name.tsx'
export { subWalletPath } from '../sub-wallet-path.ts'
export { IconQr } from './icons.tsx'
export { CoinAmount, Worth } from './money.tsx'

export const feature: ConsoleFeature = {
  pages: {
    wallet: () => import('./wallet-page.tsx').then((module) => module.WalletPage),
    'center/wallet': () => import('./wallet-centre-page.tsx').then((module) => module.WalletCentrePage),
  },
  navigation: [
    { path: 'wallet', label: { key: 'wallet.nav.list' }, Icon: IconGrid, shortcut: 'g w', order: 10 },
    { path: 'center/wallet', label: { key: 'wallet.nav.centre' }, Icon: IconWallet, shortcut: 'g c', order: 20 },
  ],
  walletTabs: [{ key: 'coins', label: { key: 'wallet.tab' }, order: 10, load: () => import('./coin/coin-table.tsx').then((module) => module.CoinTable) }],
  palette: () => import('./wallet-palette.tsx').then((module) => module.WalletPalette),
}
