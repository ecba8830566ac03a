import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = {
  settings: [{ key: 'devices', label: { key: 'push.title' }, order: 45, load: () => import('./own-devices.tsx').then((module) => module.OwnDevices) }],
}
