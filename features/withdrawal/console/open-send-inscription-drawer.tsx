import type { InscriptionForm } from '@holdfast/features/console-feature'
import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const SendInscriptionDrawer = lazyDrawerBody(() => import('./send-inscription-drawer.tsx').then((module) => module.SendInscriptionDrawer))

/** Opens the drawer that asks for an inscribed token to be sent. A click beside it does not close it, because what was typed would be lost. */
export function openSendInscriptionDrawer(drawers: Drawers, { title, ...target }: InscriptionForm & { title: string }): void {
  void drawers.push({ title, body: <SendInscriptionDrawer {...target} /> }, { maskClosable: false })
}
