import type { MemberEventKind, OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { announce } from '@holdfast/jobs'
import { newId } from '@holdfast/units'

export type MemberChange = { personId: string; actor: string; kind: MemberEventKind; from?: string; to?: string; note?: string }

/** Writes what became of a member, in the transaction that makes it so, and tells open pages. The last thing a transaction does. */
export async function writeMemberEvent(
  tx: OrganisationTx,
  { ports }: { ports: Pick<ServerContext['ports'], 'clock' | 'random'> },
  change: MemberChange,
): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const { personId, actor, kind, from = null, to = null, note = '' } = change
  await tx
    .insertInto('member_event')
    .values({ org_id: tx.orgId, id: newId(nowMs, ports.random), person_id: personId, kind, actor, detail: JSON.stringify({ from, to, note }), at: nowMs })
    .execute()
  await announce(tx, ports, 'member.changed', { person_id: personId })
}
