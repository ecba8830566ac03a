export { AvailabilityNote } from './availability-note.tsx'
import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconBuilding, IconDevice } from '@holdfast/ui'

export { PageKeyNote } from './page-key-note.tsx'

const namespace = 'teamMember'

export const feature: ConsoleFeature = {
  pages: {
    teamMember: () => import('./team-page.tsx').then((module) => module.TeamPage),
    loginHistory: () => import('./login-history-page.tsx').then((module) => module.LoginHistoryPage),
  },
  navigation: [
    { path: 'teamMember', label: { key: 'nav', namespace }, Icon: IconBuilding, shortcut: 'g o', order: 70 },
    { path: 'loginHistory', label: { key: 'history.title', namespace }, Icon: IconDevice, shortcut: 'g l', order: 83, under: 'settings' },
  ],
  places: [
    { path: 'teamMember?tab=policy', label: { key: 'tab.policy', namespace }, Icon: IconBuilding },
    { path: 'teamMember?tab=organisation', label: { key: 'tab.organisation', namespace }, Icon: IconBuilding },
  ],
  settings: [
    { key: 'profile', label: { key: 'own.profile', namespace }, order: 10, load: () => import('./own-profile.tsx').then((module) => module.OwnProfile) },
    { key: 'signIn', label: { key: 'own.signIn', namespace }, order: 30, load: () => import('./own-sign-in.tsx').then((module) => module.OwnSignIn) },
    { key: 'approvalKeys', label: { key: 'own.keys', namespace }, order: 50, load: () => import('./own-keys.tsx').then((module) => module.OwnKeys) },
  ],
}
