import type { AnnouncedTopic } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { publish } from './outbox.ts'

/** What changed, such as `order.changed`. */
export type Announcement = { topic: AnnouncedTopic; ids: Record<string, string> }

/**
 * Tells of a change in the transaction that makes it: ids only, whoever cares asks for the present state. From here to the
 * end of the transaction no other of the organisation can tell anything, so call it last.
 */
export async function announce(tx: OrganisationTx, ports: Pick<Ports, 'clock'>, topic: AnnouncedTopic, ids: Record<string, string>): Promise<void> {
  await announceAll(tx, ports, [{ topic, ids }])
}

/** Several changes of one transaction, told in this order. */
export async function announceAll(tx: OrganisationTx, ports: Pick<Ports, 'clock'>, announcements: readonly Announcement[]): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const events = announcements.map(({ topic, ids }) => ({ topic, payload: ids }))
  await publish(tx, events, nowMs)
}
