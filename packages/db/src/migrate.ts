import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ports } from '@holdfast/ports'
import pg from 'pg'
import { DatabaseError } from './database-error.ts'

export type Migration = { name: string; checksum: string; statements: string[] }
export type MigrationPorts = Pick<Ports, 'clock' | 'disk'>

const FOLDER = fileURLToPath(new URL('../migrations/', import.meta.url))

/** The tables that the runner itself needs. `lease` holds rows that one program at a time locks. */
const FIRST_STATEMENTS = [
  'create table if not exists migration (name text primary key, checksum text not null, applied_at bigint not null)',
  'create table if not exists lease (name text primary key)',
  "insert into lease (name) values ('migration') on conflict do nothing",
]

/** The migrations of this release, in order. `folder` is for tests. */
export async function readMigrations(ports: Pick<Ports, 'disk'>, folder = FOLDER): Promise<Migration[]> {
  const names = (await ports.disk.list(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const content = await ports.disk.read(join(folder, name))
      if (!content) throw new DatabaseError(`the migration ${name} cannot be read`)
      return { name, checksum: createHash('sha256').update(content).digest('hex'), statements: splitStatements(new TextDecoder().decode(content)) }
    }),
  )
}

/**
 * The statements of a migration file. Enough for the SQL that migrations may hold: comments are on lines of their own,
 * a statement ends with a semicolon at the end of a line, and there are no function bodies.
 */
export function splitStatements(text: string): string[] {
  const code = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
  return code
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/**
 * Brings the database to this release, or to the migration named `upTo`, with one transaction for each file. Several programs may
 * try at once: one works, the others wait. Throws DatabaseError if a migration file was changed after it was applied, if
 * the database is newer than this release, or if it holds tables of somebody else.
 */
export async function migrate(
  client: pg.ClientBase,
  ports: MigrationPorts,
  options: { migrations?: Migration[]; upTo?: string | undefined } = {},
): Promise<void> {
  const migrations = options.migrations ?? (await readMigrations(ports))
  const last = options.upTo === undefined ? migrations.length : migrations.findIndex((each) => each.name === options.upTo) + 1
  if (options.upTo !== undefined && last === 0) throw new DatabaseError(`this release does not know the migration ${options.upTo}: use a newer release`)
  await prepare(client)
  for (const migration of await pendingMigrations(client, migrations.slice(0, last), migrations)) await apply(client, ports, migration)
}

async function prepare(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ tablename: string }>('select tablename::text from pg_tables where schemaname = current_schema()')
  const tables = rows.map((row) => row.tablename)
  if (tables.length > 0 && !tables.includes('migration') && !tables.includes('lease')) {
    throw new DatabaseError(`the database holds tables that are not ours (${tables.slice(0, 3).join(', ')}): give Holdfast a database of its own`)
  }
  for (const statement of FIRST_STATEMENTS) {
    // "If not exists" still fails for the slower of two programs that create at the same moment; the second try finds it created.
    await client.query(statement).catch(() => client.query(statement))
  }
}

async function pendingMigrations(client: pg.ClientBase, wanted: Migration[], known: Migration[]): Promise<Migration[]> {
  const { rows: applied } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration order by name')
  for (const each of applied) {
    const ours = known.find((migration) => migration.name === each.name)
    if (!ours) throw new DatabaseError(`the database was used by a newer release (it has ${each.name}): start that release or a later one`)
    if (ours.checksum !== each.checksum) {
      const remedy = 'put the file back as it was and write the change as a new migration'
      throw new DatabaseError(`the migration ${each.name} was changed after it was applied: ${remedy}`)
    }
  }
  const names = new Set(applied.map((each) => each.name))
  const pending = wanted.filter((migration) => !names.has(migration.name))
  const newest = applied.at(-1)
  const late = newest && pending.find((migration) => migration.name < newest.name)
  if (late) throw new DatabaseError(`the migration ${late.name} comes before ${newest.name}, which is applied already: give it a later number`)
  return pending
}

/** What a file says goes to the server in one piece: a fresh database would otherwise wait for an answer a thousand times. */
async function apply(client: pg.ClientBase, ports: MigrationPorts, { name, checksum, statements }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query("select from lease where name = 'migration' for update")
    const { rowCount } = await client.query('select from migration where name = $1', [name])
    if (!rowCount) {
      await client.query(statements.join(';\n'))
      await client.query('insert into migration (name, checksum, applied_at) values ($1, $2, $3)', [name, checksum, ports.clock.nowMs()])
    }
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => {})
    throw new DatabaseError(`the migration ${name} failed: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
