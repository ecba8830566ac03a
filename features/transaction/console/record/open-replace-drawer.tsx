import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const ReplaceDrawer = lazyDrawerBody(() => import('./replace-drawer.tsx').then((module) => module.ReplaceDrawer))

/** Opens the form that speeds a payment up or cancels it. */
export function openReplaceDrawer(drawers: Drawers, { orderId, isCancel, title }: { orderId: string; isCancel: boolean; title: string }): void {
  void drawers.push({ title, body: <ReplaceDrawer orderId={orderId} isCancel={isCancel} /> })
}
