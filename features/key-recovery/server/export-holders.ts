import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { type KeyChange, keyChanges } from './key-change.ts'

/** The people an export is sealed to who have not said yet that the recipient named for them is theirs. */
export async function waitingHolders(tx: OrganisationTx, change: KeyChange): Promise<string[]> {
  const accepted = await tx
    .selectFrom('key_export_word')
    .select('person_id')
    .where('org_id', '=', tx.orgId)
    .where('change_id', '=', change.row.id)
    .where('accepted', '=', true)
    .execute()
  return (change.progress.holders ?? []).map((each) => each.personId).filter((id) => !accepted.some((each) => each.person_id === id))
}

/**
 * Takes a person's word that the recipient an export names for them is theirs, or that it is not, which ends the order. Only who is named can say it. The same
 * word again answers the same.
 */
export async function acceptExport(
  tx: OrganisationTx,
  needs: Pick<ServerContext, 'ports'>,
  { id, personId, accepted }: { id: string; personId: string; accepted: boolean },
): Promise<void> {
  const change = await keyChanges.read(tx, id, true)
  if (!change?.progress.holders?.some((each) => each.personId === personId)) throw new AppError('resource_not_found')
  const earlier = await tx
    .selectFrom('key_export_word')
    .select('accepted')
    .where('org_id', '=', tx.orgId)
    .where('change_id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  if (earlier) {
    if (earlier.accepted !== accepted) throw new AppError('state_changed')
    return
  }
  if (change.row.is_final) throw new AppError('state_changed')
  await tx.insertInto('key_export_word').values({ org_id: tx.orgId, change_id: id, person_id: personId, accepted, at: needs.ports.clock.nowMs() }).execute()
  if (accepted) await keyChanges.announce(tx, needs, change)
  else await keyChanges.move(tx, needs, change, { state: 'rejected', actor: personId, reason: 'the recipient named for them is not theirs' })
}
