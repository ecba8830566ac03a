import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const DelegateDrawer = lazyDrawerBody(() => import('./delegate-drawer.tsx').then((module) => module.DelegateDrawer))

export function openDelegateDrawer(drawers: Drawers, title: string): void {
  void drawers.push({ title, body: <DelegateDrawer /> })
}
