import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { insertSampleRows, openTestDatabase, type SampleIds } from '@holdfast/db/test'
import { encode } from '@holdfast/encoding'
import { entryShape, leafHash } from '@holdfast/log'
import { sql } from 'kysely'
import { appendAlong, appendToLog } from './append-to-log.ts'

let db: Database
let ids: SampleIds
before(async () => {
  db = await openTestDatabase()
  ids = await insertSampleRows(db, 'logged')
})
after(() => db.close())

const entry = { genesis: new Uint8Array(32).fill(7), type: 'coin-lock' as const, body: new TextEncoder().encode('Locked by März'), atMs: 1_750_000_000_000 }
const setCounter = (value: bigint) =>
  db.asOrganisation(ids.orgId, (tx) =>
    sql`insert into counter (org_id, name, value) values (${tx.orgId}, 'log', ${value}) on conflict (org_id, name) do update set value = ${value}`.execute(tx),
  )
const stored = (sequence: bigint) =>
  db.asOrganisation(ids.orgId, (tx) => tx.selectFrom('log_entry').select(['bytes', 'leaf_hash']).where('sequence', '=', sequence).executeTakeFirst())

it('the bytes and the leaf of an entry are those of the encoding, however many bytes its sequence has', async () => {
  for (const sequence of [1_000n, 65_535n, 65_536n, 16_777_216n, (1n << 53n) - 1n]) {
    await setCounter(sequence)
    assert.equal(await db.asOrganisation(ids.orgId, (tx) => appendToLog(tx, entry)), Number(sequence))
    const row = await stored(sequence)
    const bytes = encode(entryShape, { genesis: entry.genesis, sequence, atMs: BigInt(entry.atMs), type: entry.type, body: entry.body })
    assert.deepEqual(new Uint8Array(row!.bytes), bytes)
    assert.deepEqual(new Uint8Array(row!.leaf_hash), leafHash(bytes))
  }
})

it('an entry that goes along is there exactly if what follows is', async () => {
  await setCounter(2_000n)
  await db.asOrganisation(ids.orgId, async (tx) => appendAlong(tx, entry))
  assert.ok(await stored(2_000n))
  const failing = db.asOrganisation(ids.orgId, async (tx) => {
    appendAlong(tx, entry)
    await sql`select 1`.execute(tx)
    throw new Error('what it tells of did not happen')
  })
  await assert.rejects(failing, /did not happen/)
  assert.equal(await stored(2_001n), undefined)
  assert.equal(await db.asOrganisation(ids.orgId, (tx) => appendToLog(tx, entry)), 2_001)
})
