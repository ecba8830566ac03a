import type { Database, SystemTx } from '@holdfast/db'
import type { Sealer } from '@holdfast/features/session/server'
import type { Ports } from '@holdfast/ports'
import { p256 } from '@noble/curves/nist.js'

export type KeyNeeds = { db: Database; ports: Pick<Ports, 'clock' | 'random'>; sealer: Sealer }
/** The key by which push services know this server: an uncompressed point, and its secret. */
export type PushKey = { publicKey: Uint8Array; secret: Uint8Array }

/** One key for the installation, which is no organisation's. */
const ID = 1
const PLACE = { org: '', table: 'push_key', column: 'sealed_secret', row: String(ID) }
/** So much randomness gives every key with the same probability. */
const SEED_BYTES = 48

/** The key of this server, made where there is none yet. */
export async function readPushKey(needs: KeyNeeds): Promise<PushKey> {
  const { db, sealer } = needs
  const row = (await db.readSystem(findKey)) ?? (await db.asSystem((tx) => makeKey(tx, needs)))
  return { publicKey: row.public_key, secret: sealer.open(PLACE, row.sealed_secret) }
}

const findKey = (tx: SystemTx) => tx.selectFrom('push_key').select(['public_key', 'sealed_secret']).where('id', '=', ID).executeTakeFirst()

async function makeKey(tx: SystemTx, { ports, sealer }: KeyNeeds) {
  const secret = p256.utils.randomSecretKey(ports.random.bytes(SEED_BYTES))
  const made = { public_key: p256.getPublicKey(secret, false), sealed_secret: sealer.seal(PLACE, secret) }
  await tx
    .insertInto('push_key')
    .values({ id: ID, ...made, created_at: ports.clock.nowMs() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Another server may have made it in the same moment: its key is the one.
  return (await findKey(tx)) ?? made
}

/** Seals what an older key sealed with the newest one. Answers how many there were. Throws where the value does not open. */
export async function renewPushSeals(tx: SystemTx, sealer: Sealer): Promise<number> {
  const row = await findKey(tx)
  const sealed = row && sealer.renew(PLACE, row.sealed_secret)
  if (sealed === undefined) return 0
  await tx.updateTable('push_key').set({ sealed_secret: sealed }).where('id', '=', ID).execute()
  return 1
}
