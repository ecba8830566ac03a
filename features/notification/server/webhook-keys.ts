import { createHash } from 'node:crypto'
import { nextNumber, type OrganisationTx, type SystemTx, type Tx } from '@holdfast/db'
import type { Sealer } from '@holdfast/features/session/server'
import type { Ports } from '@holdfast/ports'
import { ed25519 } from '@noble/curves/ed25519.js'

export type KeyNeeds = { ports: Pick<Ports, 'clock' | 'random'>; sealer: Sealer }
export type SigningKey = { keyId: string; sign(message: Uint8Array): Uint8Array }

const placeOf = (orgId: string, keyId: string) => ({ org: orgId, table: 'webhook_key', column: 'sealed_secret', row: keyId })

/**
 * The organisation's present key, and a new one where there is none. Whatever changes endpoints or keys begins with this, and
 * waits here until the change before it is done, so that two changes never meet. A lock on the key itself would not do: it is
 * another one after a change.
 */
export async function lockKey(tx: OrganisationTx, needs: KeyNeeds): Promise<{ number: bigint; keyId: string }> {
  await nextNumber(tx, 'webhook_key')
  const key = await tx.selectFrom('webhook_key').select(['number', 'key_id']).where('org_id', '=', tx.orgId).where('retired_at', 'is', null).executeTakeFirst()
  if (key) return { number: key.number, keyId: key.key_id }
  const { last } = await tx
    .selectFrom('webhook_key')
    .select((row) => row.fn.max('number').as('last'))
    .where('org_id', '=', tx.orgId)
    .executeTakeFirstOrThrow()
  const number = ((last as bigint | null) ?? 0n) + 1n
  return { number, keyId: await insertKey(tx, needs, number) }
}

/** Retires the present key and makes the next. Endpoints need the new public key before they accept what comes next. */
export async function rotateKey(tx: OrganisationTx, needs: KeyNeeds): Promise<{ from: string; to: string }> {
  const { number, keyId } = await lockKey(tx, needs)
  await tx.updateTable('webhook_key').set({ retired_at: needs.ports.clock.nowMs() }).where('org_id', '=', tx.orgId).where('number', '=', number).execute()
  return { from: keyId, to: await insertKey(tx, needs, number + 1n) }
}

async function insertKey(tx: OrganisationTx, { ports, sealer }: KeyNeeds, number: bigint): Promise<string> {
  const secret = ports.random.bytes(32)
  const publicKey = ed25519.getPublicKey(secret)
  const keyId = createHash('sha256').update(publicKey).digest('hex').slice(0, 16)
  await tx
    .insertInto('webhook_key')
    .values({
      org_id: tx.orgId,
      number,
      key_id: keyId,
      public_key: publicKey,
      sealed_secret: sealer.seal(placeOf(tx.orgId, keyId), secret),
      created_at: ports.clock.nowMs(),
      retired_at: null,
    })
    .execute()
  return keyId
}

/** The key that signs now. */
export async function readSigningKey(tx: Tx, sealer: Sealer, orgId: string): Promise<SigningKey> {
  const row = await tx
    .selectFrom('webhook_key')
    .select(['key_id', 'sealed_secret'])
    .where('org_id', '=', orgId)
    .where('retired_at', 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const secret = sealer.open(placeOf(orgId, row.key_id), row.sealed_secret)
  return { keyId: row.key_id, sign: (message) => ed25519.sign(message, secret) }
}

/** Seals what an older key sealed with the newest one. Answers how many there were. Throws where a value does not open, and then renews none. */
export async function renewWebhookSeals(tx: SystemTx, sealer: Sealer): Promise<number> {
  const rows = await tx.selectFrom('webhook_key').select(['org_id', 'number', 'key_id', 'sealed_secret']).execute()
  let renewed = 0
  for (const row of rows) {
    const sealed = sealer.renew(placeOf(row.org_id, row.key_id), row.sealed_secret)
    if (sealed === undefined) continue
    await tx.updateTable('webhook_key').set({ sealed_secret: sealed }).where('org_id', '=', row.org_id).where('number', '=', row.number).execute()
    renewed++
  }
  return renewed
}
