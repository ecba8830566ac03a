import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const ClaimDrawer = lazyDrawerBody(() => import('./claim-drawer.tsx').then((module) => module.ClaimDrawer))

export type HeldDeposit = { id: string; subWallet: string; comments: readonly { memo: string; label: string | null }[] }

/** Opens the form that says whose a held payment is. */
export function openClaimDrawer(drawers: Drawers, { deposit, title }: { deposit: HeldDeposit; title: string }): void {
  void drawers.push({ title, body: <ClaimDrawer deposit={deposit} /> })
}
