import type { ParseArgsConfig } from 'node:util'
import { type Database, DatabaseError, openDatabase, startEmbeddedDatabase } from '@holdfast/db'
import { decode, fromHex, toHex } from '@holdfast/encoding'
import { linkPublicKey } from '@holdfast/link'
import { policyShape } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import { projectFolder } from '@holdfast/ports/node'
import { at } from '@holdfast/units'
import { readIdentities } from '../recover/recovery-identity.ts'
import { backup, type BackupSummary } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { EXIT, type Invocation, readArguments, UsageError } from '../command.ts'
import { restore } from './restore.ts'

/**
 * `backup <file> [--recipient <age1…> …]`: writes the whole database to a new sealed file. Without recipients it is sealed to the officers of the one
 * organisation that the database has. 0 written, 1 not.
 */
export function backupCommand({ ports, args }: Invocation): Promise<number> {
  const { path, values } = readFile(args, { recipient: { type: 'string', multiple: true } })
  return operate(ports, async () => {
    const signingKey = await readServerIdentity(ports)
    if (!signingKey) throw new BackupError(`a backup is signed with the server's identity: set SERVER_IDENTITY to its file`)
    const place = await findDatabase(ports)
    if (place.folder !== undefined && (await ports.disk.list(place.folder)).length === 0) throw new BackupError(`there is no database in ${place.folder}`)
    const db = await openDatabase({ ports, ...place, poolSize: 2 })
    try {
      const recipients = values.recipient ?? (await officersOf(db))
      const summary = await backup({ ports, db, path, keys: { recipients, signingKey } })
      report(ports, 'Written', summary)
      ports.process.print(`Each of ${recipients.length} recipient(s) opens it. Signed by server ${toHex(linkPublicKey({ secretKey: signingKey }))}.`)
    } finally {
      await db.close()
    }
  })
}

/**
 * `restore <file> --identity <file> … [--signed-by <key>]`: fills an empty database from a backup, whole or not at all. Without a key the
 * backup must be of the server whose identity is on this machine. 0 filled, 1 not.
 */
export async function restoreCommand({ ports, args }: Invocation): Promise<number> {
  const { path, values } = readFile(args, { identity: { type: 'string', multiple: true }, 'signed-by': { type: 'string' } })
  if (!values.identity?.length) throw new UsageError('Name a file with an identity that opens the backup: --identity <file>.')
  const identities = (await Promise.all(values.identity.map((file) => readIdentities(ports.disk, file)))).flat().map(({ secret }) => secret)
  const keys = { identities, signedBy: await signerOf(ports, values['signed-by']) }
  return operate(ports, async () => {
    const place = await findDatabase(ports)
    if (place.url !== undefined) return report(ports, 'Restored', await restore({ ports, url: place.url, path, keys }))
    const embedded = await startEmbeddedDatabase({ ports, folder: place.folder })
    try {
      report(ports, 'Restored', await restore({ ports, url: embedded.url, path, keys }))
    } finally {
      await embedded.stop()
    }
  })
}

function readFile<T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  const { positionals, values } = readArguments(args, options)
  if (positionals.length !== 1) throw new UsageError('Name one backup file.')
  return { path: at(positionals, 0), values }
}

/** The public key that must have signed a backup: the one named, or that of the server of this machine. Throws UsageError. */
async function signerOf(ports: Ports, named: string | undefined): Promise<Uint8Array> {
  if (named !== undefined && !/^[0-9a-f]{64}$/i.test(named))
    throw new UsageError("--signed-by takes a server's key of 64 hexadecimal digits, as `backup` printed it.")
  if (named !== undefined) return fromHex(named.toLowerCase())
  const secretKey = await readServerIdentity(ports)
  if (!secretKey)
    throw new UsageError('This machine has no server identity: say with --signed-by <key> which server wrote the backup; `backup` printed its key.')
  return linkPublicKey({ secretKey })
}

/** The identity of the server of this machine: SERVER_IDENTITY, or where `npm start` keeps it. Undefined if there is none. */
async function readServerIdentity(ports: Ports): Promise<Uint8Array | undefined> {
  const path = ports.process.env.SERVER_IDENTITY || `${await localData(ports)}/server/identity`
  const content = await ports.disk.read(path)
  if (!content) return undefined
  const text = new TextDecoder().decode(content).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new BackupError(`${path} must hold the server's identity: 64 hexadecimal digits`)
  return fromHex(text)
}

/** The officers to whom the one organisation's signers seal their recovery shares. Throws BackupError if there are several organisations, or none. */
async function officersOf(db: Database): Promise<string[]> {
  const rows = await db.asSystem((tx) => tx.selectFrom('policy_version').select(['org_id', 'bytes']).orderBy('version', 'desc').execute())
  const organisations = new Set(rows.map((row) => row.org_id))
  if (organisations.size !== 1)
    throw new BackupError(
      `the database has ${organisations.size} founded organisations: say with --recipient <age1…> who may open the backup, which holds what is of all of them`,
    )
  const { recovery } = decode(policyShape, new Uint8Array(at(rows, 0).bytes))
  return [...new Set(recovery.flatMap(({ recipients }) => recipients))]
}

const localData = async (ports: Ports): Promise<string> => ports.process.env.HOLDFAST_DATA || `${await projectFolder(import.meta.url)}/var`

/** The database the server of this machine uses: DATABASE_URL, or else the embedded one, where `npm start` keeps it. */
async function findDatabase(ports: Ports): Promise<{ url: string; folder?: undefined } | { url?: undefined; folder: string }> {
  const { DATABASE_URL: url, SERVER_DATA: folder } = ports.process.env
  if (url) return { url }
  return { folder: folder || `${await localData(ports)}/database` }
}

async function operate(ports: Ports, act: () => Promise<void>): Promise<number> {
  try {
    await act()
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof BackupError) && !(error instanceof DatabaseError)) throw error
    ports.process.printError(error.message)
    return EXIT.refused
  }
}

function report(ports: Ports, done: string, { tables, sha256 }: BackupSummary): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  ports.process.print(`${done}: ${rows} rows in ${tables.length} tables. SHA-256 of the content: ${sha256}`)
  ports.process.print('Shares of keys are not in it: each signer keeps its own, and the recovery kits are another safeguard.')
}
