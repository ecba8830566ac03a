import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconSwap } from '@holdfast/ui'

export { PaymentTag } from './schedule/payment-tag.tsx'

const namespace = 'coSigner'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    standingOrders: () => import('./standing-orders-page.tsx').then((module) => module.StandingOrdersPage),
    'standingOrders/schedule': () => import('./schedule/schedule-page.tsx').then((module) => module.SchedulePage),
  },
  navigation: [
    {
      path: 'standingOrders',
      label: { key: 'standing.nav', namespace },
      Icon: IconSwap,
      shortcut: 'g v',
      permission: 'policy.read',
      order: 48,
      under: 'strategyEngine',
    },
  ],
}
