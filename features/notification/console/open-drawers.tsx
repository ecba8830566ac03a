import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { Config } from './notification-page.tsx'
import type { ReceiverRow } from './status.ts'

const NotificationDetail = lazyDrawerBody(() => import('./notification-detail.tsx').then((module) => module.NotificationDetail))
const ReceiverForm = lazyDrawerBody(() => import('./receiver-form.tsx').then((module) => module.ReceiverForm))
const ResendForm = lazyDrawerBody(() => import('./resend-form.tsx').then((module) => module.ResendForm))
const RotateForm = lazyDrawerBody(() => import('./rotate-form.tsx').then((module) => module.RotateForm))

/** One notification whole. Resolves when its drawer closes. */
export async function openNotification(drawers: Drawers, { id, title, mayWrite }: { id: string; title: string; mayWrite: boolean }): Promise<void> {
  await drawers.push({ title, body: <NotificationDetail id={id} mayWrite={mayWrite} /> }, { width: 900 })
}

/** Adds a receiver, or changes the given one. */
export async function openReceiverForm(
  drawers: Drawers,
  { title, config, receiver }: { title: string; config: Config; receiver?: ReceiverRow },
): Promise<void> {
  await drawers.push({ title, body: <ReceiverForm needsCode={config.needs_code} receiver={receiver} /> })
}

/** Sends what failed in a while again. */
export async function openResendForm(drawers: Drawers, title: string): Promise<void> {
  await drawers.push({ title, body: <ResendForm /> })
}

/** Makes a new signing key. */
export async function openRotateForm(drawers: Drawers, { title, needsCode }: { title: string; needsCode: boolean }): Promise<void> {
  await drawers.push({ title, body: <RotateForm needsCode={needsCode} /> })
}
