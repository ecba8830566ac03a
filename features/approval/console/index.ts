import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconTask } from '@holdfast/ui'

export const feature: ConsoleFeature = {
  pages: { 'center/wallet/todo': () => import('./todo-page.tsx').then((module) => module.TodoPage) },
  navigation: [
    {
      path: 'center/wallet/todo',
      label: { key: 'approval.nav' },
      Icon: IconTask,
      shortcut: 'g d',
      order: 40,
      badge: () => import('./todo-badge.tsx').then((module) => module.TodoBadge),
    },
  ],
}
