import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = {
  walletTabs: [
    { key: 'nfts', label: { key: 'nft.tab' }, families: ['evm'], order: 20, load: () => import('./nft-tokens.tsx').then((module) => module.NftTokens) },
  ],
}
