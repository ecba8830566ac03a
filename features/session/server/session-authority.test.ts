import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { AppError } from '@holdfast/contract'
import type { Database, OrganisationTx } from '@holdfast/db'
import type { Session, SessionAuthority } from '@holdfast/http'
import { newId, type OrganisationId } from '@holdfast/units'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../packages/db/src/testing/test-database.ts'
import { sessionAuthority } from './session-authority.ts'

const MINUTE = 60_000
const START_MS = Date.UTC(2026, 5, 1)

let db: Database
let orgId: OrganisationId
let personId: string
let hash: Uint8Array
let nowMs: number
let systemReads: number
let authority: SessionAuthority

before(async () => void (db = await openTestDatabase()))
after(() => db.close())
beforeEach(async () => {
  orgId = newId(START_MS, nodePorts.random) as OrganisationId
  personId = newId(START_MS, nodePorts.random)
  hash = new Uint8Array(createHash('sha256').update(personId).digest())
  nowMs = START_MS
  systemReads = 0
  const times = { created_at: START_MS, updated_at: START_MS }
  await db.asSystem(async (tx) => {
    await tx
      .insertInto('organisation')
      .values({ id: orgId, name: 'O', state: 'active', genesis_hash: nodePorts.random.bytes(32), created_at: START_MS })
      .execute()
    const person = {
      org_id: orgId,
      id: personId,
      name: 'Ada',
      login: `${personId}@example.org`,
      role: 'admin',
      state: 'active',
      language: 'en-US',
      failed_logins: 0,
      ...times,
    } as const
    await tx.insertInto('person').values(person).execute()
    const session = { id: hash, org_id: orgId, person_id: personId, created_at: START_MS, last_seen_at: START_MS, expires_at: START_MS + 720 * MINUTE }
    await tx.insertInto('session').values(session).execute()
  })
  const counted: Database = {
    ...db,
    readSystem: (act) => {
      systemReads++
      return db.readSystem(act)
    },
  }
  authority = sessionAuthority(counted, { nowMs: () => nowMs, monotonicMs: () => nowMs })
})

const setPerson = (change: object) => db.asSystem((tx) => tx.updateTable('person').set(change).where('id', '=', personId).execute())
const setSession = (change: object) => db.asSystem((tx) => tx.updateTable('session').set(change).where('id', '=', hash).execute())
const nameOf = (tx: OrganisationTx) => tx.selectFrom('person').select('name').where('id', '=', personId).executeTakeFirstOrThrow()

/** Reads the person's name, and says for which sessions it was read. */
async function readName() {
  const seen: (Session | undefined)[] = []
  const name = await authority.reading(hash, true, async (session) => {
    seen.push(session)
    if (!session) throw new AppError('signed_out')
    return (await db.readOrganisation(session.orgId, nameOf)).name
  })
  return { name, seen }
}

const refused = (name: string) => (cause: unknown) => cause instanceof AppError && cause.errorName === name

test('a session that is known is confirmed by the first question of what is read', async () => {
  assert.equal((await readName()).seen.length, 1)
  assert.equal(systemReads, 1)
  for (let i = 0; i < 3; i++) assert.deepEqual((await readName()).name, 'Ada')
  assert.equal(systemReads, 1)
})

test('what was read for a session that has ended is not answered', async () => {
  for (const end of [
    () => setSession({ revoked_at: START_MS + 1 }),
    () => setPerson({ state: 'removed' }),
    async () => void (nowMs += 16 * MINUTE),
    async () => void (nowMs += 721 * MINUTE),
  ]) {
    await readName()
    await end()
    await assert.rejects(readName(), refused('signed_out'))
    nowMs = START_MS
    await setPerson({ state: 'active' })
    await setSession({ revoked_at: null })
  }
})

test('a changed role has the call run again with the permissions of the new one', async () => {
  await readName()
  await setPerson({ role: 'viewer' })
  const { seen } = await readName()
  assert.deepEqual(
    seen.map((each) => each?.role),
    ['admin', 'viewer'],
  )
  assert.equal((await readName()).seen.length, 1)
})

test('a refusal is told only once the session is confirmed, and what asks nothing is confirmed too', async () => {
  const refuse = () => authority.reading(hash, false, async (session) => Promise.reject(new AppError(session ? 'not_permitted' : 'signed_out')))
  await readName()
  await assert.rejects(refuse(), refused('not_permitted'))
  await setSession({ revoked_at: START_MS + 1 })
  await assert.rejects(refuse(), refused('signed_out'))
})

test('what turns out to write is run again, and writes once', async () => {
  await readName()
  let times = 0
  await authority.reading(hash, false, async () => {
    times++
    await db.asOrganisation(orgId, (tx) => sql`update person set failed_logins = failed_logins + 1 where id = ${personId}`.execute(tx))
  })
  assert.equal(times, 2)
  const { failed_logins: written } = await db.asOrganisation(orgId, (tx) =>
    tx.selectFrom('person').select('failed_logins').where('id', '=', personId).executeTakeFirstOrThrow(),
  )
  assert.equal(written, 1)
})

test('reading keeps the session of a person alive, and polling does not', async () => {
  const lastSeen = async () =>
    Number((await db.asSystem((tx) => tx.selectFrom('session').select('last_seen_at').where('id', '=', hash).executeTakeFirstOrThrow())).last_seen_at)
  await readName()
  nowMs += MINUTE
  await authority.reading(hash, false, async (session) => db.readOrganisation(session!.orgId, nameOf))
  assert.equal(await lastSeen(), START_MS)
  await readName()
  assert.equal(await lastSeen(), nowMs)
})

test('the role of organisations learns of a session of its own organisation by the hash of its token, and of no other', async () => {
  const other = newId(START_MS, nodePorts.random) as OrganisationId
  const asked = (org: OrganisationId, of: Uint8Array) =>
    db.asOrganisation(
      org,
      async (tx) => (await sql<{ org_id: string | null }>`select org_id from holdfast_shown.session_of(${of})`.execute(tx)).rows[0]?.org_id,
    )
  assert.equal(await asked(orgId, hash), orgId)
  assert.equal(await asked(other, hash), null)
  assert.equal(await asked(orgId, new Uint8Array(32)), null)
  await assert.rejects(
    db.asOrganisation(orgId, (tx) => sql`select * from session`.execute(tx)),
    /permission denied/,
  )
})
