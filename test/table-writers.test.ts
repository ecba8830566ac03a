import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

// Every table has one room that writes it. A table that several rooms write says why.

/** Rooms that write a table beside the one it belongs to, and why. The list only gets shorter. */
const SHARED: Record<string, { rooms: readonly string[]; why: string }> = {
  added_token: {
    rooms: ['features/deposit', 'features/network', 'features/wallet'],
    why: 'people apply, the policy opens it, and the reader of blocks notes how far it read',
  },
  address: { rooms: ['features/deposit-address', 'features/key'], why: 'signers attest an address, and people name it' },
  block_reading: { rooms: ['features/deposit', 'features/network'], why: 'people ask for a block again, and the reader says that it was read' },
  invite: { rooms: ['features/session', 'features/team'], why: 'a link is made and used at the door, and ended with the member' },
  lease: { rooms: ['packages/db', 'packages/jobs'], why: 'one row for whoever migrates, one for each runner' },
  login_credential: { rooms: ['features/session', 'features/team'], why: 'what a removed member signed in with is removed with the member' },
  member_event: { rooms: ['features/session', 'features/team'], why: 'whoever joins by a link says so themselves' },
  order_log_place: { rooms: ['features/approval', 'features/transfer'], why: 'an order and each approval have a place in the log' },
  person: { rooms: ['features/session', 'features/setup', 'features/team'], why: 'founders, members, and what each sets for themselves' },
  policy_version: { rooms: ['features/policy', 'features/setup'], why: 'the first version is founded, the others are changes' },
  recovery_kit: { rooms: ['features/key', 'features/key-recovery'], why: 'a kit is written with its key, and proven by a drill' },
  wallet: { rooms: ['features/key', 'features/key-recovery', 'features/wallet'], why: 'a wallet is opened by people, ready with its key, and retired with it' },
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'packages', 'features', 'apps'], {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && !/(\.test\.tsx?$|\/testing\/|\.suite\.ts$|-fixture\.ts$|^apps\/devnet\/)/.test(path))

function readTables(): ReadonlySet<string> {
  const migrations = execFileSync('git', ['ls-files', 'packages/db/migrations'], { encoding: 'utf8' }).split('\n').filter(Boolean)
  const made = migrations.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/create table (?:if not exists )?(\w+)/g)].map((match) => match[1] ?? ''))
  return new Set([...made, 'migration', 'lease'])
}

/** The rooms that write each table: by the query builder, or by SQL of their own. */
function writersOf(tables: ReadonlySet<string>): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const path of files) {
    const source = readFileSync(path, 'utf8')
    const built = source.matchAll(/\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g)
    const written = source.matchAll(/\b(?:insert into|update|delete from)\s+(\w+)/g)
    for (const [, table = ''] of [...built, ...written]) {
      if (!tables.has(table)) continue
      const rooms = writers.get(table) ?? new Set()
      writers.set(table, rooms.add(path.split('/').slice(0, 2).join('/')))
    }
  }
  return writers
}

test('each table is written by one room, or by those that are listed with a reason', () => {
  const tables = readTables()
  const writers = writersOf(tables)
  assert.ok(writers.size > 60, `only ${writers.size} tables were found`)
  const several = [...writers].filter(([, rooms]) => rooms.size > 1).map(([table, rooms]) => [table, [...rooms].sort()])
  assert.deepEqual(Object.fromEntries(several.sort()), Object.fromEntries(Object.entries(SHARED).map(([table, { rooms }]) => [table, [...rooms]])))
})

test('no two migrations have one number', () => {
  const numbers = execFileSync('git', ['ls-files', 'packages/db/migrations'], { encoding: 'utf8' })
    .split('\n')
    .map((path) => /\/(\d+)-[^/]*\.sql$/.exec(path)?.[1])
    .filter((number) => number !== undefined)
  const doubles = numbers.filter((number, i) => numbers.indexOf(number) !== i)
  // The names of migrations are kept in every database, so those of before stay as they are.
  assert.deepEqual(doubles, ['0100', '0100', '0240', '0240'])
})
