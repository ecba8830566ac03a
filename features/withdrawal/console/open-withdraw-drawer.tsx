import type { PaymentForm } from '@holdfast/features/console-feature'
import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { ChosenFee } from './draft.ts'

export type WithdrawTarget = PaymentForm & {
  /** What was chosen before the person was signed out, if they resume that. */
  kept?: { chosenFee: ChosenFee; isGross: boolean; expireHours: number; from?: string }
}

const WithdrawDrawer = lazyDrawerBody(() => import('./withdraw-drawer.tsx').then((module) => module.WithdrawDrawer))

/** Opens the drawer for a payment. A click beside it does not close it, because the input would be lost. */
export function openWithdrawDrawer(drawers: Drawers, { title, ...target }: WithdrawTarget & { title: string }): void {
  void drawers.push({ title, body: <WithdrawDrawer {...target} open={openWithdrawDrawer} /> }, { maskClosable: false })
}
