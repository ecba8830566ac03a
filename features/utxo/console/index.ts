import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = {
  walletTabs: [
    { key: 'utxo', label: { key: 'utxo.tab' }, families: ['bitcoin'], order: 30, load: () => import('./coins-part.tsx').then((module) => module.CoinsPart) },
  ],
}
