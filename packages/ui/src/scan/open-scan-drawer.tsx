import type { Drawers } from '../drawer/drawer-context.ts'
import { lazyDrawerBody } from '../drawer/lazy-drawer-body.tsx'

export type ScanProps = {
  /** Takes the text of a code, or answers in words why not; then the next one is looked for. */
  take: (text: string) => string | undefined
}

const ScanDrawer = lazyDrawerBody(() => import('./scan-drawer.tsx').then((module) => module.ScanDrawer))

/** Opens the page of the drawer that reads a QR code. */
export function openScanDrawer(drawers: Drawers, { title, take }: ScanProps & { title: string }): void {
  void drawers.push({ title, body: <ScanDrawer take={take} /> })
}
