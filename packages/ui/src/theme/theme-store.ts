import { cssVariables, type ThemeMode } from './tokens.ts'

/** What the person chose; `system` follows the device. */
export type ThemeChoice = ThemeMode | 'system'

const STORAGE_KEY = 'holdfast.theme'

export function readThemeChoice(storage: Pick<Storage, 'getItem'>): ThemeChoice {
  const kept = storage.getItem(STORAGE_KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function keepThemeChoice(storage: Pick<Storage, 'setItem' | 'removeItem'>, choice: ThemeChoice): void {
  if (choice === 'system') storage.removeItem(STORAGE_KEY)
  else storage.setItem(STORAGE_KEY, choice)
}

/** Writes the palette's custom properties to the page's root element. */
export function applyTheme(root: HTMLElement, mode: ThemeMode): void {
  for (const [name, value] of Object.entries(cssVariables(mode))) root.style.setProperty(name, value)
  root.style.colorScheme = mode
  root.dataset.theme = mode
}
