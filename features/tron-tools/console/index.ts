import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconBolt } from '@holdfast/ui'

const namespace = 'tools'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: { 'tools/tronResourceMonitor': () => import('./monitor-page.tsx').then((module) => module.MonitorPage) },
  navigation: [
    {
      path: 'tools/tronResourceMonitor',
      label: { key: 'tronTools.nav', namespace },
      Icon: IconBolt,
      shortcut: 'g m',
      permission: 'tools.read',
      order: 55,
    },
  ],
}
