import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const TokenMarkDrawer = lazyDrawerBody(() => import('./token-mark-drawer.tsx').then((module) => module.TokenMarkDrawer))

/** Opens the drawer in which a token is marked as one whose balances differ from what it logs. */
export function openTokenMarkDrawer(drawers: Drawers, { title, ...token }: { title: string; chain: string; contract: string; symbol: string }): void {
  void drawers.push({ title, body: <TokenMarkDrawer {...token} /> })
}
