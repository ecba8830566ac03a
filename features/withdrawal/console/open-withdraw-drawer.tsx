import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { Coin, FeeBid } from './draft.ts'

/** What is paid from, the coin to begin with, and what an earlier order asked for where the same is ordered again. */
export type WithdrawTarget = {
  subWallet: { id: string; name: string }
  coin: { chain: string; symbol: string }
  /** One token of a collection, where that is sent and no coin. */
  token?: Coin
  again?: { to: string; amount: string; memo: string; remark: string; category: string; tags: string }
  /** What was chosen before the person was signed out, where that is gone on with. */
  kept?: { bid: FeeBid; isGross: boolean; expireHours: number }
}

const WithdrawDrawer = lazyDrawerBody(() => import('./withdraw-drawer.tsx').then((module) => module.WithdrawDrawer))

/** Opens the drawer that asks for a payment. A click beside it does not close it, because what was typed would be lost. */
export function openWithdrawDrawer(drawers: Drawers, { title, ...target }: WithdrawTarget & { title: string }): void {
  void drawers.push({ title, body: <WithdrawDrawer {...target} open={openWithdrawDrawer} /> }, { maskClosable: false })
}
