import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Database, type DatabasePorts, openDatabase, readTables, type SystemTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { at, last } from '@holdfast/units'
import { sql } from 'kysely'
import { BACKUP_VERSION, type BackupHeader, type BackupSummary } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { isSignedBy, openStream } from './backup-seal.ts'

type Table = BackupHeader['tables'][number]
/** Some rows of a table, each the line that the backup has for it. */
type TakeRows = (table: Table, lines: string[]) => Promise<void>
type ReadPorts = Pick<Ports, 'disk'>

/** What opens a backup (age secret keys), and the server that must have signed it (its Ed25519 public key). */
export type RestoreKeys = { identities: readonly string[]; signedBy: Uint8Array }
type File = { path: string; keys: RestoreKeys }

const ROWS_AT_ONCE = 500
const CHARACTERS_AT_ONCE = 1 << 20

/**
 * Fills an empty database from a backup, whole or not at all. The file is checked to its end before the database is touched,
 * and once more while it is read. A backup of an older release is read as that release wrote it and then brought to this
 * one. Throws BackupError for a file that is damaged, no backup or of another server, and for a database that is not empty; what to do stands
 * in the message.
 */
export async function restore(options: { ports: DatabasePorts; url: string; path: string; keys: RestoreKeys }): Promise<BackupSummary> {
  const { ports, url, path } = options
  const { header, sha256 } = await readBackup(ports, options)
  const db = await openDatabase({ ports, url, upTo: last(header.migrations).name, poolSize: 2 })
  try {
    await checkMigrations(db, header, path)
    await db.asSystem(async (tx) => {
      await checkTables(tx, header, path)
      const again = await readBackup(ports, options, (table, lines) => insertRows(tx, table, lines))
      if (again.sha256 !== sha256) throw damaged(path, 'it was changed while it was read')
      await checkCounts(tx, header, path)
    })
  } finally {
    await db.close()
  }
  await (await openDatabase({ ports, url, poolSize: 2 })).close()
  return { tables: header.tables, sha256 }
}

/**
 * Reads a backup to its end, checking its shape, its counts and its hash, and gives its rows to `take`. Throws BackupError
 * where the file is not whole, as it was written and by that server; `take` may have had rows by then.
 */
export async function readBackup(ports: ReadPorts, { path, keys }: File, take: TakeRows = async () => {}): Promise<{ header: BackupHeader; sha256: string }> {
  if (!(await ports.disk.stat(path))) throw new BackupError(`there is no file ${path}`)
  const lines = readLines(ports, path, keys.identities)
  const hash = createHash('sha256')
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw damaged(path, 'it ends too early')
    return value
  }
  const nextHashed = async (): Promise<string> => {
    const line = await next()
    hash.update(line).update('\n')
    return line
  }
  try {
    const header = parseHeader(await nextHashed(), path)
    for (const table of header.tables) {
      if ((await nextHashed()) !== JSON.stringify({ table: table.name, rows: table.rows })) {
        throw damaged(path, `the rows of ${table.name} are not where they should be`)
      }
      await takeTable(table, nextHashed, take)
    }
    const sha256 = hash.digest('hex')
    checkEnd(await next(), { path, keys }, { sha256, createdAtMs: header.createdAtMs })
    if (!(await lines.next()).done) throw damaged(path, 'something follows its end')
    return { header, sha256 }
  } finally {
    await lines.return()
  }
}

function checkEnd(line: string, { path, keys }: File, content: { sha256: string; createdAtMs: number }): void {
  const end = parseLine(line, path, 'its end cannot be read') as { end?: unknown; sha256?: unknown; signedBy?: unknown; signature?: unknown } | null
  if (end?.end !== true || end.sha256 !== content.sha256) throw damaged(path, 'its hash is not the hash of its content')
  if (!isSignedBy(keys.signedBy, end.signature, content))
    throw new BackupError(
      `${path} was not signed by server ${toHex(keys.signedBy)}${typeof end.signedBy === 'string' ? `; it says that it is by ${end.signedBy}` : ''}. Nothing was restored; if that is the server you mean, name it with --signed-by`,
    )
}

function parseLine(line: string, path: string, fault: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw damaged(path, fault, cause)
  }
}

async function takeTable(table: Table, nextLine: () => Promise<string>, take: TakeRows): Promise<void> {
  let lines: string[] = []
  let characters = 0
  for (let row = 1; row <= table.rows; row++) {
    const line = await nextLine()
    lines.push(line)
    characters += line.length
    if (row < table.rows && lines.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue
    await take(table, lines)
    lines = []
    characters = 0
  }
}

/** The lines go to the database as they are, so that no number passes through JavaScript. */
async function insertRows(tx: SystemTx, table: Table, lines: string[]): Promise<void> {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table.name)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table.name)}, ${`[${lines.join(',')}]`}::json)`.execute(tx)
}

async function checkMigrations(db: Database, header: BackupHeader, path: string): Promise<void> {
  const ours = await db.asSystem((tx) => tx.selectFrom('migration').select(['name', 'checksum']).orderBy('name').execute())
  const other = header.migrations.find((migration, i) => migration.name !== ours[i]?.name || migration.checksum !== ours[i]?.checksum)
  if (other) throw new BackupError(`${path} was made by another release (its migration ${other.name} is not ours): restore it with the release that made it`)
  const later = ours[header.migrations.length]
  if (later) throw new BackupError(`the database is newer than ${path} (it has ${later.name}): restore into a new, empty database`)
}

/** The names in the file are used only where they are the names the database has. */
async function checkTables(tx: SystemTx, header: BackupHeader, path: string): Promise<void> {
  const describe = (tables: { name: string; columns: string[] }[]) => JSON.stringify(tables.map(({ name, columns }) => [name, columns]))
  const ours = (await readTables(tx)).map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
  if (describe(ours) !== describe(header.tables)) throw damaged(path, 'its tables are not those of its migrations')
  for (const { name } of ours) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(tx)
    if (rows.length > 0) throw new BackupError(`the database is not empty (${name} has rows): restore into a new, empty database`)
  }
}

async function checkCounts(tx: SystemTx, header: BackupHeader, path: string): Promise<void> {
  for (const table of header.tables) {
    const { rows } = await sql<{ count: bigint }>`select count(*) from ${sql.table(table.name)}`.execute(tx)
    if (at(rows, 0).count !== BigInt(table.rows)) throw damaged(path, `${table.name} has ${at(rows, 0).count} rows and should have ${table.rows}`)
  }
}

function parseHeader(line: string, path: string): BackupHeader {
  const header = parseLine(line, path, 'its header cannot be read') as Partial<BackupHeader> | null
  if (header?.format !== 'holdfast-backup') throw new BackupError(`${path} is no backup of Holdfast`)
  if (header.version !== BACKUP_VERSION) throw new BackupError(`${path} has format ${header.version}, which this release does not read: use a newer release`)
  if (!Array.isArray(header.migrations) || header.migrations.length === 0 || !Array.isArray(header.tables)) throw damaged(path, 'its header is not complete')
  return header as BackupHeader
}

async function* readLines(ports: ReadPorts, path: string, identities: readonly string[]): AsyncGenerator<string, void, void> {
  // A failure of either end of the pipe ends the iteration below with its error.
  const sealed = await openSealed(ports, path, identities)
  const unpacked = pipeline(Readable.from(sealed), createGunzip(), () => {})
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for await (const piece of unpacked as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (cause) {
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), cause)
  }
  if (rest !== '') throw damaged(path, 'it ends in the middle of a line')
}

/** What the file begins with, as age defines it. */
const AGE_BEGINNING = 'age-encryption.org/v1'

async function openSealed(ports: ReadPorts, path: string, identities: readonly string[]): Promise<AsyncIterable<Uint8Array>> {
  for await (const piece of ports.disk.readPieces(path)) {
    const beginning = Buffer.from(piece.subarray(0, AGE_BEGINNING.length)).toString('latin1')
    if (beginning === AGE_BEGINNING) break
    throw new BackupError(`${path} is no sealed backup. If an older release made it, restore it with that release. Nothing was restored`)
  }
  try {
    return await openStream(identities, ports.disk.readPieces(path))
  } catch (cause) {
    throw new BackupError(`${path} is damaged, or none of the identities given opens it. Nothing was restored; use another copy or another identity`, { cause })
  }
}

function damaged(path: string, how: string, cause?: unknown): BackupError {
  return new BackupError(`the backup file ${path} is damaged: ${how}. Nothing was restored; use another copy`, { cause })
}
