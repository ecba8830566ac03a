import type { WalletPlace } from '@holdfast/features/console-feature'
import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

export type DepositTarget = WalletPlace & { chain: string; symbol: string }

const DepositDrawer = lazyDrawerBody(() => import('./deposit-drawer.tsx').then((module) => module.DepositDrawer))

/** Opens the drawer that shows where a coin is received. */
export function openDepositDrawer(drawers: Drawers, { title, ...target }: DepositTarget & { title: string }): void {
  void drawers.push({ title, body: <DepositDrawer {...target} /> })
}
