import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = { palette: () => import('./search-palette.tsx').then((module) => module.SearchPalette) }
