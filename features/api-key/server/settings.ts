import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { announce } from '@holdfast/jobs'
import { apiKeyErrors } from '../errors.ts'
import { keySettings, type KeySettings } from '../settings-contract.ts'

/** The settings of a key in force, and which version of them that is. */
export type SettingsInForce = { version: number; settings: KeySettings; sinceMs: number }

/** The versions of settings that wait for nothing, the newest of each key first. */
const settled = (tx: OrganisationTx) =>
  tx
    .selectFrom('machine_settings as s')
    .leftJoin('policy_change as c', (join) => join.onRef('c.org_id', '=', 's.org_id').onRef('c.id', '=', 's.change_id'))
    .select(['s.machine_id', 's.version', 's.document', 's.made_at', 's.decided_at', 'c.updated_at as applied_at'])
    .where('s.org_id', '=', tx.orgId)
    .where((row) => row.or([row('s.state', '=', 'in_force'), row.and([row('s.state', '=', 'with_policy'), row('c.state', '=', 'applied')])]))
    .orderBy('s.machine_id')
    .orderBy('s.version', 'desc')

/** The settings of one key; undefined where none are in force, which is as if it were off. */
export async function settingsOf(tx: OrganisationTx, machineId: string): Promise<SettingsInForce | undefined> {
  const row = await settled(tx).where('s.machine_id', '=', machineId).limit(1).executeTakeFirst()
  return row && inForceOf(row)
}

/** The settings in force of all keys. */
export async function allSettings(tx: OrganisationTx): Promise<Map<string, SettingsInForce>> {
  const rows = await settled(tx).distinctOn('s.machine_id').execute()
  return new Map(rows.map((row) => [row.machine_id, inForceOf(row)]))
}

type Settled = { version: number; document: unknown; made_at: bigint; decided_at: bigint | null; applied_at: bigint | null }

const inForceOf = ({ version, document, made_at, decided_at, applied_at }: Settled): SettingsInForce => ({
  version,
  settings: keySettings.parse(document),
  sinceMs: Number(applied_at ?? decided_at ?? made_at),
})

/** Settings that wait: for a second person, or for the change of the policy that they came with. Those that newer ones overtook wait no more. */
export async function waitingSettings(tx: OrganisationTx, inForce: Map<string, SettingsInForce>) {
  const rows = await tx
    .selectFrom('machine_settings as s')
    .leftJoin('policy_change as c', (join) => join.onRef('c.org_id', '=', 's.org_id').onRef('c.id', '=', 's.change_id'))
    .leftJoin('person as p', (join) => join.onRef('p.org_id', '=', 's.org_id').onRef('p.id', '=', 's.made_by'))
    .select(['s.machine_id', 's.version', 's.base_version', 's.document', 's.state', 's.made_by', 's.made_at', 'p.name'])
    .where('s.org_id', '=', tx.orgId)
    .where((row) => row.or([row('s.state', '=', 'waiting'), row.and([row('s.state', '=', 'with_policy'), row('c.is_final', '=', false)])]))
    .orderBy('s.version')
    .execute()
  return rows.filter((row) => {
    const present = inForce.get(row.machine_id)?.version ?? 0
    return row.version > present && (row.state === 'with_policy' || row.base_version === present)
  })
}

/** Whether a key could do something by the second settings that it cannot by the first. A narrower range of addresses counts as another, so it is wider. */
export function isWider(from: KeySettings | undefined, to: KeySettings): boolean {
  if (!to.is_on) return false
  if (!from?.is_on) return true
  const isWithin = (inner: readonly string[], outer: readonly string[]) => inner.every((each) => outer.includes(each))
  const walletsStay = from.wallets === null || (to.wallets !== null && isWithin(to.wallets, from.wallets))
  return (
    !isWithinDoor(from.door_two, to.door_two) ||
    !walletsStay ||
    !isWithin(to.permissions, from.permissions) ||
    !isWithin(to.addresses, from.addresses) ||
    to.per_minute > from.per_minute
  )
}

/** Whether a key that calls at door two has the same keys, and is called back where it was and about no more. */
function isWithinDoor(from: KeySettings['door_two'], to: KeySettings['door_two']): boolean {
  if (to === null) return true
  if (to.request_key !== from?.request_key || to.sign_key !== from.sign_key) return false
  const { callback } = to
  return callback === null || (callback.url === from.callback?.url && callback.sides.every((each) => from.callback?.sides.includes(each)))
}

type Needs = Pick<ServerContext, 'ports'>

type Written = {
  machineId: string
  settings: KeySettings
  /** Null where the key itself writes them. */
  personId: string | null
}

/** Writes settings that come with a change of the policy, and count as soon as that is in force; the same change again writes nothing. */
export async function writeWithPolicy(tx: OrganisationTx, needs: Needs, written: Written, changeId: string): Promise<void> {
  const { machineId } = written
  const there = await tx.selectFrom('machine_settings').select('version').where('org_id', '=', tx.orgId).where('change_id', '=', changeId).executeTakeFirst()
  if (!there) await insert(tx, needs, written, { change_id: changeId, state: 'with_policy' }, (await settingsOf(tx, machineId))?.version ?? 0)
}

/** Writes settings on top of the version in force: those that narrow count at once, those that widen wait. Throws AppError where another is in force. */
export async function writeSettings(
  tx: OrganisationTx,
  needs: Needs,
  written: Written,
  baseVersion: number,
): Promise<{ version: number; state: 'in_force' | 'waiting' }> {
  const present = await settingsOf(tx, written.machineId)
  if ((present?.version ?? 0) !== baseVersion) throw new AppError('state_changed')
  const gains = isWider(present?.settings, written.settings) || gainsOnceOn(present?.settings, written.settings)
  const state = gains ? 'waiting' : 'in_force'
  return { version: await insert(tx, needs, written, { change_id: null, state }, baseVersion), state }
}

/** Whether a key could do more once it is on again: nobody widens one unseen while it is off. */
const gainsOnceOn = (from: KeySettings | undefined, to: KeySettings) => isWider(from && { ...from, is_on: true }, { ...to, is_on: true })

/** Switches a key off, whatever else is being decided of it. Nothing where it is off, or has no settings. */
export async function switchOff(tx: OrganisationTx, needs: Needs, machineId: string, personId: string | null): Promise<number> {
  const present = await settingsOf(tx, machineId)
  if (!present?.settings.is_on) return present?.version ?? 0
  const written = { machineId, settings: { ...present.settings, is_on: false }, personId }
  return insert(tx, needs, written, { change_id: null, state: 'in_force' }, present.version)
}

/** Writes a version, and tells the pages that are open. */
async function insert(
  tx: OrganisationTx,
  { ports }: Needs,
  { machineId, settings, personId }: Written,
  how: { change_id: string | null; state: 'waiting' | 'with_policy' | 'in_force' },
  baseVersion: number,
): Promise<number> {
  const newest = await tx
    .selectFrom('machine_settings')
    .select((row) => row.fn.max('version').as('version'))
    .where('org_id', '=', tx.orgId)
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
  const version = Math.max(newest?.version ?? 0, baseVersion) + 1
  const row = { org_id: tx.orgId, machine_id: machineId, version, document: JSON.stringify(settings), base_version: baseVersion, ...how }
  const written = tx.insertInto('machine_settings').values({ ...row, made_by: personId, made_at: ports.clock.nowMs(), decided_by: null, decided_at: null })
  const done = await written
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  if (!done) throw new AppError('state_changed')
  await announce(tx, ports, 'machine.changed', { machine_id: machineId })
  return version
}

/**
 * Confirms settings that wait for a second person, or takes them back, which whoever asked can do as well. Throws AppError where they wait no more, or were
 * overtaken by others.
 */
export async function decide(
  tx: OrganisationTx,
  { ports }: Needs,
  { machineId, version, isConfirmed, personId }: { machineId: string; version: number; isConfirmed: boolean; personId: string },
): Promise<void> {
  const row = await tx
    .selectFrom('machine_settings')
    .select(['state', 'made_by', 'base_version'])
    .where('org_id', '=', tx.orgId)
    .where('machine_id', '=', machineId)
    .where('version', '=', version)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  const inForce = (await settingsOf(tx, machineId))?.version ?? 0
  if (row.state !== 'waiting' || inForce !== row.base_version) throw new AppError('state_changed')
  if (isConfirmed && row.made_by === personId) throw new AppError(apiKeyErrors.key_needs_another_person)
  await tx
    .updateTable('machine_settings')
    .set({ state: isConfirmed ? 'in_force' : 'refused', decided_by: personId, decided_at: ports.clock.nowMs() })
    .where('org_id', '=', tx.orgId)
    .where('machine_id', '=', machineId)
    .where('version', '=', version)
    .execute()
  await announce(tx, ports, 'machine.changed', { machine_id: machineId })
}
