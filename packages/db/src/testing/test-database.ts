import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import pg from 'pg'
import { startEmbeddedDatabase } from '../embedded-database.ts'
import { ensureRoles } from '../ensure-roles.ts'
import { migrate, readMigrations } from '../migrate.ts'
import { type Database, databaseOf, type DatabasePorts, openPools } from '../open-database.ts'
import { prepareRunTime, RUN_TIME_STATEMENTS, type RunTime } from '../prepare-run-time.ts'

type TestServer = { urlOf(database: string): string; adminUrl: string; template: string; stop(): Promise<void> }
type Prepared = { server: TestServer; admin: pg.Pool; runTime: RunTime }

const TEMPLATE = 'holdfast_template'
const MEMORY = '/dev/shm'
const MEMORY_FREE_BYTES_MIN = 2 ** 31

let prepared: Promise<Prepared> | undefined
let made = 0

type TestDatabaseOptions = { ports?: DatabasePorts; poolSize?: number; report?: (line: string) => void; onQuestion?: (text: string) => void }

/**
 * A real, empty, migrated database for one test, on a server that lives as long as this test process. It loses its data on
 * a power cut and is otherwise the PostgreSQL of production. HOLDFAST_TEST_DATABASE_URL names another server to test on,
 * by the address of a database whose login may create databases and roles. `close` drops the database. `onQuestion` hears the
 * text of every query, as often as it is sent; queries that travel together come as one text, with semicolons.
 */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const { server, admin, runTime } = await prepare()
  const name = `${server.template}_${++made}`
  // Copying the files takes a third of the time of writing their pages anew.
  await admin.query(`create database ${name} template ${server.template} strategy file_copy`)
  const url = server.urlOf(name)
  const pools = openPools(url, runTime, options.poolSize ?? 10)
  if (options.onQuestion) for (const pool of [pools.organisation, pools.system]) hearQuestions(pool, options.onQuestion)
  const afterClose = async () => void (await admin.query(`drop database ${name} with (force)`))
  return databaseOf({ ports: options.ports ?? nodePorts, url, runTime, pools, report: options.report, afterClose })
}

/** Queries the database of a test as the owner of its tables, past the wall: what a migration may do. */
export async function asOwner(db: Database, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const { rows } = await db.asSystem((tx) => sql<{ name: string }>`select current_database() as name`.execute(tx))
  const { server } = await prepare()
  await withConnection(server.urlOf(rows[0]!.name), act)
}

/** An empty database without any table, for tests of migrations and restores. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { server, admin } = await prepare()
  const name = `${server.template}_${++made}`
  await admin.query(`create database ${name} encoding 'UTF8' template template0`)
  return { url: server.urlOf(name), drop: async () => void (await admin.query(`drop database if exists ${name} with (force)`)) }
}

function hearQuestions(pool: pg.Pool, onQuestion: (text: string) => void): void {
  pool.on('connect', (client) => {
    const ask = client.query.bind(client) as (...asked: unknown[]) => unknown
    Object.assign(client, {
      query: (...asked: unknown[]) => {
        onQuestion(String(asked[0]))
        return ask(...asked)
      },
    })
  })
}

function prepare(): Promise<Prepared> {
  prepared ??= prepareServer()
  return prepared
}

async function prepareServer(): Promise<Prepared> {
  const external = nodePorts.process.env.HOLDFAST_TEST_DATABASE_URL
  const server = external === undefined ? await startServer() : externalServer(external)
  const admin = new pg.Pool({ connectionString: external ?? server.urlOf('postgres'), max: 2, allowExitOnIdle: true })
  admin.on('error', () => {})
  if (external !== undefined) await createTemplate(server, server.template)
  // The event loop is empty: all tests are done. Ends the server and removes its files before the process leaves.
  process.once('beforeExit', () => void endServer(server, admin))
  return { server, admin, runTime: await runTimeOf(server) }
}

/** The logins of the template, which are those of every copy of it. */
async function runTimeOf(server: TestServer): Promise<RunTime> {
  let runTime: RunTime | undefined
  await withConnection(server.urlOf(server.template), async (client) => {
    runTime = await prepareRunTime(client, nodePorts.random)
  })
  return runTime!
}

async function createTemplate(server: Pick<TestServer, 'urlOf' | 'adminUrl'>, name: string): Promise<void> {
  await withConnection(server.adminUrl, (client) => client.query(`create database ${name} encoding 'UTF8' template template0`))
  await withConnection(server.urlOf(name), async (client) => {
    await ensureRoles(client)
    await migrate(client, nodePorts)
    await prepareRunTime(client, nodePorts.random)
  })
}

async function withConnection(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}

async function endServer(server: TestServer, admin: pg.Pool): Promise<void> {
  await admin.end()
  await server.stop()
}

function externalServer(url: string): TestServer {
  const urlOf = (database: string) => {
    // An address with a socket and no host is right for PostgreSQL and no URL for JavaScript.
    const address = new URL(url.replace('@/', '@localhost/'))
    address.pathname = `/${database}`
    return address.toString()
  }
  const template = `holdfast_test_${uniqueName().replace('-', '_')}`
  const stop = async () => {
    const logins: { name: string }[] = []
    await withConnection(urlOf(template), async (client) =>
      logins.push(...(await client.query<{ name: string }>('select name from holdfast_private.login')).rows),
    )
    await withConnection(url, async (client) => {
      await client.query(`drop database if exists ${template} with (force)`)
      for (const { name } of logins) await client.query(`drop role if exists ${name}`)
    })
  }
  return { urlOf, adminUrl: url, template, stop }
}

/** The server's files are a copy of ones that were initialised and migrated before, because that takes longer than most tests. */
async function startServer(): Promise<TestServer> {
  const home = await homeFolder()
  await removeOrphans(home, (name) => !name.startsWith('prepared'))
  const folder = join(home, uniqueName())
  const migrations = await readMigrations(nodePorts)
  const prepared = join(
    home,
    `prepared-${createHash('sha256')
      .update([...migrations.map((each) => each.checksum), ...RUN_TIME_STATEMENTS].join())
      .digest('hex')
      .slice(0, 16)}`,
  )
  if (!(await copyFolder(prepared, folder))) {
    await removeOrphans(home, () => true)
    await prepareFolder(folder)
    // If another test process was faster this fails, and its folder is as good.
    await nodePorts.disk.move(folder, prepared).catch(() => nodePorts.disk.remove(folder))
    if (!(await copyFolder(prepared, folder))) await prepareFolder(folder)
  }
  const server = await startEmbeddedDatabase({ ports: nodePorts, folder, testMode: true })
  return {
    urlOf: server.urlOf,
    adminUrl: server.urlOf('postgres'),
    template: TEMPLATE,
    stop: async () => {
      await server.stop()
      await nodePorts.disk.remove(folder)
    },
  }
}

async function prepareFolder(folder: string): Promise<void> {
  const server = await startEmbeddedDatabase({ ports: nodePorts, folder, testMode: true })
  await createTemplate({ urlOf: server.urlOf, adminUrl: server.urlOf('postgres') }, TEMPLATE)
  await server.stop()
}

async function copyFolder(from: string, to: string): Promise<boolean> {
  if (!(await nodePorts.disk.stat(from))) return false
  if ((await nodePorts.process.spawn('cp', ['-r', '--reflink=auto', from, to]).exited) === 0) return true
  await nodePorts.disk.remove(to)
  return false
}

/** In memory if there is room: a test server creates a thousand files and keeps none of them. */
async function homeFolder(): Promise<string> {
  const { host } = nodePorts.process
  const parent = (await nodePorts.disk.freeBytes(MEMORY)) >= MEMORY_FREE_BYTES_MIN ? MEMORY : host.temporaryFolder
  const home = join(parent, `holdfast-test-${host.userId ?? 'user'}`)
  await nodePorts.disk.makeFolder(home)
  return home
}

/** Removes what killed test processes and older migrations left; the servers of killed processes ended with them. */
async function removeOrphans(home: string, chosen: (name: string) => boolean): Promise<void> {
  for (const name of (await nodePorts.disk.list(home)).filter(chosen)) {
    const pid = Number.parseInt(name, 10)
    if (Number.isNaN(pid) || !nodePorts.process.signal(pid, 0)) await nodePorts.disk.remove(join(home, name))
  }
}

function uniqueName(): string {
  return `${process.pid}-${Buffer.from(nodePorts.random.bytes(4)).toString('hex')}`
}

export { insertSampleRows, type SampleIds } from './sample-rows.ts'
