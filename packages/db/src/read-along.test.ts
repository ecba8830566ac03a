import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { SYSTEM_ROLE } from './ensure-roles.ts'
import type { Database } from './open-database.ts'
import { readAlong } from './read-along.ts'
import { askAlong, type Tx } from './run-transaction.ts'
import { insertSampleRows, type SampleIds } from './testing/sample-rows.ts'
import { openTestDatabase } from './testing/test-database.ts'

describe('a query that goes along with other reads', () => {
  let db: Database
  let mine: SampleIds
  let theirs: SampleIds
  const backend = async (tx: Tx) =>
    (await sql<{ pid: number; at: string }>`select pg_backend_pid() as pid, transaction_timestamp()::text as at`.execute(tx)).rows[0]

  before(async () => {
    db = await openTestDatabase()
    mine = await insertSampleRows(db, 'mine')
    theirs = await insertSampleRows(db, 'theirs')
  })
  after(() => db.close())

  it('is sent in the first transaction of its organisation, and once', async () => {
    let times = 0
    const question = async (tx: Tx) => (times++, backend(tx))
    const { asked, ended } = await readAlong(mine.orgId, question, async () => {
      await db.readSystem(backend)
      const first = await db.readOrganisation(mine.orgId, backend)
      await db.asOrganisation(mine.orgId, backend)
      return first
    })
    assert.ok(ended.status === 'fulfilled' && asked)
    assert.deepEqual(asked, ended.value)
    assert.equal(times, 1)
  })

  it('is not sent for another organisation', async () => {
    const { asked, ended } = await readAlong(mine.orgId, backend, () => db.asOrganisation(theirs.orgId, backend))
    assert.equal(ended.status, 'fulfilled')
    assert.equal(asked, undefined)
  })

  it('makes every transaction read only, and lets those that were not awaited write again afterwards', async () => {
    const rename = () => db.asOrganisation(mine.orgId, (tx) => tx.updateTable('person').set({ name: 'Other' }).where('org_id', '=', tx.orgId).execute())
    const begun = Promise.withResolvers<void>()
    let later: Promise<unknown> | undefined
    const { ended } = await readAlong(mine.orgId, backend, async () => {
      later = begun.promise.then(rename)
      await rename()
    })
    assert.ok(ended.status === 'rejected')
    assert.equal((ended.reason as { code?: string }).code, '25006')
    begun.resolve()
    await later
  })

  it('lets no write be lost that would have travelled with the end of a transaction', async () => {
    const { ended } = await readAlong(mine.orgId, backend, () =>
      db.asOrganisation(mine.orgId, async (tx) => {
        await backend(tx)
        askAlong(tx, tx.updateTable('person').set({ name: 'Lost' }).where('org_id', '=', tx.orgId))
      }),
    )
    assert.ok(ended.status === 'rejected')
    assert.equal((ended.reason as { code?: string }).code, '25006')
  })

  it('enters its organisation in each turn, asks nothing more after one that failed, and leaves nothing behind', async (t) => {
    const asked: string[] = []
    const heard = await openTestDatabase({ onQuestion: (text) => asked.push(text), poolSize: 1 })
    t.after(() => heard.close())
    const own = await insertSampleRows(heard, 'own')
    const other = await insertSampleRows(heard, 'other')
    const owners = async (tx: Tx) => (await tx.selectFrom('wallet').select('org_id').execute()).map((row) => row.org_id)
    const reading = async (act: (tx: Tx) => Promise<unknown>) => (await readAlong(own.orgId, backend, () => heard.asOrganisation(own.orgId, act))).ended
    asked.length = 0
    assert.deepEqual(await reading(async (tx) => [await owners(tx), await owners(tx)]), { status: 'fulfilled', value: [[own.orgId], [own.orgId]] })
    assert.equal(asked.length, 2)
    for (const texts of asked) assert.match(texts, /^select set_config\('transaction_read_only', 'on', true\), set_config\('role'[^;]*; select /)
    const fail = (tx: Tx) => sql`select 1 / 0`.execute(tx).catch(() => {})
    const after = await reading(async (tx) => [await fail(tx), await owners(tx)])
    assert.equal(after.status === 'rejected' && (after.reason as { code?: string }).code, '22012')
    const unseen = await reading(fail)
    assert.equal(unseen.status === 'rejected' && (unseen.reason as Error).name, 'AbortedTransactionError')
    assert.deepEqual(await heard.asOrganisation(other.orgId, owners), [other.orgId])
    await heard.asOrganisation(own.orgId, (tx) => tx.updateTable('person').set({ name: 'Other' }).where('org_id', '=', tx.orgId).execute())
  })

  it('ends each transaction of the installation before another takes its connection', async (t) => {
    const narrow = await openTestDatabase({ poolSize: 1 })
    t.after(() => narrow.close())
    const role = async (tx: Tx) => (await sql<{ role: string }>`select current_user as role`.execute(tx)).rows[0]?.role
    const reading = readAlong(mine.orgId, undefined, () => Promise.all([narrow.asSystem(role), narrow.readSystem(role), narrow.asSystem(role)]))
    assert.deepEqual((await reading).ended, { status: 'fulfilled', value: [SYSTEM_ROLE, SYSTEM_ROLE, SYSTEM_ROLE] })
  })

  it('has no answer if its transaction fails', async () => {
    const { asked, ended } = await readAlong(
      mine.orgId,
      (tx) => sql`select 1 / 0`.execute(tx),
      () => db.asOrganisation(mine.orgId, backend),
    )
    assert.equal(asked, undefined)
    assert.equal(ended.status, 'rejected')
  })
})
