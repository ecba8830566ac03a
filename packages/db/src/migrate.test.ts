import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import pg from 'pg'
import { ensureRoles } from './ensure-roles.ts'
import { type Migration, migrate, readMigrations, splitStatements } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { createEmptyDatabase } from './testing/test-database.ts'

describe('migrations', () => {
  let ours: Migration[]
  let database: { url: string; drop(): Promise<void> }
  let client: pg.Client

  const applied = async () => (await client.query<{ name: string }>('select name from migration order by name')).rows.map((row) => row.name)
  const extra = (name: string, ...statements: string[]): Migration => ({ name, checksum: `checksum of ${statements}`, statements })

  before(async () => {
    ours = await readMigrations(nodePorts)
  })
  beforeEach(async () => {
    database = await createEmptyDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await database.drop()
  })

  it('are applied once each, in order, and a second start finds nothing to do', async () => {
    await ensureRoles(client)
    await migrate(client, nodePorts)
    const first = await client.query('select * from migration order by name')
    await migrate(client, nodePorts)
    assert.deepEqual((await client.query('select * from migration order by name')).rows, first.rows)
    assert.deepEqual(
      await applied(),
      ours.map((each) => each.name),
    )
  })

  it('can be run again, each statement of them, on a database that has them already', async () => {
    await ensureRoles(client)
    await migrate(client, nodePorts)
    for (const statement of ours.flatMap((each) => each.statements)) await client.query(statement)
  })

  it('may be started by several programs at once: each is applied once and all of them go on', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ ports: nodePorts, url: database.url, poolSize: 1 })))
    assert.deepEqual(
      await applied(),
      ours.map((each) => each.name),
    )
    await Promise.all(opened.map((each) => each.close()))
  })

  it('refuse a file that was changed after it was applied, and name it', async () => {
    await migrate(client, nodePorts, { migrations: [extra('0001-a.sql', 'create table a (id int)')] })
    await assert.rejects(migrate(client, nodePorts, { migrations: [extra('0001-a.sql', 'create table a (id bigint)')] }), {
      name: 'DatabaseError',
      message: /0001-a\.sql was changed after it was applied/,
    })
  })

  it('refuse a database that a newer release has used', async () => {
    const known = [extra('0001-a.sql', 'create table a (id int)')]
    await migrate(client, nodePorts, { migrations: [...known, extra('0002-b.sql', 'create table b (id int)')] })
    await assert.rejects(migrate(client, nodePorts, { migrations: known }), { message: /newer release \(it has 0002-b\.sql\)/ })
  })

  it('refuse a file that was slipped in before one already applied', async () => {
    const second = extra('0002-b.sql', 'create table b (id int)')
    await migrate(client, nodePorts, { migrations: [second] })
    await assert.rejects(migrate(client, nodePorts, { migrations: [extra('0001-a.sql', 'create table a (id int)'), second] }), {
      message: /0001-a\.sql comes before 0002-b\.sql/,
    })
  })

  it('leave nothing of a file that fails, and name it', async () => {
    const broken = extra('0001-a.sql', 'create table a (id int)', 'create table a (id int)')
    await assert.rejects(migrate(client, nodePorts, { migrations: [broken] }), { message: /0001-a\.sql failed: relation "a" already exists/ })
    assert.deepEqual(await applied(), [])
    assert.equal((await client.query("select from pg_tables where tablename = 'a'")).rowCount, 0)
  })

  it('stay out of a database that holds tables of somebody else', async () => {
    await client.query('create table guests (id int)')
    await assert.rejects(openDatabase({ ports: nodePorts, url: database.url }), { name: 'DatabaseError', message: /tables that are not ours \(guests\)/ })
  })

  it('stop at the requested one, and go on from there', async () => {
    await ensureRoles(client)
    await migrate(client, nodePorts, { upTo: ours[1]!.name })
    assert.deepEqual(
      await applied(),
      ours.slice(0, 2).map((each) => each.name),
    )
    await migrate(client, nodePorts)
    assert.equal((await applied()).length, ours.length)
    await assert.rejects(migrate(client, nodePorts, { upTo: '9999-future.sql' }), { message: /does not know the migration 9999-future\.sql/ })
  })

  it('are cut at semicolons that end a line, without the comments between them', () => {
    assert.deepEqual(splitStatements("-- words; more\ncreate table a (\n  -- inside;\n  t text check (t <> ';')\n);  \n\ncreate index i on a (t);"), [
      "create table a (\n  t text check (t <> ';')\n)",
      'create index i on a (t)',
    ])
    assert.deepEqual(splitStatements('-- only words\n'), [])
  })
})
