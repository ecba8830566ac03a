import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const AbsenceDrawer = lazyDrawerBody(() => import('./absence-drawer.tsx').then((module) => module.AbsenceDrawer))
const LiftDrawer = lazyDrawerBody(() => import('./lift-drawer.tsx').then((module) => module.LiftDrawer))

/** Where it is asked that a signer is said to be away. */
export function openAbsenceDrawer(drawers: Drawers, party: number, title: string): void {
  void drawers.push({ title, body: <AbsenceDrawer party={party} /> })
}

/** Where it is asked that freezes are lifted. */
export function openLiftDrawer(drawers: Drawers, title: string): void {
  void drawers.push({ title, body: <LiftDrawer /> })
}
