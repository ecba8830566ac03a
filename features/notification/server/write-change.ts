import type { OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'

export type Change = {
  endpointId: string | null
  /** Absent if the server did it by itself. */
  personId: string | null
  action: 'add' | 'save' | 'remove' | 'pause' | 'resume' | 'auto_pause' | 'rotate_key' | 'resend' | 'skip' | 'test'
  detail: Record<string, unknown>
}

/** Writes who changed what about the endpoints, in the transaction that does it. */
export async function writeChange(tx: OrganisationTx, ports: Pick<Ports, 'clock' | 'random'>, change: Change): Promise<void> {
  const nowMs = ports.clock.nowMs()
  await tx
    .insertInto('webhook_change')
    .values({
      org_id: tx.orgId,
      id: newId(nowMs, ports.random),
      endpoint_id: change.endpointId,
      person_id: change.personId,
      action: change.action,
      detail: JSON.stringify(change.detail),
      at: nowMs,
    })
    .execute()
}
