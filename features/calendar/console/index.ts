import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconTable } from '@holdfast/ui'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: { calendar: () => import('./calendar-page.tsx').then((module) => module.CalendarPage) },
  navigation: [{ path: 'calendar', label: { key: 'calendar.nav' }, Icon: IconTable, shortcut: 'g j', permission: 'policy.read', order: 41 }],
}
