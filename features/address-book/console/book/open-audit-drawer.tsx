import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const AuditDrawer = lazyDrawerBody(() => import('./audit-drawer.tsx').then((module) => module.AuditDrawer))

/** One request about the whitelist: every address in it, who said what, and where it is decided. */
export function openBookAuditDrawer(drawers: Drawers, id: string, title: string): void {
  void drawers.push({ title, body: <AuditDrawer id={id} /> })
}
