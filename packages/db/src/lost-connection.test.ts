import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodePorts } from '@holdfast/ports/node'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, DatabaseAwayError, openDatabase } from './index.ts'
import { isLostConnection } from './lost-connection.ts'
import { openTestDatabase } from './testing/test-database.ts'

const WORKERS = 8

/** Writes rows without a pause until told to stop. Returns how many calls were answered, and how many failed because the connection was lost. */
function load(db: Database): { stop(): Promise<{ done: string[]; lost: number }>; done: string[] } {
  const done: string[] = []
  let lost = 0
  let isOpen = true
  const work = async (worker: number) => {
    for (let i = 0; isOpen; i++) {
      const name = `${worker}-${i}`
      try {
        await db.asSystem(async (tx) => {
          await tx.insertInto('lease').values({ name }).execute()
          await sql`select pg_sleep(0.002)`.execute(tx)
          await tx
            .insertInto('lease')
            .values({ name: `${name}-twin` })
            .execute()
        })
        done.push(name)
      } catch (cause) {
        assert.ok(cause instanceof DatabaseAwayError, String(cause))
        lost++
        await sleep(10)
      }
    }
  }
  const working = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))
  return {
    done,
    stop: async () => {
      isOpen = false
      await working
      return { done, lost }
    },
  }
}

/** Every answered write is there, and every write that is there is whole. */
async function assertWhole(db: Database, done: readonly string[]): Promise<void> {
  const rows = await db.asSystem((tx) => tx.selectFrom('lease').select('name').where('name', 'like', '%-%').execute())
  const names = new Set(rows.map(({ name }) => name))
  for (const name of done) assert.ok(names.has(name) && names.has(`${name}-twin`), `${name} was answered and is not there`)
  for (const name of names) assert.ok(names.has(name.endsWith('-twin') ? name.slice(0, -5) : `${name}-twin`), `${name} is half written`)
}

const moreThan = async (list: readonly unknown[], count: number) => {
  while (list.length <= count) await sleep(5)
}

describe('a lost connection', () => {
  it('fails the call that was under way and nothing else: the process lives, and the next call works', async () => {
    const lines: string[] = []
    const db = await openTestDatabase({ poolSize: WORKERS, report: (line) => lines.push(line) })
    const killer = new pg.Client({ connectionString: db.url, application_name: 'killer' })
    await killer.connect()
    const busy = load(db)
    const listener = db.listen('test_lost', () => {})
    for (let round = 0; round < 10; round++) {
      await moreThan(busy.done, busy.done.length)
      // Every connection in any state: within a statement, between two, idle in the pool, listening.
      await killer.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
      await moreThan(busy.done, busy.done.length + WORKERS)
    }
    const { done, lost } = await busy.stop()
    assert.ok(lost >= 10, `${lost} calls failed`)
    await assertWhole(db, done)
    assert.ok(lines.some((line) => line.startsWith('the database is away: ')) && lines.at(-1) === 'the database answers again', lines.join('\n'))
    await listener.close()
    await killer.end()
    await db.close()
  })

  it('fails a transaction that the server ended while our own code kept it waiting', async () => {
    const db = await openTestDatabase({ poolSize: 1 })
    const late = db.asSystem(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 20`.execute(tx)
      await sleep(200)
      await tx.insertInto('lease').values({ name: 'late' }).execute()
    })
    await assert.rejects(late, { name: 'DatabaseAwayError' })
    assert.deepEqual(await db.asSystem((tx) => tx.selectFrom('lease').select('name').where('name', '=', 'late').execute()), [])
    await db.close()
  })

  it('is told from what a statement did wrong', () => {
    for (const code of ['57P01', '57P02', '57P03', '08006', '08001', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', '53300'])
      assert.equal(isLostConnection(Object.assign(new Error('x'), { code })), true, code)
    for (const code of ['23505', '40001', '40P01', '22P02', '42501', 'XX001', '57014'])
      assert.equal(isLostConnection(Object.assign(new Error('x'), { code })), false, code)
    assert.equal(isLostConnection(new Error('Connection terminated unexpectedly')), true)
    assert.equal(isLostConnection(new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])), true)
    assert.equal(isLostConnection(new Error('the Connection terminated')), false)
    assert.equal(isLostConnection('57P01'), false)
  })
})

describe('the embedded server', () => {
  it('is started again by itself each time that it is killed under load, with everything that it confirmed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-killed-'))
    const lines: string[] = []
    const db = await openDatabase({ ports: nodePorts, folder, poolSize: WORKERS, report: (line) => lines.push(line) })
    const listener = db.listen('test_killed', () => {})
    const busy = load(db)
    for (let round = 0; round < 3; round++) {
      await moreThan(busy.done, busy.done.length + 20)
      process.kill(Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10), 'SIGKILL')
      const killed = lines.filter((line) => line.includes('runs again')).length
      while (lines.filter((line) => line.includes('runs again')).length === killed) await sleep(10)
    }
    await moreThan(busy.done, busy.done.length + 20)
    const { done, lost } = await busy.stop()
    assert.ok(lost >= 3, `${lost} calls failed`)
    await assertWhole(db, done)
    await listener.close()
    await db.close()
    rmSync(folder, { recursive: true })
  })
})
