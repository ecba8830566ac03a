import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { SendInscriptionProps } from './send-inscription-drawer.tsx'

const SendInscriptionDrawer = lazyDrawerBody(() => import('./send-inscription-drawer.tsx').then((module) => module.SendInscriptionDrawer))

/** Opens the drawer that asks for an inscribed token to be sent. A click beside it does not close it, because what was typed would be lost. */
export function openSendInscriptionDrawer(drawers: Drawers, { title, ...target }: SendInscriptionProps & { title: string }): void {
  void drawers.push({ title, body: <SendInscriptionDrawer {...target} /> }, { maskClosable: false })
}
