import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = { pages: {} }
