import type { SettingsPart } from '@holdfast/features/console-feature'

/** What the console itself has to set. */
export const preferences: SettingsPart = {
  key: 'preferences',
  label: { key: 'settings.preferences.title' },
  order: 20,
  load: () => import('./preferences-panel.tsx').then((module) => module.PreferencesPanel),
}
