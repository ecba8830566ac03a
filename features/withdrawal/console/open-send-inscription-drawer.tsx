import type { InscriptionForm } from '@holdfast/features/console-feature'
import { type Drawers, lazyDrawerBody } from '@holdfast/ui'

const SendInscriptionDrawer = lazyDrawerBody(() => import('./send-inscription-drawer.tsx').then((module) => module.SendInscriptionDrawer))

/** Opens the drawer that sends an inscribed token. A click beside it does not close it, because the input would be lost. */
export function openSendInscriptionDrawer(drawers: Drawers, { title, ...target }: InscriptionForm & { title: string }): void {
  void drawers.push({ title, body: <SendInscriptionDrawer {...target} /> }, { maskClosable: false })
}
