import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const NewAddressesDrawer = lazyDrawerBody(() => import('./new-addresses.tsx').then((module) => module.NewAddressesDrawer))

/** Opens the drawer in which further addresses of a sub-wallet are asked for. */
export function openNewAddresses(drawers: Drawers, { title, ...target }: { title: string; subWalletId: string; chain?: string | undefined }): void {
  void drawers.push({ title, body: <NewAddressesDrawer {...target} /> })
}
