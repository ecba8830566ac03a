import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import pg from 'pg'
import { createPool, type Database, openDatabase } from './open-database.ts'
import { actForOrganisation, runTransaction, type Tx } from './run-transaction.ts'
import { insertSampleRows, type SampleIds } from './testing/sample-rows.ts'
import { createEmptyDatabase, openTestDatabase } from './testing/test-database.ts'

describe('the database', () => {
  let db: Database
  let ids: SampleIds
  before(async () => {
    db = await openTestDatabase()
    ids = await insertSampleRows(db, 'alpha')
  })
  after(() => db.close())

  it('gives back every amount, height and byte exactly as it was written', async () => {
    const numeric = fc.bigInt({ min: -(10n ** 78n) + 1n, max: 10n ** 78n - 1n })
    const int8 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    await fc.assert(
      fc.asyncProperty(numeric, int8, fc.uint8Array(), async (amount, height, bytes) => {
        const query = sql`select ${amount}::numeric(78,0) as amount, ${height}::int8 as height, ${bytes}::bytea as bytes`
        const { rows } = await db.asSystem((tx) => query.execute(tx))
        assert.deepEqual(rows, [{ amount, height, bytes }])
      }),
      { numRuns: 200 },
    )
  })

  it('holds the largest amount of a 256-bit chain and no larger column of money', async () => {
    const { amount } = await db.asOrganisation(ids.orgId, (tx) => tx.selectFrom('transfer_order').select('amount').executeTakeFirstOrThrow())
    assert.equal(amount, 2n ** 256n - 1n)
    await assert.rejects(
      db.asSystem((tx) => sql`select ${10n ** 78n}::numeric(78,0)`.execute(tx)),
      { code: '22003' },
    )
  })

  it('never turns a computed fraction into a wrong integer', async () => {
    const { rows } = await db.asSystem((tx) => sql<{ half: unknown }>`select 0.5::numeric as half`.execute(tx))
    assert.deepEqual(rows, [{ half: '0.5' }])
  })

  it('refuses to change what an order is, even for the installation', async () => {
    for (const column of ['amount', 'address_to', 'intent', 'fee_cap', 'created_at']) {
      for (const attempt of [db.asSystem, <T>(act: Parameters<typeof db.asOrganisation<T>>[1]) => db.asOrganisation(ids.orgId, act)]) {
        await assert.rejects(
          attempt((tx) => sql`update transfer_order set ${sql.ref(column)} = ${sql.ref(column)}`.execute(tx)),
          { code: '42501' },
          column,
        )
      }
    }
  })

  it('repeats a transaction that lost a deadlock, and both go through', async () => {
    const series = ['left', 'right']
    await db.asOrganisation(ids.orgId, (tx) =>
      tx
        .insertInto('counter')
        .values(series.map((name) => ({ org_id: ids.orgId, name, value: 0n })))
        .execute(),
    )
    let arrived = 0
    let release = () => {}
    const bothHoldOne = new Promise<void>((resolve) => {
      release = resolve
    })
    const add = (first: string, second: string) =>
      db.asOrganisation(ids.orgId, async (tx) => {
        const increment = (name: string) =>
          tx
            .updateTable('counter')
            .set((row) => ({ value: row('value', '+', 1n) }))
            .where('name', '=', name)
            .execute()
        await increment(first)
        if (++arrived === 2) release()
        await bothHoldOne
        await increment(second)
      })
    await Promise.all([add('left', 'right'), add('right', 'left')])
    const rows = await db.asOrganisation(ids.orgId, (tx) => tx.selectFrom('counter').select('value').where('name', 'in', series).execute())
    assert.deepEqual(rows, [{ value: 2n }, { value: 2n }])
    assert.ok(arrived > 2, 'one of them was repeated')
  })

  it('gives up after eight attempts with an error that says to try again, and has written nothing', async () => {
    let attempts = 0
    const hopeless = db.asSystem(async (tx) => {
      attempts++
      await tx
        .insertInto('lease')
        .values({ name: 'hopeless' })
        .execute()
        .catch(() => {})
      throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    })
    await assert.rejects(hopeless, { name: 'DatabaseBusyError', message: /gave the transaction up 8 times.*try again/ })
    assert.equal(attempts, 8)
    assert.deepEqual(await db.asSystem((tx) => tx.selectFrom('lease').select('name').where('name', '=', 'hopeless').execute()), [])
  })

  it('looks again if another transaction wrote the same row in between, and gives up the second time', async () => {
    const looked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let attempts = 0
    const take = (who: 0 | 1) =>
      db.asSystem(async (tx) => {
        attempts++
        const found = await tx.selectFrom('lease').select('name').where('name', '=', 'wanted by both').executeTakeFirst()
        if (found) return 'taken'
        looked[who]!.resolve()
        await looked[1 - who]!.promise
        await tx.insertInto('lease').values({ name: 'wanted by both' }).execute()
        return 'free'
      })
    assert.deepEqual((await Promise.all([take(0), take(1)])).toSorted(), ['free', 'taken'])
    assert.equal(attempts, 3)
    let blind = 0
    const never = db.asSystem(async (tx) => {
      blind++
      await tx.insertInto('lease').values({ name: 'wanted by both' }).execute()
    })
    await assert.rejects(never, { code: '23505' })
    assert.equal(blind, 2)
  })

  it('does not repeat what failed for another reason', async () => {
    let attempts = 0
    await assert.rejects(
      db.asSystem(async () => {
        throw new Error(`attempt ${++attempts}`)
      }),
      { message: 'attempt 1' },
    )
  })

  it('lets the installation act for one organisation and be itself again, in one transaction', async () => {
    const other = await insertSampleRows(db, 'beta')
    await db.asSystem(async (tx) => {
      const own = await actForOrganisation(tx, ids.orgId, (inner) => inner.selectFrom('wallet').select('org_id').execute())
      assert.deepEqual(own, [{ org_id: ids.orgId }])
      await assert.rejects(
        actForOrganisation(tx, ids.orgId, async () => {
          throw new Error('refused')
        }),
        { message: 'refused' },
      )
      const all = await tx.selectFrom('wallet').select('org_id').execute()
      assert.deepEqual(new Set(all.map((row) => row.org_id)), new Set([ids.orgId, other.orgId]))
    })
  })

  it('begins a transaction, enters its organisation and sends its first queries in one round trip, and ends in another', async (t) => {
    const asked: string[] = []
    const heard = await openTestDatabase({ onQuestion: (text) => asked.push(text) })
    t.after(() => heard.close())
    const act = async (tx: Tx) => void (await Promise.all([sql`select 1`.execute(tx), sql`select 2`.execute(tx)]))
    for (const run of [heard.asSystem, heard.readSnapshot, <T>(each: (tx: Tx) => Promise<T>) => heard.asOrganisation(ids.orgId, each)]) {
      asked.length = 0
      await run(act)
      // A transaction that only read does not wait for the answer to its end.
      await new Promise(setImmediate)
      assert.match(asked[0]!, /^start transaction [^;]*; select set_config\('role'[^;]*; select 1; select 2$/)
      assert.deepEqual(asked.slice(1), ['commit'])
    }
  })

  it('leaves nothing open behind a transaction that could not say for whom it works', async (t) => {
    const pool = createPool(db.url, 1)
    t.after(() => pool.end())
    const run = (role: string) =>
      runTransaction(pool, nodePorts, { isolationLevel: 'read committed', entry: [role, '', ''] }, (tx) =>
        sql<{ name: string }>`select current_user::text as name`.execute(tx),
      )
    await assert.rejects(run('nobody'), { code: '22023' })
    assert.deepEqual((await run('holdfast_system')).rows, [{ name: 'holdfast_system' }])
  })

  it('shows a snapshot the same rows however long it reads, and takes nothing from it', async () => {
    await db.readSnapshot(async (tx) => {
      const count = async () =>
        (
          await tx
            .selectFrom('setup_draft')
            .select((row) => row.fn.countAll<bigint>().as('count'))
            .executeTakeFirstOrThrow()
        ).count
      const first = await count()
      await insertSampleRows(db, 'gamma')
      assert.equal(await count(), first)
    })
    await assert.rejects(
      db.readSnapshot((tx) => tx.insertInto('lease').values({ name: 'never' }).execute()),
      { code: '25006' },
    )
  })

  it('wakes a listener on a hint of a committed transaction, and after its connection was lost', async () => {
    let wake = () => {}
    let hints = 0
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve
      })
    const connected = next()
    const listener = db.listen('test_hints', () => {
      hints++
      wake()
    })
    await connected
    const hinted = next()
    await db.asSystem((tx) => sql`select pg_notify('test_hints', '')`.execute(tx))
    await hinted
    const again = next()
    const owner = new pg.Client({ connectionString: db.url })
    await owner.connect()
    await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'holdfast listens%' and datname = current_database()")
    await owner.end()
    await again
    assert.ok(hints >= 3)
    await listener.close()
  })

  it('says what is wrong if no server answers', async () => {
    await assert.rejects(openDatabase({ ports: nodePorts, url: 'postgresql://nobody@127.0.0.1:1/none' }), {
      name: 'DatabaseError',
      message: /does not answer.*DATABASE_URL/,
    })
    await assert.rejects(openDatabase({ ports: nodePorts }), { name: 'DatabaseError', message: /DATABASE_URL, or a folder/ })
  })
})

describe('an ordinary login without superuser rights', () => {
  const name = `holdfast_login_${process.pid}`
  let database: { url: string; drop(): Promise<void> }
  let admin: pg.Client
  before(async () => {
    const template = await openTestDatabase()
    await template.close()
    database = await createEmptyDatabase()
    admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    await admin.query(`create role ${name} login password 'secret'`)
    await admin.query(`grant all on schema public to ${name}`)
  })
  after(async () => {
    const { rows } = await admin.query<{ name: string }>('select name from holdfast_private.login')
    for (const login of rows) await admin.query(`drop role ${login.name}`)
    await admin.query(`alter database ${databaseName()} owner to current_user`)
    await admin.query(`drop owned by ${name} cascade`)
    await admin.query(`drop role ${name}`)
    await admin.end()
    await database.drop()
  })
  const databaseName = () => new URL(database.url).pathname.slice(1)
  const urlOf = () => Object.assign(new URL(database.url), { username: name, password: 'secret' }).toString()

  it('learns what to ask for if it may not take the roles', async () => {
    await assert.rejects(openDatabase({ ports: nodePorts, url: urlOf() }), {
      name: 'DatabaseError',
      message: /may not take the role holdfast_app: as a superuser run/,
    })
  })

  it('is enough for everything, and the wall stands for it as the owner of the tables too', async () => {
    const open = () => openDatabase({ ports: nodePorts, url: urlOf() })
    await admin.query(`grant holdfast_app, holdfast_system to ${name}`)
    await assert.rejects(open(), { name: 'DatabaseError', message: /may not make the logins that the server works with: as a superuser run/ })
    await admin.query(`grant create on database ${databaseName()} to ${name}`)
    await assert.rejects(open(), { name: 'DatabaseError', message: /everybody may make tables in this database: as its owner run "revoke temporary/ })
    await admin.query(`alter database ${databaseName()} owner to ${name}`)
    await admin.query(`alter role ${name} createrole`)
    await admin.query(`grant holdfast_app, holdfast_system to ${name} with admin option`)
    const db = await open()
    const mine = await insertSampleRows(db, 'mine')
    await insertSampleRows(db, 'theirs')
    const seen = await db.asOrganisation(mine.orgId, (tx) => tx.selectFrom('wallet').select('org_id').execute())
    assert.deepEqual(seen, [{ org_id: mine.orgId }])
    await db.close()
  })
})
