import type { SystemTx } from '@holdfast/db'
import { passwordData, placeOf } from './password/password.ts'
import type { Sealer } from './seal-column.ts'

/**
 * Seals the secrets of authenticator apps that an older key sealed with the newest one. Answers how many there were. Throws where a value
 * does not open, and then renews none.
 */
export async function renewPasswordSeals(tx: SystemTx, sealer: Sealer): Promise<number> {
  const rows = await tx.selectFrom('login_credential').select(['org_id', 'id', 'data']).where('kind', '=', 'password').forUpdate().execute()
  let renewed = 0
  for (const row of rows) {
    const data = passwordData.parse(row.data)
    const totp = sealer.renew(placeOf({ orgId: row.org_id, id: row.id }), data.totp)
    if (totp === undefined) continue
    await tx
      .updateTable('login_credential')
      .set({ data: JSON.stringify({ ...data, totp }) })
      .where('org_id', '=', row.org_id)
      .where('id', '=', row.id)
      .execute()
    renewed++
  }
  return renewed
}
