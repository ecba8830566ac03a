import type { OrganisationTx } from '@holdfast/db'
import { keySettings, type KeySettings } from '../../settings-contract.ts'

/** The settings of a key in force, and which version of them that is. */
export type SettingsInForce = { version: number; settings: KeySettings }

/** The versions of settings that wait for nothing, the newest of each key first. */
const settled = (tx: OrganisationTx) =>
  tx
    .selectFrom('machine_settings as s')
    .leftJoin('policy_change as c', (join) => join.onRef('c.org_id', '=', 's.org_id').onRef('c.id', '=', 's.change_id'))
    .select(['s.machine_id', 's.version', 's.document'])
    .where('s.org_id', '=', tx.orgId)
    .where((row) => row.or([row('s.state', '=', 'in_force'), row.and([row('s.state', '=', 'with_policy'), row('c.state', '=', 'applied')])]))
    .orderBy('s.machine_id')
    .orderBy('s.version', 'desc')

/** The settings of one key; undefined where none are in force, which is as if it were off. */
export async function settingsOf(tx: OrganisationTx, machineId: string): Promise<SettingsInForce | undefined> {
  const row = await settled(tx).where('s.machine_id', '=', machineId).limit(1).executeTakeFirst()
  return row && { version: row.version, settings: keySettings.parse(row.document) }
}
