import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { OrganisationTx, SystemTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { Sealer } from '@holdfast/features/session/server'
import { publicKeyText, readPrivateKey } from '@holdfast/open-wire'
import { known, type OrganisationId } from '@holdfast/units'

type Needs = Pick<ServerContext, 'db' | 'ports'> & { sealer: Sealer }
type Place = { orgId: string; machineId: string }

const placeOf = ({ orgId, machineId }: Place) => ({ org: orgId, table: 'machine_rsa', column: 'sealed_secret', row: machineId })

/** Makes the pair of keys by which a key that calls at door two is answered, unless it has one. It stays the same as long as the key has its id. */
export async function makePlatformKey({ db, ports, sealer }: Needs, orgId: OrganisationId, machineId: string): Promise<void> {
  const there = await db.readOrganisation(orgId, (tx) => rowOf(tx, machineId))
  if (there) return
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const secret = Uint8Array.from(pair.privateKey.export({ format: 'der', type: 'pkcs8' }))
  const row = { machine_id: machineId, public_key: publicKeyText(pair.publicKey), sealed_secret: sealer.seal(placeOf({ orgId, machineId }), secret) }
  await db.asOrganisation(orgId, (tx) =>
    tx
      .insertInto('machine_rsa')
      .values({ org_id: tx.orgId, created_at: ports.clock.nowMs(), ...row })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

/** The private half of the key by which a key is answered at door two; undefined where it has none. */
export async function readPlatformKey(tx: OrganisationTx, sealer: Sealer, machineId: string) {
  const row = await rowOf(tx, machineId)
  if (!row) return undefined
  return known(readPrivateKey(sealer.open(placeOf({ orgId: tx.orgId, machineId }), row.sealed_secret)), 'the key of the platform')
}

/** The public halves of those keys, by the keys that they answer. */
export async function publicKeysOf(tx: OrganisationTx): Promise<Map<string, string>> {
  const rows = await tx.selectFrom('machine_rsa').select(['machine_id', 'public_key']).where('org_id', '=', tx.orgId).execute()
  return new Map(rows.map((row) => [row.machine_id, row.public_key]))
}

const rowOf = (tx: OrganisationTx, machineId: string) =>
  tx.selectFrom('machine_rsa').select('sealed_secret').where('org_id', '=', tx.orgId).where('machine_id', '=', machineId).executeTakeFirst()

/** Seals what an older key sealed with the newest one. Answers how many there were. Throws where a value does not open, and then renews none. */
export async function renewPlatformKeySeals(tx: SystemTx, sealer: Sealer): Promise<number> {
  const rows = await tx.selectFrom('machine_rsa').select(['org_id', 'machine_id', 'sealed_secret']).execute()
  let renewed = 0
  for (const row of rows) {
    const sealed = sealer.renew(placeOf({ orgId: row.org_id, machineId: row.machine_id }), row.sealed_secret)
    if (sealed === undefined) continue
    await tx.updateTable('machine_rsa').set({ sealed_secret: sealed }).where('org_id', '=', row.org_id).where('machine_id', '=', row.machine_id).execute()
    renewed++
  }
  return renewed
}
