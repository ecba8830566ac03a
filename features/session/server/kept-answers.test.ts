import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { actForOrganisation, type Database, type OrganisationTx, restOnMemory } from '@holdfast/db'
import type { Again, Session, SessionAuthority } from '@holdfast/http'
import { newId, type OrganisationId } from '@holdfast/units'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../packages/db/src/testing/test-database.ts'
import { KeptAnswers } from '../../../packages/http/src/kept/kept-answers.ts'
import { sessionAuthority } from './session-authority.ts'

const START_MS = Date.UTC(2026, 5, 1)
const KEPT_FOR_MS = 10_000

let db: Database
let orgId: OrganisationId
let hash: Uint8Array
let nowMs: number
let server: Server

before(async () => void (db = await openTestDatabase({ poolSize: 16 })))
after(() => db.close())
beforeEach(async () => {
  nowMs = START_MS
  orgId = newId(START_MS, nodePorts.random) as OrganisationId
  const personId = newId(START_MS, nodePorts.random)
  hash = new Uint8Array(createHash('sha256').update(personId).digest())
  const founded = { id: orgId, name: 'O', state: 'active', genesis_hash: nodePorts.random.bytes(32), created_at: START_MS } as const
  const person = {
    org_id: orgId,
    id: personId,
    name: '0',
    login: `${personId}@example.org`,
    role: 'admin',
    state: 'active',
    language: 'en-US',
    failed_logins: 0,
    created_at: START_MS,
    updated_at: START_MS,
  } as const
  const times = { created_at: START_MS, last_seen_at: START_MS, expires_at: START_MS + 1e8 }
  await db.asSystem(async (tx) => {
    await tx.insertInto('organisation').values(founded).execute()
    await tx.insertInto('person').values(person).execute()
    await tx
      .insertInto('session')
      .values({ id: hash, org_id: orgId, person_id: personId, ...times })
      .execute()
  })
  server = serverOver(db)
})

type Act = (session: Session) => Promise<string>
type Server = { authority: SessionAuthority; read(act?: Act): Promise<{ answer: string; wasMade: boolean }>; admitted: number }

/** What a server process keeps for one call. */
function serverOver(database: Database): Server {
  const authority = sessionAuthority(database, { nowMs: () => nowMs, monotonicMs: () => nowMs })
  const kept = new KeptAnswers()
  const keyOf = ({ orgId: org, personId, role }: Session) => [org, personId, role].join()
  const self: Server = {
    authority,
    admitted: 0,
    read: async (act = readName) => {
      let wasMade = false
      const again: Again<Buffer> = {
        find: (session, atMs) => kept.find(keyOf(session), atMs),
        keep: (session, each) => kept.keep(keyOf(session), { ...each, untilMs: Math.min(each.untilMs, nowMs + KEPT_FOR_MS) }),
        admit: () => void self.admitted++,
      }
      const bytes = await authority.reading<Buffer>(
        hash,
        false,
        async (session) => {
          wasMade = true
          if (!session) throw new AppError('signed_out')
          return Buffer.from(await act(session))
        },
        again,
      )
      return { answer: String(bytes), wasMade }
    },
  }
  return self
}

const nameIn = async (tx: OrganisationTx) => (await tx.selectFrom('person').select('name').where('org_id', '=', tx.orgId).executeTakeFirstOrThrow()).name
const readName: Act = (session) => db.readOrganisation(session.orgId, nameIn)
const setName = (name: string) => db.asOrganisation(orgId, (tx) => tx.updateTable('person').set({ name }).where('org_id', '=', orgId).execute())
const setPerson = (change: object) => db.asSystem((tx) => tx.updateTable('person').set(change).where('org_id', '=', orgId).execute())
const setSession = (change: object) => db.asSystem((tx) => tx.updateTable('session').set(change).where('id', '=', hash).execute())

/** Reads until an answer is kept. */
async function keep(act?: Act): Promise<void> {
  for (let i = 0; i < 4; i++) if (!(await server.read(act)).wasMade) return
  assert.fail('nothing is kept')
}

test('what nobody wrote since is answered again, and what was written is seen at once', async () => {
  await keep()
  assert.deepEqual(await server.read(), { answer: '0', wasMade: false })
  await setName('1')
  assert.deepEqual(await server.read(), { answer: '1', wasMade: true })
  await keep()
  assert.deepEqual(await server.read(), { answer: '1', wasMade: false })
})

test('each answer that is given again is admitted as any other', async () => {
  await keep()
  const { admitted } = server
  await server.read()
  assert.equal(server.admitted, admitted + 1)
})

test('who is suspended, signed out or given another role gets nothing that was kept', async () => {
  for (const end of [() => setSession({ revoked_at: START_MS + 1 }), () => setPerson({ state: 'suspended' }), async () => void (nowMs += 16 * 60_000)]) {
    await keep()
    await end()
    await assert.rejects(server.read(), (cause: unknown) => cause instanceof AppError && cause.errorName === 'signed_out')
    nowMs = START_MS
    await setPerson({ state: 'active' })
    await setSession({ revoked_at: null })
  }
  await keep()
  await setPerson({ role: 'viewer' })
  const roles: string[] = []
  await server.read(async (session) => {
    roles.push(session.role)
    return readName(session)
  })
  assert.equal(roles.at(-1), 'viewer')
})

test('an answer is not given again once it is too old by the clock, or by the memory that it rests on', async () => {
  await keep()
  nowMs += KEPT_FOR_MS
  assert.equal((await server.read()).wasMade, true)
  const fromMemory: Act = (session) => {
    restOnMemory(nowMs + 1_000)
    return readName(session)
  }
  await setName('2')
  await keep(fromMemory)
  nowMs += 1_000
  assert.equal((await server.read(fromMemory)).wasMade, true)
})

test('an answer that rests on more than a revision covers is made each time', async () => {
  const system: Act = async (session) =>
    `${await readName(session)} ${(await db.readSystem((tx) => tx.selectFrom('session').select('id').execute())).length > 0}`
  const elsewhere: Act = async () => String((await db.readSystem((tx) => actForOrganisation(tx, orgId, nameIn))) !== '')
  for (const act of [system, elsewhere]) for (let i = 0; i < 3; i++) assert.equal((await server.read(act)).wasMade, true)
})

test('what two transactions read beside each other is not kept under a revision that one of them may precede', async () => {
  const beside: Act = async (session) => (await Promise.all([readName(session), readName(session)])).join()
  // So many connections are open from here on, the session is known, and nothing is kept yet.
  await Promise.all(Array.from({ length: 4 }, () => db.asOrganisation(orgId, nameIn)))
  await server.authority.resolve(hash, false)
  await server.read(beside)
  assert.equal((await server.read(beside)).wasMade, true)
})

test('a block that was read changes the answers that say how far chains were read, and no others', async () => {
  const height = () =>
    db.asSystem((tx) =>
      tx
        .insertInto('chain_cursor')
        .values({ chain: 'eip155:9', height: 1n, hash: '0x', updated_at: 1 })
        .onConflict((conflict) => conflict.column('chain').doUpdateSet({ height: sql<bigint>`chain_cursor.height + 1` }))
        .execute(),
    )
  await keep()
  await height()
  assert.equal((await server.read()).wasMade, false)
  // Nor does it count as a change where the answer was made again for another reason.
  nowMs += KEPT_FOR_MS
  await height()
  assert.equal((await server.read()).wasMade, true)
  assert.equal((await server.read()).wasMade, false)
  await setName('3')
  const heights: Act = (session) =>
    db.readOrganisation(session.orgId, async (tx) => String((await tx.selectFrom('chain_cursor').select('height').executeTakeFirst())?.height))
  await keep(heights)
  await height()
  assert.equal((await server.read(heights)).wasMade, true)
})

test('no reader of any process sees less than what was committed before it asked', async () => {
  const counter = (tx: Pick<OrganisationTx, 'updateTable'>) =>
    tx.updateTable('person').set({ failed_logins: sql<number>`failed_logins + 1` }).where('org_id', '=', orgId).returning('failed_logins')
  const read: Act = (session) =>
    db.asOrganisation(session.orgId, async (tx) => {
      const count = async () => (await tx.selectFrom('person').select('failed_logins').where('org_id', '=', orgId).executeTakeFirstOrThrow()).failed_logins
      // The second turn may see more than the first, and is what is answered.
      const first = await count()
      return String(Math.max(first, await count()))
    })
  const writers = [
    () => db.asOrganisation(orgId, async (tx) => counter(tx).executeTakeFirstOrThrow()),
    () => db.asSystem(async (tx) => counter(tx).executeTakeFirstOrThrow()),
    () => db.asSystem((tx) => actForOrganisation(tx, orgId, async (own) => counter(own).executeTakeFirstOrThrow())),
  ]
  let known = 0
  let given = 0
  const write = async (which: number, isTakenBack: boolean) => {
    if (isTakenBack) {
      const failing = db.asOrganisation(orgId, async (tx) => {
        await counter(tx).execute()
        throw new Error('taken back')
      })
      return failing.catch(() => {})
    }
    const { failed_logins: written } = await writers[which]!()
    known = Math.max(known, written)
  }
  const step = fc.record({ which: fc.nat(2), isTakenBack: fc.boolean(), reads: fc.integer({ min: 0, max: 12 }) })
  const property = fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 }), async (lines) => {
    const servers = [serverOver(db), serverOver(db)]
    await Promise.all(servers.map(({ authority }) => authority.resolve(hash, false)))
    const follow = async (steps: (typeof lines)[number], at: number) => {
      for (const { which, isTakenBack, reads } of steps) {
        if (at % 2 === 0) await write(which, isTakenBack)
        for (let i = 0; i < reads; i++) {
          const atLeast = known
          const { answer, wasMade } = await servers[(at + i) % 2]!.read(read)
          if (!wasMade) given++
          assert.ok(Number(answer) >= atLeast, `${answer} was answered after ${atLeast} was committed`)
        }
      }
    }
    await Promise.all(lines.map(follow))
  })
  await fc.assert(property, { numRuns: 40 })
  // Otherwise nothing was tried.
  assert.ok(given > 20, `${given} answers were given again`)
})
