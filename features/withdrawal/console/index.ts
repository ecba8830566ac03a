export { FilingFields, filingRules, tagsIn } from './filing-fields.tsx'
export { openPaySeveralDrawer } from './open-pay-several-drawer.tsx'
export { openSendInscriptionDrawer } from './open-send-inscription-drawer.tsx'
export { openWithdrawDrawer, type WithdrawTarget } from './open-withdraw-drawer.tsx'
export const loadWithdrawDrawer = () => import('./withdraw-drawer.tsx')
