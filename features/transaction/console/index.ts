import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconSwap } from '@holdfast/ui'

export { LabelFields, labelFacts, labelGiven, labelRules } from './label-fields.tsx'
export { openOrderDrawer } from './open-order-drawer.tsx'
export { type RecordParts, RecordPartsContext } from './record-parts.ts'
export { subStatusKey } from './status.ts'
export { useTakeBack } from './use-order-actions.ts'

export const feature: ConsoleFeature = {
  pages: { 'center/wallet/transactions': () => import('./list/transactions-page.tsx').then((module) => module.TransactionsPage) },
  navigation: [{ path: 'center/wallet/transactions', label: { key: 'transaction.nav' }, Icon: IconSwap, shortcut: 'g t', order: 30 }],
  moneyParts: [{ order: 10, load: () => import('./pending-panel.tsx').then((module) => module.PendingPanel) }],
  ahead: [() => import('./record/order-detail.tsx'), () => import('./record/replace-drawer.tsx')],
}
