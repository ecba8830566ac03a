import { DatabaseError, openDatabase, startEmbeddedDatabase } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { projectFolder } from '@holdfast/ports/node'
import { backup, BackupError, type BackupSummary } from './backup.ts'
import { EXIT, type Invocation, readArguments, UsageError } from '../command.ts'
import { restore } from './restore.ts'

/** `backup <file>`: writes the whole database to a new file. 0 written, 1 not. */
export function backupCommand({ ports, args }: Invocation): Promise<number> {
  return operate(ports, readFile(args), 'Written', async (path) => {
    const place = await findDatabase(ports)
    if (place.folder !== undefined && (await ports.disk.list(place.folder)).length === 0) throw new BackupError(`there is no database in ${place.folder}`)
    const db = await openDatabase({ ports, ...place, poolSize: 2 })
    return backup({ ports, db, path }).finally(() => db.close())
  })
}

/** `restore <file>`: fills an empty database from a backup, whole or not at all. 0 filled, 1 not. */
export function restoreCommand({ ports, args }: Invocation): Promise<number> {
  return operate(ports, readFile(args), 'Restored', async (path) => {
    const place = await findDatabase(ports)
    if (place.url !== undefined) return restore({ ports, url: place.url, path })
    const embedded = await startEmbeddedDatabase({ ports, folder: place.folder })
    return restore({ ports, url: embedded.url, path }).finally(() => embedded.stop())
  })
}

function readFile(args: readonly string[]): string {
  const { positionals } = readArguments(args, {})
  if (positionals.length !== 1) throw new UsageError('Name one backup file.')
  return positionals[0]!
}

/** The database the server of this machine uses: DATABASE_URL, or else the embedded one, where `npm start` keeps it. */
async function findDatabase(ports: Ports): Promise<{ url: string; folder?: undefined } | { url?: undefined; folder: string }> {
  const { DATABASE_URL: url, SERVER_DATA: folder, HOLDFAST_DATA: local } = ports.process.env
  if (url) return { url }
  return { folder: folder || `${local || `${await projectFolder(import.meta.url)}/var`}/database` }
}

async function operate(ports: Ports, path: string, done: string, act: (path: string) => Promise<BackupSummary>): Promise<number> {
  try {
    const { tables, sha256 } = await act(path)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    ports.process.print(`${done}: ${rows} rows in ${tables.length} tables. SHA-256 of the content: ${sha256}`)
    ports.process.print('Shares of keys are not in it: each signer keeps its own, and the recovery kits are another safeguard.')
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof BackupError) && !(error instanceof DatabaseError)) throw error
    ports.process.printError(error.message)
    return EXIT.refused
  }
}
