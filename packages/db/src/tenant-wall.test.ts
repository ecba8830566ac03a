import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import { readMigrations } from './migrate.ts'
import type { Database } from './open-database.ts'
import { insertSampleRows, type SampleIds } from './testing/sample-rows.ts'
import { openTestDatabase } from './testing/test-database.ts'

const TENANT_CONDITION = '(org_id = ( SELECT holdfast_private.organisation() AS organisation))'
/** Tables with an org_id that are used before the organisation is known: only the system role may. */
const SYSTEM_ONLY = ['session', 'invite', 'key_invite']

/** Tables that the installation alone writes, from what organisations wrote elsewhere. */
const READ_ONLY = ['wallet_sum']

type Column = { table: string; column: string }

describe('the wall between organisations', () => {
  let db: Database
  let mine: SampleIds
  let theirs: SampleIds
  let tenantTables: string[]

  const ask = async <Row>(query: string) => (await db.asSystem((tx) => sql.raw<Row>(query).execute(tx))).rows

  before(async () => {
    db = await openTestDatabase()
    mine = await insertSampleRows(db, 'mine')
    theirs = await insertSampleRows(db, 'theirs')
    const owned = await ask<Column>(`select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'org_id' order by 1`)
    tenantTables = owned.map((each) => each.table).filter((table) => !SYSTEM_ONLY.includes(table))
  })
  after(() => db.close())

  it('stands in front of every table: row security is on and forced, for the owner too', async () => {
    const open = await ask(`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not (relrowsecurity and relforcerowsecurity) and relname not in ('migration', 'lease')`)
    assert.deepEqual(open, [])
    assert.ok(tenantTables.length >= 23)
  })

  it('lets the app role see only its organisation, in every tenant table', async () => {
    const policies = await ask<{ tablename: string; roles: string; cmd: string; qual: string; with_check: string | null; permissive: string }>(
      "select tablename, roles::text, cmd, qual, with_check, permissive from pg_policies where schemaname = 'public'",
    )
    for (const table of tenantTables) {
      const own = policies.filter((policy) => policy.tablename === table && policy.roles === '{holdfast_app}')
      assert.deepEqual(
        own.map(({ cmd, qual, with_check }) => ({ cmd, qual, with_check })),
        [{ cmd: 'ALL', qual: TENANT_CONDITION, with_check: null }],
        table,
      )
    }
    const others = policies.filter((policy) => policy.roles !== '{holdfast_app}' && policy.roles !== '{holdfast_system}')
    assert.deepEqual(others, [])
  })

  it('keeps the app role out of everything that is not its own, apart from the assets, the halts, the reading of chains and its own organisation', async () => {
    const reachable = await ask<{ table: string }>(`select relname as table from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and (has_any_column_privilege('holdfast_app', oid, 'select, insert, update') or has_table_privilege('holdfast_app', oid, 'delete, truncate')) order by 1`)
    assert.deepEqual(
      reachable.map((each) => each.table).filter((table) => !tenantTables.includes(table)),
      ['asset', 'asset_price', 'chain_cursor', 'chain_halt', 'inscription_reading', 'organisation'],
    )
    await db.asOrganisation(mine.orgId, async (tx) => {
      assert.deepEqual(
        (await tx.selectFrom('organisation').select('id').execute()).map((each) => each.id),
        [mine.orgId],
      )
    })
  })

  it('shows an organisation its own rows and no others, in every tenant table', async () => {
    for (const table of tenantTables) {
      const seen = await db.asOrganisation(mine.orgId, (tx) => sql<{ org_id: string }>`select distinct org_id from ${sql.table(table)}`.execute(tx))
      assert.deepEqual(seen.rows, [{ org_id: mine.orgId }], table)
    }
  })

  it('accepts no row for another organisation, in every tenant table', async () => {
    for (const table of tenantTables) {
      await assert.rejects(
        db.asOrganisation(mine.orgId, (tx) => sql`insert into ${sql.table(table)} (org_id) values (${theirs.orgId})`.execute(tx)),
        {
          code: '42501',
          message: READ_ONLY.includes(table) ? `permission denied for table ${table}` : `new row violates row-level security policy for table "${table}"`,
        },
        table,
      )
    }
  })

  it('lets no row be moved to another organisation, deleted or truncated through it, in every tenant table', async () => {
    for (const table of tenantTables) {
      const count = () => ask<{ count: bigint }>(`select count(*) from ${table}`)
      const before = await count()
      for (const statement of [`update ${table} set org_id = '${theirs.orgId}'`, `delete from ${table}`, `truncate ${table}`]) {
        await assert.rejects(
          db.asOrganisation(mine.orgId, (tx) => sql.raw(statement).execute(tx)),
          { code: '42501' },
          statement,
        )
      }
      assert.deepEqual(await count(), before, table)
    }
  })

  it('lets no row of another organisation be changed through it', async () => {
    const updated = await db.asOrganisation(mine.orgId, (tx) => tx.updateTable('wallet').set({ name: 'ours now' }).executeTakeFirst())
    assert.equal(updated.numUpdatedRows, 1n)
    const { name } = await db.asOrganisation(theirs.orgId, (tx) => tx.selectFrom('wallet').select('name').executeTakeFirstOrThrow())
    assert.equal(name, 'Treasury')
  })

  it('is shut if no organisation was named', async () => {
    for (const orgId of ['', 'null', '*', mine.orgId.toUpperCase()]) {
      await assert.rejects(
        db.asOrganisation(orgId, async () => assert.fail()),
        { name: 'DatabaseError' },
      )
    }
    await assert.rejects(
      db.asSystem((tx) => sql`set local role holdfast_app`.execute(tx).then(() => tx.selectFrom('wallet').selectAll().execute())),
      { code: '22P02' },
    )
  })

  it('is up again after every transaction: neither role nor organisation stays on the connection', async () => {
    const single = await openTestDatabase({ poolSize: 1 })
    const ids = await insertSampleRows(single, 'one')
    await single.asOrganisation(ids.orgId, async () => {})
    await single
      .asOrganisation(ids.orgId, async () => {
        throw new Error('rolled back')
      })
      .catch(() => {})
    const { rows } = await single.asSystem((tx) => sql`select current_user as role, current_setting('app.org_id') as org`.execute(tx))
    assert.deepEqual(rows, [{ role: 'holdfast_system', org: '' }])
    await single.close()
  })

  it('cuts rows by organisation: every primary key, unique constraint and foreign key of a tenant table begins with org_id', async () => {
    const keys = await ask<{ table: string; name: string; first: string; second: string | null }>(`
      select c.conrelid::regclass::text as table, c.conname as name, a.attname as first, b.attname as second from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      left join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
      where c.contype in ('p', 'u', 'f') and c.connamespace = 'public'::regnamespace`)
    const tenantKeys = keys.filter((key) => tenantTables.includes(key.table))
    assert.ok(tenantKeys.length > 50)
    assert.deepEqual(
      tenantKeys.filter((key) => key.first !== 'org_id' || (key.second !== null && key.second !== 'org_id' && key.second !== 'id')),
      [],
    )
    const withoutKey = tenantTables.filter((table) => !keys.some((key) => key.table === table && key.name.endsWith('_pkey')))
    assert.deepEqual(withoutKey, [])
    const unique = await ask<Column>(`select c.relname as table, a.attname as column from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] where i.indisunique and c.relnamespace = 'public'::regnamespace`)
    assert.deepEqual(
      unique.filter((index) => tenantTables.includes(index.table) && index.column !== 'org_id'),
      [],
    )
  })

  it('uses nothing that a distributed engine of the same wire lacks, apart from the triggers of revisions', async () => {
    const found = await ask(`
      select 'trigger' as what, tgname::text as name from pg_trigger where not tgisinternal
        and tgname not in ('revision_written', 'revision_gone', 'revision_back')
      union all select 'deferrable constraint', conname from pg_constraint where condeferrable
      union all select 'exclusion constraint', conname from pg_constraint where contype = 'x'
      union all select 'inheritance or partition', inhrelid::regclass::text from pg_inherits
      union all select 'sequence, view or partitioned table', relname from pg_class where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i')
      union all select 'function', proname from pg_proc where pronamespace = 'public'::regnamespace
      union all select 'enum or domain', typname from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
      union all select 'generated column', attname from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and (attgenerated <> '' or attidentity <> '')`)
    assert.deepEqual(found, [])
  })

  it('keeps time as whole milliseconds and money as whole base units', async () => {
    const columns = await ask<{ column: string; type: string }>(`select column_name as column,
      data_type || coalesce('(' || numeric_precision || ',' || numeric_scale || ')', '') as type from information_schema.columns where table_schema = 'public'`)
    assert.deepEqual(
      columns.filter((each) => /timestamp|date|time|real|double|money/.test(each.type)),
      [],
    )
    assert.deepEqual(
      columns.filter((each) => /(_at|^at)$/.test(each.column) && each.type !== 'bigint(64,0)'),
      [],
    )
    assert.deepEqual(
      columns.filter((each) => each.type.startsWith('numeric') && each.type !== 'numeric(78,0)'),
      [],
    )
  })

  it('is built of statements that each do one thing and can be run again', async () => {
    const security = 'alter table \\w+ (enable|force|no force) row level security$|drop policy if exists|create policy|grant'
    const checks = 'drop constraint if exists \\w+$|add constraint \\w+ (check|foreign key) '
    const widening = `alter table \\w+ (add column if not exists|alter column \\w+ drop not null$|${checks})`
    const filling = 'insert into \\w+ \\([^()]+\\)\\sselect\\s[^;]+\\son conflict do nothing$'
    const marking = 'update \\w+ set \\w+ = (true|\\w+\\.\\w+)\\s'
    const dropping = 'drop index if exists \\w+$'
    const allowed = new RegExp(`^(create table if not exists|create (unique )?index if not exists|${widening}|${security}|${filling}|${marking}|${dropping})`)
    for (const migration of await readMigrations(nodePorts)) {
      assert.deepEqual(
        migration.statements.filter((statement) => !allowed.test(statement)),
        [],
        migration.name,
      )
      // A check that is written anew is dropped before, or the second run would find it there.
      for (const [at, statement] of migration.statements.entries()) {
        const set = /add constraint (\w+)/.exec(statement)?.[1]
        if (set)
          assert.ok(
            migration.statements.slice(0, at).some((before) => before.endsWith(`drop constraint if exists ${set}`)),
            migration.name,
          )
      }
    }
  })
})
