import type { ConsoleFeature } from '@holdfast/features/console-feature'

export { FilingFields, filingRules, tagsIn } from './filing-fields.tsx'
export { openPaySeveralDrawer } from './open-pay-several-drawer.tsx'
export { openSendInscriptionDrawer } from './open-send-inscription-drawer.tsx'
export { openWithdrawDrawer, type WithdrawTarget } from './open-withdraw-drawer.tsx'

export const feature: ConsoleFeature = {
  coinActions: [{ order: 30, load: () => import('./withdraw-action.tsx').then((module) => module.WithdrawAction) }],
  ahead: [() => import('./withdraw-drawer.tsx')],
}
