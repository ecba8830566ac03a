import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../open-database.ts'
import { partOfRevision } from './revisions.ts'
import { actForOrganisation, type OrganisationTx, type Tx } from '../run-transaction.ts'
import { insertSampleRows, type SampleIds } from '../testing/sample-rows.ts'
import { asOwner, openTestDatabase } from '../testing/test-database.ts'

const askRevision = async (tx: OrganisationTx) => (await sql<{ now: string }>`select holdfast_shown.revision() as now`.execute(tx)).rows[0]!.now
const rename = (tx: OrganisationTx, name: string) => tx.updateTable('wallet').set({ name }).where('org_id', '=', tx.orgId).execute()

describe('the revision of an organisation', () => {
  let db: Database
  let mine: SampleIds
  let theirs: SampleIds
  const revisionOf = ({ orgId }: SampleIds) => db.readOrganisation(orgId, askRevision)
  /** How the revision of each changed: what `act` wrote that its reads see, and whether heights changed. */
  const raisedBy = async (act: () => Promise<unknown>) => {
    const before = [await revisionOf(mine), await revisionOf(theirs)]
    await act()
    const now = [await revisionOf(mine), await revisionOf(theirs)]
    const differs = (readHeights: boolean) => before.map((each, i) => partOfRevision(each, readHeights) !== partOfRevision(now[i]!, readHeights))
    return { rows: differs(false), any: differs(true) }
  }
  const NONE = { rows: [false, false], any: [false, false] }
  const MINE = { rows: [true, false], any: [true, false] }
  const BOTH = { rows: [true, true], any: [true, true] }

  before(async () => {
    db = await openTestDatabase()
    mine = await insertSampleRows(db, 'mine')
    theirs = await insertSampleRows(db, 'theirs')
  })
  after(() => db.close())

  it('is raised by a row that is written in its name, and by no statement that writes none', async () => {
    assert.deepEqual(await raisedBy(() => db.asOrganisation(mine.orgId, (tx) => rename(tx, 'a'))), MINE)
    const nothing = (tx: OrganisationTx) => tx.updateTable('wallet').set({ name: 'b' }).where('org_id', '=', tx.orgId).where('name', '=', 'no such').execute()
    assert.deepEqual(await raisedBy(() => db.asOrganisation(mine.orgId, nothing)), NONE)
  })

  it('is none where nothing counts, as on an engine without triggers', async () => {
    await asOwner(db, (client) => client.query('delete from holdfast_private.revision where writer = 0'))
    assert.equal(await revisionOf(mine), null)
    await asOwner(db, (client) => client.query("insert into holdfast_private.revision select '00000000-0000-0000-0000-000000000000', 0, 0"))
    assert.notEqual(await revisionOf(mine), null)
  })

  it('is raised by what the installation writes of it, named or not, and by deleting', async () => {
    const byName = () => db.asSystem((tx) => actForOrganisation(tx, mine.orgId, (own) => rename(own, 'c')))
    assert.deepEqual(await raisedBy(byName), MINE)
    const wallet = () => db.asSystem((tx) => tx.updateTable('wallet').set({ name: 'd' }).where('org_id', '=', mine.orgId).execute())
    assert.deepEqual(await raisedBy(wallet), MINE)
    assert.deepEqual(await raisedBy(() => db.asSystem((tx) => tx.updateTable('wallet').set({ name: 'e' }).execute())), BOTH)
    const remove = () => db.asSystem((tx) => tx.deleteFrom('idempotency').where('org_id', '=', mine.orgId).execute())
    assert.deepEqual(await raisedBy(remove), MINE)
  })

  it('is raised for everybody by what all share, and apart from that by how far chains have been read', async () => {
    const asset = (tx: Tx) => tx.updateTable('asset').set({ name: 'Other name' }).execute()
    assert.deepEqual(await raisedBy(() => db.asSystem(asset)), BOTH)
    const height = (tx: Tx) => tx.insertInto('chain_cursor').values({ chain: 'eip155:77', height: 1n, hash: '0x', updated_at: 1 }).execute()
    assert.deepEqual(await raisedBy(() => db.asSystem(height)), { rows: [false, false], any: [true, true] })
    const move = (by: number) => () =>
      db.asSystem((tx) =>
        tx
          .updateTable('chain_cursor')
          .set({ height: sql<bigint>`height + ${by}` })
          .where('chain', '=', 'eip155:77')
          .execute(),
      )
    assert.deepEqual(await raisedBy(move(1)), { rows: [false, false], any: [true, true] })
    // What was final may be so no longer.
    assert.deepEqual(await raisedBy(move(-1)), BOTH)
  })

  it('is not raised by what was taken back, also where a part of a transaction was', async () => {
    const failing = () => db.asOrganisation(mine.orgId, (tx) => rename(tx, 'f').then(() => Promise.reject(new Error('taken back')))).catch(() => {})
    assert.deepEqual(await raisedBy(failing), NONE)
    const inPart = () =>
      db.asOrganisation(mine.orgId, async (tx) => {
        await sql`savepoint part`.execute(tx)
        await rename(tx, 'g')
        await sql`rollback to savepoint part`.execute(tx)
        await rename(tx, 'h')
      })
    assert.deepEqual(await raisedBy(inPart), MINE)
  })

  it('is seen with the commit and not before, and once for each transaction', async () => {
    const before = await revisionOf(mine)
    await db.asOrganisation(mine.orgId, async (tx) => {
      await rename(tx, 'i')
      await rename(tx, 'j')
      assert.equal(await revisionOf(mine), before)
    })
    const rowsOf = (revision: string) => Number(/\/(\d+) /.exec(revision)?.[1])
    assert.equal(rowsOf(await revisionOf(mine)), rowsOf(before) + 1)
  })

  it('makes no writer of an organisation wait for another one', async () => {
    await db.asOrganisation(mine.orgId, async (tx) => {
      await rename(tx, 'k')
      // Would wait for ever if both had to write the same row: the first ends after the second.
      await db.asOrganisation(mine.orgId, (other) => other.updateTable('sub_wallet').set({ name: 'k' }).where('org_id', '=', other.orgId).execute())
    })
  })

  it('only grows when connections come and go, and keeps few rows', async () => {
    let last = await revisionOf(mine)
    const rowsOf = (revision: string) => Number(/\/(\d+) /.exec(revision)?.[1])
    for (let i = 0; i < 10; i++) {
      // The owner opens a connection of its own each time.
      await asOwner(db, (client) => client.query('update wallet set name = $1 where org_id = $2', [`w${i}`, mine.orgId]))
      const now = await revisionOf(mine)
      assert.equal(rowsOf(now), rowsOf(last) + 1)
      last = now
    }
    let writers = 0
    await asOwner(db, async (client) => {
      const { rows } = await client.query<{ n: number }>('select count(*)::int as n from holdfast_private.revision where scope = $1', [mine.orgId])
      writers = rows[0]!.n
    })
    // Those of the pools, and of who came last.
    assert.ok(writers <= 21, `${writers} rows`)
  })

  it('is raised by every table that a read of an organisation may see', async () => {
    const { rows } = await db.asSystem((tx) =>
      sql<{ table: string }>`select c.relname as table from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_any_column_privilege('holdfast_app', c.oid, 'select') and (select count(*) from pg_trigger t
          where t.tgrelid = c.oid and t.tgname in ('revision_written', 'revision_gone') and t.tgenabled = 'O') <> 2`.execute(tx),
    )
    assert.deepEqual(rows, [])
  })

  it('can be neither read nor written by the roles of the wall, and is told to an organisation of itself alone', async () => {
    for (const statement of ['select * from holdfast_private.revision', 'delete from holdfast_private.revision', 'select holdfast_private.raise_revision()']) {
      await assert.rejects(
        db.asOrganisation(mine.orgId, (tx) => sql.raw(statement).execute(tx)),
        { code: '42501' },
        statement,
      )
      await assert.rejects(
        db.asSystem((tx) => sql.raw(statement).execute(tx)),
        { code: '42501' },
        statement,
      )
    }
    const asTheirs = (tx: OrganisationTx) => sql`select set_config('app.org_id', ${theirs.orgId}, true)`.execute(tx).then(() => askRevision(tx))
    await assert.rejects(db.asOrganisation(mine.orgId, asTheirs), { code: '22P02' })
    await assert.rejects(
      db.asSystem((tx) => sql`select holdfast_shown.revision()`.execute(tx)),
      { code: '42501' },
    )
  })
})
