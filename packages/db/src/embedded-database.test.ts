import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import pg from 'pg'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { openDatabase } from './open-database.ts'

const ports = nodePorts

describe('the embedded database', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-embedded-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const postmaster = async () => Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10)
  const isRunning = async () =>
    postmaster().then(
      (pid) => nodePorts.process.signal(pid, 0),
      () => false,
    )
  const open = () => openDatabase({ ports, folder })
  const addChain = (name: string) => async () => {
    const db = await open()
    await db.asSystem((tx) => tx.insertInto('chain_cursor').values({ chain: name, height: 1n, hash: '0x1', updated_at: 1 }).execute())
    return db
  }
  const chains = async () => {
    const db = await open()
    const rows = await db.asSystem((tx) => tx.selectFrom('chain_cursor').select('chain').orderBy('chain').execute())
    await db.close()
    return rows.map((row) => row.chain)
  }

  it('is a PostgreSQL 18 that waits for the disk, made and migrated on the first start', async () => {
    const db = await open()
    const { rows } = await db.asSystem((tx) =>
      sql<{ version: number; fsync: string; commit: string; checksums: string }>`select
      current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('data_checksums') as checksums`.execute(tx),
    )
    assert.deepEqual(rows, [{ version: 18, fsync: 'on', commit: 'on', checksums: 'on' }])
    await db.close()
    assert.equal(await isRunning(), false)
  })

  it('keeps what was committed over a stop and a start', async () => {
    await (await addChain('test:stop')()).close()
    assert.deepEqual(await chains(), ['test:stop'])
  })

  it('keeps what was committed when the server is killed, and starts again by itself', async () => {
    const db = await addChain('test:kill')()
    nodePorts.process.signal(await postmaster(), 'SIGKILL')
    await db.close()
    assert.deepEqual(await chains(), ['test:kill', 'test:stop'])
  })

  it('is shared by two programs, and the last to leave stops it', async () => {
    const first = await open()
    const pid = await postmaster()
    const second = await startEmbeddedDatabase({ ports, folder })
    assert.equal(second.reused, true)
    const db = await openDatabase({ ports, url: second.url })
    await first.close()
    assert.equal(await postmaster(), pid)
    assert.equal((await db.asSystem((tx) => tx.selectFrom('chain_cursor').select('chain').execute())).length, 2)
    await db.close()
    await second.stop()
    assert.equal(await isRunning(), false)
  })

  it('may be started by two programs at the same moment', async () => {
    const both = await Promise.all([startEmbeddedDatabase({ ports, folder }), startEmbeddedDatabase({ ports, folder })])
    assert.deepEqual(
      both.map((each) => each.url),
      [both[0].url, both[0].url],
    )
    await both[0].stop()
    await both[1].stop()
    assert.equal(await isRunning(), false)
  })

  it('can be reached through a folder of its user only, and by no network', async () => {
    const server = await startEmbeddedDatabase({ ports, folder })
    assert.equal((await stat(join(folder, 'socket'))).mode & 0o777, 0o700)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    assert.deepEqual((await client.query("select current_setting('listen_addresses') as addresses")).rows, [{ addresses: '' }])
    await client.end()
    await server.stop()
  })

  it('refuses files of another major version, and says how to bring them over', async () => {
    const version = join(folder, 'data', 'PG_VERSION')
    await writeFile(version, '17\n')
    await assert.rejects(open(), {
      name: 'DatabaseError',
      message: /written by PostgreSQL 17, and this release brings 18: make a backup with the release that wrote it/,
    })
    await writeFile(version, '18\n')
  })

  it('says which file is damaged, and that a backup is to be restored, if one of its files is cut off', async () => {
    const version = join(folder, 'data', 'PG_VERSION')
    for (const content of ['', '\0\0']) {
      await writeFile(version, content)
      await assert.rejects(open(), { name: 'DatabaseError', message: /data is not a whole database: .*PG_VERSION is damaged or missing\. .*npm run restore/ })
    }
    await rm(version)
    await assert.rejects(open(), { name: 'DatabaseError', message: /PG_VERSION is damaged or missing/ })
    await writeFile(version, '18\n')
  })

  it('names the damaged file of a table in which one bit was changed, and does not start on it', async () => {
    const place = join(folder, 'one-bit')
    const first = await openDatabase({ ports, folder: place })
    const { rows } = await first.asSystem((tx) => sql<{ path: string }>`select pg_relation_filepath('migration') as path`.execute(tx))
    await first.close()
    const path = join(place, 'data', rows[0]!.path)
    const content = await readFile(path)
    content[content.length - 100]! ^= 0x04
    await writeFile(path, content)
    await assert.rejects(openDatabase({ ports, folder: place }), {
      name: 'DatabaseError',
      message: new RegExp(`the database is damaged: .*${rows[0]!.path}.*npm run restore`, 's'),
    })
  })

  it('refuses a socket folder that others can enter', async () => {
    const open = await mkdtemp(join(tmpdir(), 'holdfast-embedded-'))
    await mkdir(join(open, 'socket'), { mode: 0o755 })
    await assert.rejects(startEmbeddedDatabase({ ports, folder: open }), { name: 'DatabaseError', message: /must be a folder of this user with mode 0700/ })
    await rm(open, { recursive: true })
  })

  it('says what to do on a machine that it does not support', async () => {
    const elsewhere = { ...ports, process: { ...ports.process, host: { ...ports.process.host, platform: 'darwin' } } }
    await assert.rejects(startEmbeddedDatabase({ ports: elsewhere, folder }), {
      name: 'DatabaseError',
      message: /no embedded PostgreSQL comes for darwin-.*set DATABASE_URL/,
    })
  })

  it('runs in a folder whose path is too long for a socket', async () => {
    const deep = join(folder, 'a'.repeat(90))
    const server = await startEmbeddedDatabase({ ports, folder: deep, testMode: true })
    await server.stop()
    const socket = new URL(server.url).searchParams.get('host')!
    assert.ok(!socket.startsWith(folder))
    await rm(socket, { recursive: true })
  })

  it('shows the end of its log if it cannot start', async () => {
    await writeFile(join(folder, 'data', 'postgresql.conf'), 'no such setting\n')
    await assert.rejects(startEmbeddedDatabase({ ports, folder }), {
      name: 'DatabaseError',
      message: /does not start on .*data\. .*npm run restore.*server\.log ends:.*postgresql\.conf/s,
    })
  })
})
