import { type Drawers, lazyDrawerBody } from '@holdfast/ui'
import type { EndpointRow } from './status.ts'

const NotificationDetail = lazyDrawerBody(() => import('./notification-detail.tsx').then((module) => module.NotificationDetail))
const EndpointForm = lazyDrawerBody(() => import('./endpoint-form.tsx').then((module) => module.EndpointForm))
const ResendForm = lazyDrawerBody(() => import('./resend-form.tsx').then((module) => module.ResendForm))
const RotateForm = lazyDrawerBody(() => import('./rotate-form.tsx').then((module) => module.RotateForm))

/** One notification whole. Resolves when its drawer closes. */
export async function openNotification(drawers: Drawers, { id, title, mayWrite }: { id: string; title: string; mayWrite: boolean }): Promise<void> {
  await drawers.push({ title, body: <NotificationDetail id={id} mayWrite={mayWrite} /> }, { width: 900 })
}

/** Adds an endpoint, or changes the given one. */
export async function openEndpointForm(drawers: Drawers, { title, endpoint }: { title: string; endpoint?: EndpointRow }): Promise<void> {
  await drawers.push({ title, body: <EndpointForm endpoint={endpoint} /> })
}

/** Sends what failed in a while again. */
export async function openResendForm(drawers: Drawers, title: string): Promise<void> {
  await drawers.push({ title, body: <ResendForm /> })
}

/** Makes a new signing key. */
export async function openRotateForm(drawers: Drawers, title: string): Promise<void> {
  await drawers.push({ title, body: <RotateForm /> })
}
