import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconLock } from '@holdfast/ui'

const namespace = 'strategyEngine'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    workspaceStrategyEngine: () => import('./workspace-page.tsx').then((module) => module.WorkspacePage),
    'workspaceStrategyEngine/log': () => import('./log-page.tsx').then((module) => module.WorkspaceLogPage),
  },
  navigation: [
    {
      path: 'workspaceStrategyEngine',
      label: { key: 'workspace.title', namespace },
      Icon: IconLock,
      shortcut: 'g x',
      permission: 'strategy.read',
      order: 47,
      under: 'strategyEngine',
    },
  ],
  places: [{ path: 'workspaceStrategyEngine/log', label: { key: 'workspace.log.title', namespace }, Icon: IconLock }],
}
