import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { announce } from '@holdfast/jobs'
import { demandMembers } from './monitor.ts'

/** The members who are told where an address names nobody of its own. */
export async function readReceivers(tx: OrganisationTx) {
  const list = await tx
    .selectFrom('tron_receiver')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'tron_receiver.org_id').onRef('person.id', '=', 'tron_receiver.person_id'))
    .select(['tron_receiver.person_id', 'person.name'])
    .where('tron_receiver.org_id', '=', tx.orgId)
    .where('told', '=', true)
    .orderBy('person.name')
    .execute()
  return { list }
}

/** Has members told, or not told any longer. */
export async function setReceivers(tx: OrganisationTx, { ports }: Pick<ServerContext, 'ports'>, personIds: readonly string[], told: boolean): Promise<void> {
  await demandMembers(tx, personIds)
  const set = { told, updated_at: ports.clock.nowMs() }
  await tx
    .insertInto('tron_receiver')
    .values(personIds.map((personId) => ({ org_id: tx.orgId, person_id: personId, ...set })))
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id']).doUpdateSet(set))
    .execute()
  await announce(tx, ports, 'tron.changed', {})
}
