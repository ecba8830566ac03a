import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconBolt } from '@holdfast/ui'

const namespace = 'tools'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    'tools/tronResourceMonitor': () => import('./monitor-page.tsx').then((module) => module.MonitorPage),
    'tools/tronAutoAgent': () => import('./agent/agent-page.tsx').then((module) => module.AgentPage),
    'tools/tronAutoAgent/accountList': () => import('./agent/accounts-page.tsx').then((module) => module.AccountsPage),
    'tools/tronAutoAgent/messageNotification': () => import('./agent/notices-page.tsx').then((module) => module.NoticesPage),
  },
  navigation: [
    {
      path: 'tools/tronResourceMonitor',
      label: { key: 'tronTools.nav', namespace },
      Icon: IconBolt,
      shortcut: 'g m',
      permission: 'tools.read',
      order: 55,
      under: 'tools',
    },
    {
      path: 'tools/tronAutoAgent',
      label: { key: 'tronAgent.nav', namespace },
      Icon: IconBolt,
      shortcut: 'g e',
      permission: 'tools.read',
      order: 56,
      under: 'tools',
    },
  ],
}
