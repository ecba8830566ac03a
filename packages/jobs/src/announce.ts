import { inParts, nextNumber, type OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { publish } from './outbox.ts'

/** What changed, such as `order.changed`. The program says which things there are. */
type Topic = `${string}.changed`
export type Announcement = { topic: Topic; ids: Record<string, string> }

/**
 * Tells of a change in the transaction that makes it: ids only, whoever cares asks for the present state. From here to the
 * end of the transaction no other of the organisation can tell anything, so call it last.
 */
export async function announce(tx: OrganisationTx, ports: Pick<Ports, 'clock' | 'random'>, topic: Topic, ids: Record<string, string>): Promise<void> {
  const nowMs = ports.clock.nowMs()
  await publish(tx, { id: newId(nowMs, ports.random), topic, payload: ids, nowMs })
}

/** Several changes of one transaction, told in this order. */
export async function announceAll(tx: OrganisationTx, ports: Pick<Ports, 'clock' | 'random'>, announcements: readonly Announcement[]): Promise<void> {
  const last = announcements.at(-1)
  if (!last) return
  const others = announcements.slice(0, -1)
  if (others.length > 0) {
    // As few statements as there can be for all but the last, which then wakes whoever listens: the fewer questions, the shorter the lock is held.
    const nowMs = ports.clock.nowMs()
    const first = await nextNumber(tx, 'outbox', others.length)
    const rows = others.map(({ topic, ids }, i) => ({
      org_id: tx.orgId,
      sequence: first + BigInt(i),
      id: newId(nowMs, ports.random),
      topic,
      payload: JSON.stringify(ids),
      created_at: nowMs,
    }))
    for (const part of inParts(rows)) await tx.insertInto('outbox').values(part).execute()
  }
  await announce(tx, ports, last.topic, last.ids)
}
