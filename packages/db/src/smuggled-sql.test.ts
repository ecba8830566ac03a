import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, openDatabase } from './open-database.ts'
import { insertSampleRows, type SampleIds } from './testing/sample-rows.ts'
import { createEmptyDatabase } from './testing/test-database.ts'

/** What SQL can do that somebody smuggled into a transaction of their own organisation. */
describe('smuggled SQL', () => {
  let database: { url: string; drop(): Promise<void> }
  let db: Database
  let mine: SampleIds
  let theirs: SampleIds
  before(async () => {
    database = await createEmptyDatabase()
    db = await openDatabase({ ports: nodePorts, url: database.url, poolSize: 1 })
    mine = await insertSampleRows(db, 'mine')
    theirs = await insertSampleRows(db, 'theirs')
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const run = (...statements: string[]) =>
    db.asOrganisation(mine.orgId, async (tx) => {
      let rows: unknown[] = []
      for (const statement of statements) rows = (await sql.raw(statement).execute(tx)).rows
      return rows as Record<string, unknown>[]
    })
  const refused = (code: string | RegExp, ...statements: string[]) =>
    assert.rejects(run(...statements), (error: { code?: string }) => assert.match(error.code ?? '', new RegExp(code)) === undefined, statements.join('; '))
  const PEOPLE = 'select org_id from person'

  it('cannot step out of its role: the login behind it owns nothing, sees nothing and may become nothing else', async () => {
    for (const out of ["select set_config('role', 'none', true)", 'set local role none', 'reset role']) await refused('42501', out, PEOPLE)
    for (const role of ['holdfast_system', 'postgres', 'pg_read_all_data', 'pg_execute_server_program']) {
      await refused('42501|22023', `select set_config('role', '${role}', true)`, PEOPLE)
      await refused('42501|22023', "select set_config('role', 'none', true)", `set local role ${role}`, PEOPLE)
    }
    await refused('42501|22023', 'set session authorization postgres')
    const [login] = await run(`select session_user::text as name, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolinherit,
      array(select roleid::regrole::text from pg_auth_members where member = pg_roles.oid) as roles,
      (select count(*) from pg_class where relowner = pg_roles.oid) as owned from pg_roles where rolname = session_user`)
    const { name, ...rights } = login!
    assert.match(String(name), /^holdfast_organisation_[0-9a-f]{12}$/)
    const nothing = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolinherit: false, owned: 0n }
    assert.deepEqual(rights, { ...nothing, roles: ['holdfast_app'] })
  })

  it('cannot name another organisation: the name needs a proof that only the server can make', async () => {
    const name = (id: string) => `select set_config('app.org_id', '${id}', true)`
    await refused('22P02', name(theirs.orgId), PEOPLE)
    await refused('22P02', name(''), PEOPLE)
    await refused('22P02', name(theirs.orgId), "select set_config('app.org_proof', '', true)", PEOPLE)
    await refused('22P02', name(theirs.orgId), `select set_config('app.org_proof', '${'0'.repeat(64)}', true)`, PEOPLE)
    for (const spelling of [mine.orgId.toUpperCase(), `{${mine.orgId}}`, mine.orgId.replaceAll('-', '')]) await refused('22P02', name(spelling), PEOPLE)
    await refused('22P02', name(theirs.orgId), `insert into counter (org_id, name, value) values ('${theirs.orgId}', 'x', 1)`)
    assert.deepEqual(new Set((await run(name(mine.orgId), PEOPLE)).map((row) => row.org_id)), new Set([mine.orgId]))
  })

  it('cannot read the key of the proofs, nor the passwords of the logins', async () => {
    for (const table of ['proof_key', 'login']) await refused('42501', `select * from holdfast_private.${table}`)
    await refused('42501', 'select holdfast_private.organisation()')
    for (const isOuter of [true, false]) await refused('42501', `select holdfast_private.padded_key(${isOuter})`)
    await refused('42501', 'select rolpassword from pg_authid')
    const [source] = await run("select pg_get_functiondef('holdfast_private.organisation'::regproc) as text").catch(() => [{ text: '' }])
    assert.doesNotMatch(String(source?.text), /[0-9a-f]{64}/)
  })

  it('leaves nothing for whoever has the connection next: no table, no function, no role, no name', async () => {
    await refused('42501', 'create temporary table person (org_id uuid)')
    await refused('42501', 'create table person_two (org_id uuid)')
    await refused('42501', 'create function pg_temp.now() returns int language sql return 1')
    await refused('42501', 'create schema mine')
    await refused('42501', 'alter table person disable row level security')
    await refused('42501', 'create policy open on person using (true)')
    await run(`select set_config('app.org_id', '${mine.orgId}', false), set_config('role', 'holdfast_app', false)`)
    const seen = await db.asOrganisation(theirs.orgId, (tx) => tx.selectFrom('person').select('org_id').distinct().execute())
    assert.deepEqual(seen, [{ org_id: theirs.orgId }])
  })

  it('finds the wall asking for the proof in every table, even if a migration wrote it without', async () => {
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    await owner.query("alter policy own_organisation on wallet using (org_id = current_setting('app.org_id')::uuid)")
    await (await openDatabase({ ports: nodePorts, url: database.url, poolSize: 1 })).close()
    const { rows } = await owner.query("select tablename from pg_policies where schemaname = 'public' and qual like '%current_setting%'")
    assert.deepEqual(rows, [])
    await owner.end()
  })

  it('is not helped by a login that somebody gave more than it was made with: the server does not start', async () => {
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    const { rows } = await owner.query<{ name: string }>("select name from holdfast_private.login where kind = 'organisation'")
    for (const [give, take] of [
      ['createrole', 'nocreaterole'],
      ['bypassrls', 'nobypassrls'],
    ]) {
      await owner.query(`alter role ${rows[0]!.name} ${give}`)
      await assert.rejects(openDatabase({ ports: nodePorts, url: database.url }), { name: 'DatabaseError', message: /can do more than take its roles/ })
      await owner.query(`alter role ${rows[0]!.name} ${take}`)
    }
    await owner.query(`grant pg_read_all_data to ${rows[0]!.name}`)
    await assert.rejects(openDatabase({ ports: nodePorts, url: database.url }), { name: 'DatabaseError', message: /can do more than take its roles/ })
    await owner.query(`revoke pg_read_all_data from ${rows[0]!.name}`)
    await owner.end()
  })
})
