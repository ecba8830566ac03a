import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconKey } from '@holdfast/ui'

export { KeyReminders } from './key-reminders.tsx'

const namespace = 'privateKeyRecovery'

export const feature: ConsoleFeature = {
  pages: { 'center/wallet/keyRecovery': () => import('./key-page.tsx').then((module) => module.KeyPage) },
  navigation: [
    {
      path: 'center/wallet/keyRecovery',
      label: { key: 'nav', namespace },
      Icon: IconKey,
      shortcut: 'g k',
      order: 50,
      badge: () => import('./key-badge.tsx').then((module) => module.KeyBadge),
    },
  ],
  walletTabs: [
    {
      key: 'recovery',
      label: { key: 'tab', namespace },
      order: 70,
      load: () => import('./recovery-section.tsx').then((module) => module.RecoverySection),
      isOfWallet: true,
    },
  ],
}
