import type { SeveralForm } from '@holdfast/features/console-feature'
import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { OrderSent } from './several-orders.ts'

/** The note beside the payment, for people alone. */
export type Noted = Record<'remark' | 'category' | 'tags', string>

export type PaySeveralProps = SeveralForm & {
  /** What was filled in before the person was signed out, if they resume that, and the orders where some were sent already. */
  kept?: { text: string; noted: Noted; orders?: OrderSent[] }
}

const PaySeveralDrawer = lazyDrawerBody(() => import('./pay-several-drawer.tsx').then((module) => module.PaySeveralDrawer))

/** Opens the page that pays several recipients. A click beside it does not close it, because the input would be lost. */
export function openPaySeveralDrawer(drawers: Drawers, { title, ...target }: PaySeveralProps & { title: string }): void {
  void drawers.push({ title, body: <PaySeveralDrawer {...target} open={openPaySeveralDrawer} /> }, { maskClosable: false, width: 900 })
}
