import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconDownload } from '@holdfast/ui'

const namespace = 'coSigner'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    coSigner: () => import('./index-page.tsx').then((module) => module.CollectingPage),
    'coSigner/consolidationEdit': () => import('./rule-page.tsx').then((module) => module.RulePage),
    'coSigner/logs': () => import('./log-page.tsx').then((module) => module.LogPage),
    'coSigner/messageNotification': () => import('./notice-page.tsx').then((module) => module.NoticePage),
    'coSigner/fundsDetail': () => import('./funds-page.tsx').then((module) => module.FundsPage),
  },
  navigation: [
    {
      path: 'coSigner',
      label: { key: 'collect.nav', namespace },
      Icon: IconDownload,
      shortcut: 'g q',
      permission: 'co_signer.read',
      order: 42,
    },
  ],
}
