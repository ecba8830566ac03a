import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Database, readTables, type SystemTx, type TableInfo } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { at, known } from '@holdfast/units'
import { sql } from 'kysely'
import { BackupError } from './backup-error.ts'
import { sealStream, signBackup } from './backup-seal.ts'

/**
 * A backup is an age file of gzipped text of JSON lines: a header; for each table a line that names it and then its rows, one a line, as
 * objects with whole numbers that may be large (and bytes, in hexadecimal) as text; and a last line with the SHA-256 of
 * all lines before it, signed by the server that wrote it. Everything is of one moment. Jobs that wait in the queue are not in it: their work is
 * found again by the sweepers from the states that are.
 */
export type BackupHeader = {
  format: 'holdfast-backup'
  version: typeof BACKUP_VERSION
  createdAtMs: number
  /** The migrations the database had: what the columns mean. */
  migrations: { name: string; checksum: string }[]
  tables: { name: string; columns: string[]; rows: number }[]
}

/** Version 1 was neither sealed nor signed. */
export const BACKUP_VERSION = 2
export type BackupSummary = { tables: BackupHeader['tables']; sha256: string }

/** Who may open the backup (age recipients, any one of them), and the server's identity, with which it is signed. */
export type BackupKeys = { recipients: readonly string[]; signingKey: Uint8Array }

/** Rows read at a time. A recovery kit may be megabytes, so not thousands. */
const ROWS_A_FETCH = 100
const WRITE_BYTES = 1 << 20
/** Too large for a number of JSON in most programs; written as text. */
const WRITTEN_AS_TEXT = new Set(['numeric', 'bigint'])

/** Writes everything in the database to a new sealed file, readable by this user only. Throws BackupError if the file exists. */
export async function backup(options: { ports: Pick<Ports, 'clock' | 'disk'>; db: Database; path: string; keys: BackupKeys }): Promise<BackupSummary> {
  const { ports, db, path, keys } = options
  if (await ports.disk.stat(path)) throw new BackupError(`${path} exists: give the backup a new name`)
  const draft = `${path}.partial`
  await ports.disk.remove(draft)
  try {
    const summary = await db.readSnapshot(async (tx) => {
      const header = await readHeader(tx, ports.clock.nowMs())
      const hash = createHash('sha256')
      const lines = Readable.from(writeLines(tx, header, hash, keys.signingKey))
      await pipeline(lines, createGzip(), async (source: AsyncIterable<Uint8Array>) => writeFile(ports, draft, await sealStream(keys.recipients, source)))
      return { tables: header.tables, sha256: hash.copy().digest('hex') }
    })
    await ports.disk.move(draft, path)
    return summary
  } catch (cause) {
    await ports.disk.remove(draft)
    throw cause
  }
}

async function readHeader(tx: SystemTx, createdAtMs: number): Promise<BackupHeader> {
  const migrations = await tx.selectFrom('migration').select(['name', 'checksum']).orderBy('name').execute()
  const tables: BackupHeader['tables'] = []
  for (const table of await readTables(tx)) {
    const { rows } = await sql<{ count: bigint }>`select count(*) from ${sql.table(table.name)}`.execute(tx)
    tables.push({ name: table.name, columns: table.columns.map((column) => column.name), rows: Number(at(rows, 0).count) })
  }
  return { format: 'holdfast-backup', version: BACKUP_VERSION, createdAtMs, migrations, tables }
}

async function* writeLines(tx: SystemTx, header: BackupHeader, hash: Hash, signingKey: Uint8Array): AsyncGenerator<string> {
  const hashed = (line: string): string => {
    hash.update(line).update('\n')
    return `${line}\n`
  }
  yield hashed(JSON.stringify(header))
  const tables = new Map((await readTables(tx)).map((table) => [table.name, table]))
  for (const { name, rows } of header.tables) {
    yield hashed(JSON.stringify({ table: name, rows }))
    for await (const row of readRows(tx, known(tables.get(name), `table ${name}`))) yield hashed(row)
  }
  const sha256 = hash.copy().digest('hex')
  yield `${JSON.stringify({ end: true, sha256, ...signBackup(signingKey, { sha256, createdAtMs: header.createdAtMs }) })}\n`
}

async function* readRows(tx: SystemTx, table: TableInfo): AsyncGenerator<string> {
  const columns = table.columns.map(({ name, type }) => {
    const column = sql.ref(`t.${name}`)
    return WRITTEN_AS_TEXT.has(type) ? sql`${column}::text as ${sql.ref(name)}` : column
  })
  const order = sql.join(table.primaryKey.map((column) => sql.ref(`t.${column}`)))
  const source =
    table.refersToItself.length === 0
      ? sql`select ${sql.join(columns)} from ${sql.table(table.name)} t order by ${order}`
      : sql`${rankRows(table)} select ${sql.join(columns)} from ${sql.table(table.name)} t
        join ranked on ${matches(table.refersToItself.map(({ to }) => ({ left: `ranked.${to}`, right: `t.${to}` })))} order by ranked.depth, ${order}`
  await sql`declare backup_rows no scroll cursor for select to_json(r)::text as line from (${source}) r`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(ROWS_A_FETCH)} from backup_rows`.execute(tx)
    if (rows.length === 0) break
    for (const { line } of rows) yield line
  }
  await sql`close backup_rows`.execute(tx)
}

/** Rows that refer to a row of their own table come after it, however long the chain, so that a restore can insert in this order. */
function rankRows({ name, refersToItself }: TableInfo) {
  const keys = (alias: string) => sql.join(refersToItself.map(({ to }) => sql.ref(`${alias}.${to}`)))
  const first = sql.join(
    refersToItself.map(({ from }) => sql`${sql.ref(`t.${from}`)} is null`),
    sql` or `,
  )
  const next = matches(refersToItself.map(({ from, to }) => ({ left: `t.${from}`, right: `ranked.${to}` })))
  return sql`with recursive ranked as (
    select ${keys('t')}, 0 as depth from ${sql.table(name)} t where ${first}
    union all select ${keys('t')}, ranked.depth + 1 from ${sql.table(name)} t join ranked on ${next}
  )`
}

function matches(pairs: { left: string; right: string }[]) {
  return sql.join(
    pairs.map(({ left, right }) => sql`${sql.ref(left)} = ${sql.ref(right)}`),
    sql` and `,
  )
}

async function writeFile(ports: Pick<Ports, 'disk'>, path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await ports.disk.openAppend(path)
  try {
    let pieces: Uint8Array[] = []
    let size = 0
    const flush = async () => {
      await file.append(Buffer.concat(pieces))
      pieces = []
      size = 0
    }
    for await (const piece of source) {
      pieces.push(piece)
      size += piece.length
      if (size >= WRITE_BYTES) await flush()
    }
    await flush()
  } finally {
    await file.close()
  }
}
