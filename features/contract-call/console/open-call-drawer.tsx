import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

/** Whence a call is made: a sub-wallet, on a network with contracts; and what is written in the form at first. */
export type CallTarget = {
  subWallet: { id: string; name: string }
  chain: string
  network: string
  coin: string
  first?: Partial<TypedCall>
  /** What was typed before the person was signed out, where that is gone on with. */
  kept?: TypedCall
}

/** What is typed into the form. */
export type TypedCall = {
  contract: string
  how: 'data' | 'abi'
  data: string
  method: string
  abi: string
  signature: string
  texts: string[]
  amount: string
  remark: string
}

const CallDrawer = lazyDrawerBody(() => import('./call-drawer.tsx').then((module) => module.CallDrawer))

/** Opens the drawer that asks for a call of a contract. A click beside it does not close it, because what was typed would be lost. */
export function openCallDrawer(drawers: Drawers, { title, ...target }: CallTarget & { title: string }): void {
  void drawers.push({ title, body: <CallDrawer {...target} open={openCallDrawer} /> }, { maskClosable: false })
}
