import type { Ports } from '@holdfast/ports'
import type { OrganisationId } from '@holdfast/units'
import pg from 'pg'
import { DatabaseAwayError, DatabaseError } from './database-error.ts'
import { RESTORE, startEmbeddedDatabase } from './embedded-database.ts'
import { ensureRoles } from './ensure-roles.ts'
import { listen, type Listener } from './listen.ts'
import { migrate } from './migrate.ts'
import type { PipelinedConnection } from './pipelined-connection.ts'
import { prepareRunTime, type RunTime, urlOfLogin } from './prepare-run-time.ts'
import { askCompanion, noteSystemRead } from './read-along.ts'
import {
  asOrganisationTx,
  asSystemTx,
  organisationEntry,
  type OrganisationTx,
  runTransaction,
  SYSTEM_ENTRY,
  type SystemTx,
  type TransactionOptions,
  type Tx,
} from './run-transaction.ts'
import { valueTypes } from './value-types.ts'

export type DatabasePorts = Pick<Ports, 'clock' | 'random' | 'timer' | 'disk' | 'process'>

export type Database = {
  /** The address of the tables' owner, as the operator gave it, for tools; the server uses other logins. It may hold a password: never print it. */
  readonly url: string
  /**
   * One transaction (READ COMMITTED) for an organisation. `act` may run several times, whole: it must have no effect
   * outside the transaction that may not be repeated. Throws DatabaseBusyError if trying again may help, and DatabaseAwayError
   * if the connection was lost: this call failed, and the next one takes another connection.
   */
  asOrganisation<T>(orgId: OrganisationId, act: (tx: OrganisationTx) => Promise<T>): Promise<T>
  /** The same for the installation: sees and writes the rows of every organisation. For scanners, sweepers, log-in and set-up. */
  asSystem<T>(act: (tx: SystemTx) => Promise<T>): Promise<T>
  /**
   * Reads for an organisation in one turn: `act` makes all queries before it first waits, as with `Promise.all`, and none later. It costs
   * one round trip to the database; `asOrganisation` costs at least two.
   */
  readOrganisation<T>(orgId: string, act: (tx: OrganisationTx) => Promise<T>): Promise<T>
  /** Reads for an organisation in several turns, each of which costs one round trip and sees what is committed when it begins, as in `asOrganisation`. */
  readOrganisationInTurns<T>(orgId: OrganisationId, act: (tx: OrganisationTx) => Promise<T>): Promise<T>
  /** The same as `readOrganisation` for the installation. */
  readSystem<T>(act: (tx: SystemTx) => Promise<T>): Promise<T>
  /** Reads everything as it was at one moment (REPEATABLE READ, READ ONLY), however long it takes. */
  readSnapshot<T>(act: (tx: SystemTx) => Promise<T>): Promise<T>
  /** Calls back on each NOTIFY of the channel and after each reconnection: a hint to look, never the only reason to. */
  listen(channel: string, onHint: () => void): Listener
  /** Waits for running transactions, closes all connections, and stops the embedded server if this call started it. */
  close(): Promise<void>
}

export type OpenOptions = {
  ports: DatabasePorts
  /** A PostgreSQL server's address (DATABASE_URL). Absent: the embedded one in `folder`. */
  url?: string | undefined
  folder?: string | undefined
  /** Connections at most, for organisations and for the installation each; a transaction holds one. */
  poolSize?: number
  /** The migration to stop at, for a restore that must meet the tables of an older release. */
  upTo?: string
  /** Called, for the log, when the database goes away and comes back, and for each transaction that it aborted and that runs again. */
  report?: (line: string) => void
}

const SERVER_VERSION_MIN = 150_000
const CONNECT_TIMEOUT_MS = 10_000
/** A new connection has to learn every table again, which costs more than keeping one that nobody needs for a while. */
const IDLE_TIMEOUT_MS = 5 * 60_000
/** A transaction that waits for our own code this long is lost work; ending it frees its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

/**
 * Connects to an embedded or external server in the same way, checks it, and brings roles and tables to this release, all as the owner of the tables;
 * afterwards it uses logins without any power of their own. Throws DatabaseError.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { ports, folder, report } = options
  const embedded = options.url === undefined && folder !== undefined ? await startEmbeddedDatabase({ ports, folder, report }) : undefined
  const url = embedded?.url ?? options.url
  if (url === undefined) throw new DatabaseError('no database: give its address in DATABASE_URL, or a folder for the embedded one')
  const owner = createPool(url, 1)
  try {
    const runTime = await withClient(owner, async (client) => {
      await checkServer(client)
      await ensureRoles(client)
      await migrate(client, ports, { upTo: options.upTo })
      return prepareRunTime(client, ports.random)
    })
    await owner.end()
    const pools = openPools(url, runTime, options.poolSize ?? 10)
    await checkLogins(pools)
    return databaseOf({ ports, url, runTime, pools, report, onAway: embedded?.revive, afterClose: async () => embedded?.stop() })
  } catch (cause) {
    if (!owner.ended) await owner.end()
    await embedded?.stop()
    throw isCorruption(cause) ? new DatabaseError(`the database is damaged: ${cause.message}. ${RESTORE}`, { cause }) : cause
  }
}

/** A server whose access rules keep the logins out fails now, and not at the first call. */
async function checkLogins({ organisation, system }: Pools): Promise<void> {
  try {
    for (const pool of [organisation, system]) await withClient(pool, async () => {})
  } catch (cause) {
    await Promise.all([organisation.end(), system.end()])
    throw cause
  }
}

export type Pools = { organisation: pg.Pool; system: pg.Pool }

export function openPools(url: string, runTime: RunTime, max: number): Pools {
  return { organisation: createPool(urlOfLogin(url, runTime.organisation), max), system: createPool(urlOfLogin(url, runTime.system), max) }
}

/** Class XX of SQLSTATE: a page whose checksum is wrong, an index that contradicts its table. */
function isCorruption(cause: unknown): cause is Error {
  return cause instanceof Error && String((cause as { code?: unknown }).code).startsWith('XX')
}

type Opened = Pick<OpenOptions, 'ports' | 'report'> & {
  url: string
  runTime: RunTime
  pools: Pools
  /** Called whenever a connection is lost or unavailable, which may be often. */
  onAway?: (() => void) | undefined
  afterClose: () => Promise<void>
}

const READING = { isolationLevel: 'read committed', accessMode: 'read only' } as const
const ONE_TURN = { ...READING, turns: 'one' } as const

/** A database that is migrated already. */
export function databaseOf({ ports, url, runTime, pools, report = () => {}, onAway = () => {}, afterClose }: Opened): Database {
  const { proofOf } = runTime
  for (const pool of [pools.organisation, pools.system]) pool.on('error', onAway)
  let isAway = false
  const run = async <T>(pool: pg.Pool, options: TransactionOptions, act: (tx: Tx, connection: PipelinedConnection) => Promise<T>): Promise<T> => {
    const onRetry = (cause: Error) => report(`the database gave a transaction up, and it runs again: ${cause.message}`)
    try {
      const result = await runTransaction(pool, ports, { ...options, onRetry }, act)
      if (isAway) report('the database answers again')
      isAway = false
      return result
    } catch (cause) {
      if (!(cause instanceof DatabaseAwayError)) throw cause
      if (!isAway) report(`${cause.message}. Calls that need it fail until it answers again`)
      isAway = true
      onAway()
      throw cause
    }
  }
  const forOrganisation = <T>(orgId: OrganisationId, options: Omit<TransactionOptions, 'entry'>, act: (tx: OrganisationTx) => Promise<T>): Promise<T> =>
    run(pools.organisation, { ...options, entry: organisationEntry(orgId, proofOf) }, (inner) => {
      const tx = asOrganisationTx(inner, orgId)
      askCompanion(tx)
      return act(tx)
    })
  const forSystem = <T>(options: Omit<TransactionOptions, 'entry'>, act: (tx: SystemTx) => Promise<T>): Promise<T> => {
    noteSystemRead()
    return run(pools.system, { ...options, entry: SYSTEM_ENTRY }, (tx, connection) => act(asSystemTx(tx, { connection, proofOf })))
  }
  return {
    url,
    asOrganisation: async (orgId, act) => forOrganisation(orgId, { isolationLevel: 'read committed' }, act),
    readOrganisation: async (orgId, act) => forOrganisation(orgId, ONE_TURN, act),
    readOrganisationInTurns: async (orgId, act) => forOrganisation(orgId, { ...READING, turns: 'several' }, act),
    readSystem: (act) => forSystem(ONE_TURN, act),
    asSystem: (act) => forSystem({ isolationLevel: 'read committed' }, act),
    readSnapshot: (act) => forSystem({ isolationLevel: 'repeatable read', accessMode: 'read only' }, act),
    listen: (channel, onHint) => listen({ ports, url: urlOfLogin(url, runTime.organisation), channel, onHint, onAway }),
    close: async () => {
      await Promise.all([pools.organisation.end(), pools.system.end()])
      await afterClose()
    },
  }
}

export function createPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: valueTypes,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: 'holdfast',
    keepAlive: true,
  })
  // A broken connection is replaced when the next one is needed; without listeners it would end the process. The pool listens to idle connections. One
  // in use reports it to the statement that waits, or to the next one, and once more to its listeners.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export async function withClient<T>(pool: pg.Pool, act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((cause) => {
    throw new DatabaseError(
      `the database does not answer (${cause instanceof Error ? cause.message : cause}): is the server running, and is DATABASE_URL right?`,
      { cause },
    )
  })
  try {
    return await act(client)
  } finally {
    client.release()
  }
}

async function checkServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  )
  const { version = '0', encoding = '' } = rows[0] ?? {}
  if (Number(version) < SERVER_VERSION_MIN) throw new DatabaseError(`PostgreSQL ${Math.floor(Number(version) / 10_000)} is too old: use version 15 or newer`)
  if (encoding !== 'UTF8') throw new DatabaseError(`the database has the encoding ${encoding}: create it with encoding UTF8`)
}
