import { AppError } from '@holdfast/contract'
import type { PublicContext } from '@holdfast/http'
import { sql } from 'kysely'
import type { SignInMethod } from '../../contract.ts'
import { sessionErrors } from '../../errors.ts'
import { enterSession, openSession, type SignedIn } from '../open-session.ts'
import { recordRefusal, type SessionServices } from '../session-services.ts'

export type FoundCredential = { id: string; orgId: string; personId: string; role: string; state: string; data: unknown }

/** The credential that is known by this key, with its person; of any organisation, since it is not known yet who speaks. */
export async function findCredential(services: SessionServices, kind: 'passkey' | 'device', lookup: Uint8Array): Promise<FoundCredential | undefined> {
  const row = await services.db.asSystem((tx) =>
    tx
      .selectFrom('login_credential')
      .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'login_credential.org_id').onRef('person.id', '=', 'login_credential.person_id'))
      .select(['login_credential.id', 'login_credential.org_id', 'login_credential.person_id', 'login_credential.data', 'person.role', 'person.state'])
      .where('login_credential.lookup', '=', lookup)
      .where('login_credential.kind', '=', kind)
      .where('login_credential.revoked_at', 'is', null)
      .executeTakeFirst(),
  )
  return row && { id: row.id, orgId: row.org_id, personId: row.person_id, role: row.role, state: row.state, data: row.data }
}

/**
 * Signs in by a credential that was proven. `change` are the fields of its data that move with each use (a counter);
 * `isUnchanged` guards against two uses at once. Throws AppError `organisation_suspended` or `sign_in_refused` by the person's state.
 */
export async function signInWith(
  services: SessionServices,
  context: PublicContext,
  method: SignInMethod,
  found: FoundCredential,
  change?: { field: string; value: number },
): Promise<SignedIn> {
  if (found.state !== 'active') {
    await recordRefusal(services, context, method, found.state === 'suspended' ? 'suspended' : 'not_active', found)
    throw new AppError(found.state === 'suspended' ? sessionErrors.organisation_suspended : sessionErrors.sign_in_refused)
  }
  const opened = await services.db.asSystem(async (tx) => {
    const nowMs = BigInt(services.ports.clock.nowMs())
    let update = tx
      .updateTable('login_credential')
      .where('org_id', '=', found.orgId)
      .where('id', '=', found.id)
      .where('revoked_at', 'is', null)
      .set({ last_used_at: sql<bigint>`greatest(created_at, ${nowMs})` })
    if (change) {
      // Only ever forward: of two that come with the same number, one finds it taken.
      update = update
        .set({ data: sql<string>`jsonb_set(data, array[${change.field}]::text[], to_jsonb(${change.value}::bigint))` })
        .where(sql<boolean>`(data->>${change.field}::text)::bigint < ${change.value}::bigint`)
    }
    const updated = await update.returning('id').executeTakeFirst()
    if (!updated) return undefined
    return openSession(services, tx, context, found, method)
  })
  if (opened) return enterSession(services, context, opened)
  await recordRefusal(services, context, method, 'used_already', found)
  throw new AppError(sessionErrors.sign_in_refused)
}
