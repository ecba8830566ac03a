import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createPool, type Database } from './open-database.ts'
import { PipelinedConnection } from './pipelined-connection.ts'
import { actForOrganisation, askAlong, type Tx } from './run-transaction.ts'
import { insertSampleRows } from './testing/sample-rows.ts'
import { openTestDatabase } from './testing/test-database.ts'

describe('a connection', () => {
  let db: Database
  let [alpha, beta] = ['', '']
  before(async () => {
    // One connection for all organisations, and one for the installation.
    db = await openTestDatabase({ poolSize: 1 })
    alpha = (await insertSampleRows(db, 'alpha')).orgId
    beta = (await insertSampleRows(db, 'beta')).orgId
  })
  after(() => db.close())

  const pidOf = async (tx: Tx) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]!.pid
  const prepared = async (tx: Tx) => Number((await sql<{ count: bigint }>`select count(*) as count from pg_prepared_statements`.execute(tx)).rows[0]!.count)
  const owners = async (tx: Tx) => (await tx.selectFrom('wallet').select('org_id').distinct().orderBy('org_id').execute()).map((row) => row.org_id)

  it('runs queries sent together in their order; after one fails it runs no more, and all of them fail for the same reason', async () => {
    const write = (tx: Tx, name: string) => tx.insertInto('lease').values({ name }).execute()
    const seen = await db.asSystem(async (tx) => {
      const [, , rows] = await Promise.all([
        write(tx, 'first'),
        write(tx, 'second'),
        tx.selectFrom('lease').select('name').where('name', 'in', ['first', 'second']).execute(),
      ])
      return rows.length
    })
    assert.equal(seen, 2)
    const outcomes: PromiseSettledResult<unknown>[] = []
    const failing = db.asSystem(async (tx) => {
      outcomes.push(...(await Promise.allSettled([write(tx, 'third'), sql`select 1 / 0`.execute(tx), write(tx, 'fourth')])))
    })
    await assert.rejects(failing, { name: 'AbortedTransactionError' })
    assert.deepEqual(
      outcomes.map((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : each.status)),
      ['fulfilled', '22012', '22012'],
    )
    assert.deepEqual(await db.asSystem((tx) => tx.selectFrom('lease').select('name').where('name', 'in', ['third', 'fourth']).execute()), [])
  })

  it('sends a query without an answer along: before the next query, and with the end at the latest', async (t) => {
    const asked: string[] = []
    const heard = await openTestDatabase({ onQuestion: (text) => asked.push(text) })
    t.after(() => heard.close())
    const write = (tx: Tx, name: string) => askAlong(tx, tx.insertInto('lease').values({ name }))
    const names = (tx: Tx) => tx.selectFrom('lease').select('name').where('name', 'like', 'along%').orderBy('name').execute()
    asked.length = 0
    const seen = await heard.asSystem(async (tx) => {
      write(tx, 'along 1')
      write(tx, 'along 2')
      const rows = await names(tx)
      write(tx, 'along 3')
      return rows.map(({ name }) => name)
    })
    assert.deepEqual(seen, ['along 1', 'along 2'])
    assert.deepEqual(
      asked.map((texts) => texts.split('; ').map((text) => text.slice(0, 6))),
      [
        ['start ', 'select', 'insert', 'insert', 'select'],
        ['insert', 'commit'],
      ],
    )
    assert.equal((await heard.asSystem(names)).length, 3)
  })

  it('gives a transaction up in which something failed that was asked along, and carries out nothing of one that is given up or over', async () => {
    const write = (tx: Tx, name: string) => askAlong(tx, tx.insertInto('lease').values({ name }))
    const fails = (tx: Tx) => askAlong(tx, sql`select 1 / 0`)
    let [over, caught]: [Tx | undefined, unknown] = [undefined, undefined]
    const connection = await db.asSystem(pidOf)
    await assert.rejects(
      db.asSystem(async (tx) => {
        over = tx
        write(tx, 'given up 1')
        fails(tx)
        await tx
          .selectFrom('lease')
          .select('name')
          .execute()
          .catch((cause: unknown) => (caught = cause))
        write(tx, 'given up 2')
        throw new Error('nothing of it')
      }),
      /nothing of it/,
    )
    assert.equal((caught as { code: string }).code, '22012')
    assert.equal(await db.asSystem(pidOf), connection, 'the connection is still good')
    await assert.rejects(
      db.asSystem(async (tx) => {
        write(tx, 'given up 3')
        fails(tx)
      }),
      { code: '22012' },
    )
    await assert.rejects(
      db.asSystem(async (tx) => {
        write(tx, 'given up 4')
        throw new Error('nothing was sent')
      }),
      /nothing was sent/,
    )
    assert.throws(() => write(over!, 'given up 5'), /the transaction is over/)
    assert.deepEqual(await db.asSystem((tx) => tx.selectFrom('lease').select('name').where('name', 'like', 'given up%').execute()), [])
  })

  it('plans a query once, and shows each organisation its own rows by it, also within a transaction of the installation', async () => {
    const connection = await db.asOrganisation(alpha, pidOf)
    for (let i = 0; i < 8; i++) {
      for (const orgId of [alpha, beta]) assert.deepEqual(await db.asOrganisation(orgId, owners), [orgId])
      await db.asSystem(async (tx) => {
        assert.deepEqual(await owners(tx), [alpha, beta].toSorted())
        for (const orgId of [alpha, beta]) assert.deepEqual(await actForOrganisation(tx, orgId, owners), [orgId])
        assert.deepEqual(await owners(tx), [alpha, beta].toSorted())
      })
    }
    const texts = await db.asOrganisation(alpha, (tx) =>
      sql<{
        uses: bigint
      }>`select generic_plans + custom_plans as uses from pg_prepared_statements where statement like 'select distinct "org_id" from "wallet"%'`.execute(tx),
    )
    assert.deepEqual(
      texts.rows.map(({ uses }) => uses > 8n),
      [true],
    )
    assert.equal(await db.asOrganisation(alpha, pidOf), connection)
  })

  it('forgets the queries that were unused for the longest time', async () => {
    const ask = (tx: Tx, i: number) => sql`select ${sql.lit(i)}::int`.execute(tx)
    for (let i = 0; i < 400; i++) await db.asOrganisation(alpha, (tx) => Promise.all([ask(tx, i), ask(tx, i)]))
    const count = await db.asOrganisation(alpha, prepared)
    assert.ok(count > 50 && count <= 150, `${count} statements`)
  })

  it('is not used again after it ran what may outlive its transaction, such as a statement that somebody prepared in place of ours', async () => {
    await db.asOrganisation(alpha, owners)
    await db.asOrganisation(alpha, owners)
    for (const left of [
      'deallocate all',
      "prepare theirs as select 'x'",
      "set search_path = 'pg_catalog'",
      "do $$ begin execute 'prepare theirs as select 1'; end $$",
    ]) {
      const before = await db.asOrganisation(alpha, pidOf)
      await db.asOrganisation(alpha, (tx) => sql.raw(left).execute(tx))
      assert.notEqual(await db.asOrganisation(beta, pidOf), before, left)
      assert.deepEqual(await db.asOrganisation(beta, owners), [beta])
    }
    await assert.rejects(
      db.asOrganisation(alpha, (tx) => sql.raw("select 1; prepare theirs as select 'x'").execute(tx)),
      { code: '42601' },
    )
  })

  it('learns a text anew after its table was changed under it, and the transaction runs again', async (t) => {
    const owner = new pg.Client({ connectionString: db.url })
    await owner.connect()
    t.after(() => owner.end())
    const read = () => db.asSystem(async (tx) => Object.keys((await sql<object>`select * from lease limit 1`.execute(tx)).rows[0]!))
    for (let i = 0; i < 3; i++) await read()
    await owner.query('alter table lease add column extra text')
    assert.ok((await read()).includes('extra'))
    await owner.query('alter table lease drop column extra')
    assert.ok(!(await read()).includes('extra'))
  })

  it('sends everything that is read in one turn in one round trip, and nothing later; it cannot write', async (t) => {
    const asked: string[] = []
    const heard = await openTestDatabase({ onQuestion: (text) => asked.push(text) })
    t.after(() => heard.close())
    const { orgId } = await insertSampleRows(heard, 'gamma')
    asked.length = 0
    assert.deepEqual(await heard.readOrganisation(orgId, (tx) => Promise.all([owners(tx), owners(tx)])), [[orgId], [orgId]])
    assert.deepEqual(await heard.readSystem(owners), [orgId])
    assert.equal(asked.length, 2, asked.join('\n'))
    assert.match(asked[0]!, /^select set_config\('transaction_read_only', 'on', true\), set_config\('role'[^;]*; select [^;]*; select [^;]*$/)
    const late = async (tx: Tx) => [await owners(tx), await owners(tx)]
    await assert.rejects(heard.readOrganisation(orgId, late), { message: 'the transaction is over' })
    asked.length = 0
    assert.deepEqual(await heard.readOrganisationInTurns(orgId, late), [[orgId], [orgId]])
    assert.equal(asked.length, 2, asked.join('\n'))
    assert.match(asked[1]!, /^select set_config\('transaction_read_only', 'on', true\), set_config\('role'[^;]*; select [^;]*$/)
    await assert.rejects(
      heard.readOrganisationInTurns(orgId, async (tx) => [await owners(tx), await tx.insertInto('lease').values({ name: 'never' }).execute()]),
      { code: /25006|42501/ },
    )
    await assert.rejects(
      heard.readSystem((tx) => tx.insertInto('lease').values({ name: 'never' }).execute()),
      { code: '25006' },
    )
    await assert.rejects(
      heard.readSystem((tx) => sql`select 1 / 0`.execute(tx)),
      { code: '22012' },
    )
    assert.deepEqual(await heard.readSystem(owners), [orgId])
    // A failure that nobody looked at is one nevertheless.
    const unseen = async (tx: Tx) => void (await Promise.allSettled([owners(tx), sql`select 1 / 0`.execute(tx)]))
    await assert.rejects(heard.readSystem(unseen), { name: 'AbortedTransactionError' })
    await assert.rejects(
      heard.readSystem(() => Promise.reject(new Error('refused'))),
      { message: 'refused' },
    )
    assert.equal(await heard.readSystem(async () => 'nothing asked'), 'nothing asked')
  })

  it('leaves nothing behind of what it read in one turn: no role, no name, and it may write again', async () => {
    const settings = ['transaction_read_only', 'transaction_isolation', 'app.org_id'].map((name) => sql`current_setting(${sql.lit(name)})`)
    const shown = (tx: Tx) => sql`select array[${sql.join(settings)}] as set`.execute(tx)
    assert.deepEqual((await db.readOrganisation(alpha, shown)).rows, [{ set: ['on', 'read committed', alpha] }])
    assert.deepEqual((await db.asOrganisation(beta, shown)).rows, [{ set: ['off', 'read committed', beta] }])
    const pool = createPool(db.url, 1)
    const client = await pool.connect()
    const connection = new PipelinedConnection(client)
    const entered = "select set_config('transaction_read_only', 'on', true), set_config('app.org_id', 'one', true)"
    await Promise.all([connection.ask(entered), connection.ask('select 1')])
    const { rows } = await connection.ask("select current_setting('transaction_read_only') as reads, current_setting('app.org_id') as org")
    assert.deepEqual(rows, [{ reads: 'off', org: '' }])
    client.release()
    await pool.end()
  })

  it('takes no question of a transaction that is over', async () => {
    let late: Promise<unknown> | undefined
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    await assert.rejects(
      db.asOrganisation(alpha, async (tx) => {
        late = over.then(() => owners(tx))
        late.catch(() => {})
        throw new Error('refused')
      }),
      { message: 'refused' },
    )
    end()
    await assert.rejects(late!, { message: 'the transaction is over' })
  })
})
