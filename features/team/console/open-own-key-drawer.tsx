import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const OwnKeyDrawer = lazyDrawerBody(() => import('./own-key-drawer.tsx').then((module) => module.OwnKeyDrawer))

/** A link with which whoever is signed in makes another approval key of their own. */
export function openOwnKeyDrawer(drawers: Drawers, name: string, title: string): void {
  void drawers.push({ title, body: <OwnKeyDrawer name={name} /> })
}
