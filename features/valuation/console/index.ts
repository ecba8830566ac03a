import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconSliders } from '@holdfast/ui'

const namespace = 'strategyEngine'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: { valuation: () => import('./valuation-page.tsx').then((module) => module.ValuationPage) },
  navigation: [
    {
      path: 'valuation',
      label: { key: 'valuation.nav', namespace },
      Icon: IconSliders,
      shortcut: 'g u',
      permission: 'strategy.read',
      order: 49,
      under: 'strategyEngine',
    },
  ],
}
