import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconKey } from '@holdfast/ui'

const namespace = 'apiPage'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    'center/wallet/api': () => import('./api-page.tsx').then((module) => module.ApiPage),
    'center/wallet/api/addApi': () => import('./form/add-page.tsx').then((module) => module.AddPage),
    'center/wallet/api/editApi': () => import('./form/edit-page.tsx').then((module) => module.EditPage),
    'center/wallet/api/log': () => import('./log-page.tsx').then((module) => module.LogPage),
  },
  navigation: [
    { path: 'center/wallet/api', label: { key: 'api.nav', namespace }, Icon: IconKey, shortcut: 'g i', permission: 'api.read', order: 84, under: 'settings' },
  ],
  places: [{ path: 'center/wallet/api/log', label: { key: 'api.logTitle', namespace }, Icon: IconKey }],
}
