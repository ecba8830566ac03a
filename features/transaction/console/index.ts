export { openOrderDrawer } from './open-order-drawer.tsx'
export { useTakeBack } from './use-order-actions.ts'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadTransactionsPage = () => import('./list/transactions-page.tsx').then((module) => module.TransactionsPage)
export const loadOrderDetail = () => import('./record/order-detail.tsx')
export const loadReplaceDrawer = () => import('./record/replace-drawer.tsx')
