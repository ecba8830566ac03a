import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconDown } from '@holdfast/ui'

const namespace = 'collection'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    'center/collection': () => import('./list-page.tsx').then((module) => module.CollectorsPage),
    'center/collection/history': () => import('./history-page.tsx').then((module) => module.RunsPage),
    'center/collection/add': () => import('./form-page.tsx').then((module) => module.AddPage),
    'center/collection/edit/:id': () => import('./form-page.tsx').then((module) => module.EditPage),
    'center/collection/editThreshold/:id': () => import('./tokens-page.tsx').then((module) => module.TokensPage),
    'center/collection/detail/:id': () => import('./detail-page.tsx').then((module) => module.CollectorPage),
    'center/collection/collectionAuthSubWalletList/:id': () => import('./allowing-page.tsx').then((module) => module.AllowingPage),
  },
  navigation: [
    { path: 'center/collection', label: { key: 'collector.nav', namespace }, Icon: IconDown, shortcut: 'g y', permission: 'collection.read', order: 43 },
  ],
}
