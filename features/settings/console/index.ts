import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconSliders } from '@holdfast/ui'

export { type ShownPart, SettingsPartsContext } from './settings-parts.ts'

export const feature: ConsoleFeature = {
  pages: { settings: () => import('./settings-page.tsx').then((module) => module.SettingsPage) },
  navigation: [{ path: 'settings', label: { key: 'settings.title' }, Icon: IconSliders, shortcut: 'g s', order: 80 }],
}
