import type { CoinPlace } from '@holdfast/features/console-feature'
import type { WalletParts } from '@holdfast/features/wallet/console'
import { lazyPart, LoadingState } from '@holdfast/ui'
import { inOrder } from './features.ts'

const PLACEHOLDER = <LoadingState rows={6} />

const homeParts = inOrder(({ homeParts: parts }) => parts).map(({ load, order }) => ({ order, Part: lazyPart(load) }))
const moneyParts = inOrder(({ moneyParts: parts }) => parts).map(({ load, order }) => ({ order, Part: lazyPart(load, PLACEHOLDER) }))
const actions = inOrder(({ coinActions }) => coinActions).map(({ load, order, isInMenu = false }) => ({ order, isInMenu, Action: lazyPart(load) }))

const composed = (isInMenu: boolean) => {
  const shown = actions.filter((each) => each.isInMenu === isInMenu)
  return (place: CoinPlace) => shown.map(({ order, Action }) => <Action key={order} {...place} />)
}

/** What the pages of a wallet are made of. */
export const walletParts: WalletParts = {
  HomeParts: () => homeParts.map(({ order, Part }) => <Part key={order} />),
  MoneyParts: (of) => moneyParts.map(({ order, Part }) => <Part key={order} {...of} />),
  tabs: inOrder(({ walletTabs }) => walletTabs).map((tab) =>
    tab.isOfWallet
      ? { key: tab.key, label: tab.label, families: tab.families, isOfWallet: true, Part: lazyPart(tab.load, PLACEHOLDER) }
      : { key: tab.key, label: tab.label, families: tab.families, isOfWallet: false, Part: lazyPart(tab.load, PLACEHOLDER) },
  ),
  CoinActions: composed(false),
  CoinMenu: composed(true),
}

/** Begins to fetch what stands in every row of coins. */
export function preloadCoinActions(): void {
  for (const { Action } of actions) Action.preload()
}
