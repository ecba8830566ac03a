export { openOrderDrawer } from './open-order-drawer.tsx'
export { useTakeBack } from './use-order-actions.ts'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadTransactionsPage = () => import('./transactions-page.tsx').then((module) => module.TransactionsPage)
export const loadOrderDetail = () => import('./order-detail.tsx')
export const loadReplaceDrawer = () => import('./replace-drawer.tsx')
