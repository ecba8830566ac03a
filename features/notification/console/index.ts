import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconBolt } from '@holdfast/ui'

export const feature: ConsoleFeature = {
  pages: { transactionNotification: () => import('./notification-page.tsx').then((module) => module.NotificationPage) },
  navigation: [
    {
      path: 'transactionNotification',
      label: { key: 'notification.nav' },
      Icon: IconBolt,
      shortcut: 'g n',
      order: 81,
      permission: 'notification.read',
      under: 'settings',
    },
  ],
  recordActions: [{ order: 10, load: () => import('./record-actions.tsx').then((module) => module.RecordActions) }],
}
