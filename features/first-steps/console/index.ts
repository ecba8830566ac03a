import type { ConsoleFeature } from '@holdfast/features/console-feature'

export const feature: ConsoleFeature = {
  homeParts: [{ order: 10, load: () => import('./first-steps.tsx').then((module) => module.FirstSteps) }],
}
