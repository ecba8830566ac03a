import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const CreateWalletDrawer = lazyDrawerBody(() => import('./create-wallet-drawer.tsx').then((module) => module.CreateWalletDrawer))

/** Opens the drawer that creates a wallet. A click beside it does not close it, because the input would be lost. */
export function openCreateWalletDrawer(drawers: Drawers, title: string): void {
  void drawers.push({ title, body: <CreateWalletDrawer /> }, { maskClosable: false })
}
