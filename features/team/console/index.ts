import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconBuilding } from '@holdfast/ui'

export { PageKeyNote } from './page-key-note.tsx'

export const feature: ConsoleFeature = {
  pages: {
    teamMember: () => import('./team-page.tsx').then((module) => module.TeamPage),
    loginHistory: () => import('./login-history-page.tsx').then((module) => module.LoginHistoryPage),
  },
  navigation: [{ path: 'teamMember', label: { key: 'nav', namespace: 'teamMember' }, Icon: IconBuilding, shortcut: 'g o', order: 70 }],
}
