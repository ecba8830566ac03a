import type { OrganisationTx } from '@holdfast/db'

/** Whether a person has an authenticator app, whose code sensitive changes then need. */
export async function hasAuthenticator(tx: OrganisationTx, personId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('login_credential')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('kind', '=', 'password')
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
