import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = {
  walletTabs: [
    {
      key: 'resources',
      label: { key: 'resource.tab' },
      families: ['tron'],
      order: 40,
      load: () => import('./resources-part.tsx').then((module) => module.ResourcesPart),
    },
  ],
}
