import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { Action } from './action-drawer.tsx'
import type { Member } from './member-parts.tsx'

const ActionDrawer = lazyDrawerBody(() => import('./action-drawer.tsx').then((module) => module.ActionDrawer))

/** Something that changes a member, with what it asks for first. */
export function openActionDrawer(drawers: Drawers, member: Member, action: Action, title: string): void {
  void drawers.push({ title, body: <ActionDrawer member={member} action={action} /> })
}
