import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const ChangeDrawer = lazyDrawerBody(() => import('./change-drawer.tsx').then((module) => module.ChangeDrawer))
const ProposeDrawer = lazyDrawerBody(() => import('./propose-drawer.tsx').then((module) => module.ProposeDrawer))

const WIDTH = 900

/** The whole story of one change of the policy. */
export function openChangeDrawer(drawers: Drawers, id: string, title: string): void {
  void drawers.push({ title, body: <ChangeDrawer id={id} /> }, { width: WIDTH })
}

/** Where the next version of the policy is put together and proposed. */
export function openProposeDrawer(drawers: Drawers, title: string): void {
  void drawers.push({ title, body: <ProposeDrawer /> }, { width: WIDTH, maskClosable: false })
}
