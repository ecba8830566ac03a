import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconDown } from '@holdfast/ui'

const namespace = 'collection'
const HOME = 'center/collection'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    [HOME]: () => import('./list-page.tsx').then((module) => module.CollectorsPage),
    [`${HOME}/history`]: () => import('./history-page.tsx').then((module) => module.RunsPage),
    [`${HOME}/add`]: () => import('./form-page.tsx').then((module) => module.AddPage),
    [`${HOME}/edit/:id`]: () => import('./form-page.tsx').then((module) => module.EditPage),
    [`${HOME}/editThreshold/:id`]: () => import('./tokens-page.tsx').then((module) => module.TokensPage),
    [`${HOME}/detail/:id`]: () => import('./detail-page.tsx').then((module) => module.CollectorPage),
    [`${HOME}/collectionAuthSubWalletList/:id`]: () => import('./allowing-page.tsx').then((module) => module.AllowingPage),
  },
  navigation: [{ path: HOME, label: { key: 'collector.nav', namespace }, Icon: IconDown, shortcut: 'g y', permission: 'collection.read', order: 43 }],
}
