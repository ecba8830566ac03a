import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const MemberDrawer = lazyDrawerBody(() => import('./member-drawer.tsx').then((module) => module.MemberDrawer))
const InviteDrawer = lazyDrawerBody(() => import('./invite-drawer.tsx').then((module) => module.InviteDrawer))

const WIDE = 900

/** All that is known of one member. Resolves when it is closed. */
export function openMemberDrawer(drawers: Drawers, userId: string, title: string): Promise<unknown> {
  return drawers.push({ title, body: <MemberDrawer userId={userId} /> }, { width: WIDE })
}

export function openInviteDrawer(drawers: Drawers, title: string): void {
  void drawers.push({ title, body: <InviteDrawer /> }, { maskClosable: false })
}
