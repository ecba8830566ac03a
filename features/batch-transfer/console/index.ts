import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconGrid, IconUpload } from '@holdfast/ui'

const namespace = 'tools'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    tools: () => import('./tools-page.tsx').then((module) => module.ToolsPage),
    'tools/batchTransfer': () => import('./batch-page.tsx').then((module) => module.BatchPage),
    'tools/batchTransfer/transferRecord': () => import('./record-page.tsx').then((module) => module.RecordPage),
  },
  navigation: [
    { path: 'tools', label: { key: 'batch.tools.nav', namespace }, Icon: IconGrid, shortcut: 'g z', permission: 'tools.read', order: 54 },
    {
      path: 'tools/batchTransfer',
      label: { key: 'batch.nav', namespace },
      Icon: IconUpload,
      shortcut: 'g h',
      permission: 'tools.read',
      order: 57,
      under: 'tools',
    },
  ],
}
