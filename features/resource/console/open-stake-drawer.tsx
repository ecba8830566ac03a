import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { STAKE_ACTIONS } from '../contract.ts'

export type StakeAction = (typeof STAKE_ACTIONS)[number]

/** Whose stake an order is about, what is to be done, and what is known of it already. */
export type StakeTarget = {
  subWallet: { id: string; name: string }
  chain: string
  network: string
  symbol: string
  action: StakeAction
  given?: { resource?: 'energy' | 'bandwidth'; amount?: string; receiver?: string }
}

const StakeDrawer = lazyDrawerBody(() => import('./stake-drawer.tsx').then((module) => module.StakeDrawer))

/** Opens the drawer that asks for an order about stake. A click beside it does not close it, because what was typed would be lost. */
export function openStakeDrawer(drawers: Drawers, { title, ...target }: StakeTarget & { title: string }): void {
  void drawers.push({ title, body: <StakeDrawer {...target} /> }, { maskClosable: false })
}
