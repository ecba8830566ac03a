import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { Member } from './member-parts.tsx'

const AwayDrawer = lazyDrawerBody(() => import('./away-drawer.tsx').then((module) => module.AwayDrawer))

export function openAwayDrawer(drawers: Drawers, member: Pick<Member, 'user_id'>, title: string): void {
  void drawers.push({ title, body: <AwayDrawer member={member} /> })
}
