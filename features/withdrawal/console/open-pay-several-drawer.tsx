import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { PaySeveralProps } from './pay-several-drawer.tsx'

const PaySeveralDrawer = lazyDrawerBody(() => import('./pay-several-drawer.tsx').then((module) => module.PaySeveralDrawer))

/** Opens the drawer that asks for one payment to several recipients. A click beside it does not close it, because what was typed would be lost. */
export function openPaySeveralDrawer(drawers: Drawers, { title, ...target }: PaySeveralProps & { title: string }): void {
  void drawers.push({ title, body: <PaySeveralDrawer {...target} /> }, { maskClosable: false, width: 900 })
}
