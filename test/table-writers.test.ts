import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

// Every table belongs to one room: packages/db/src/tables has a file for each room that has tables, and no other room writes them. One that others write too
// says why.

/** Rooms that write a table of another one, and why. The list only gets shorter. */
const SHARED: Record<string, { rooms: readonly string[]; why: string }> = {
  added_token: { rooms: ['features/deposit', 'features/wallet'], why: 'people apply, the policy opens it, and the reader of blocks notes how far it read' },
  address: { rooms: ['features/key'], why: 'signers attest an address, and people name it' },
  block_reading: { rooms: ['features/network'], why: 'people ask for a block again, and the reader says that it was read' },
  invite: { rooms: ['features/team'], why: 'a link is made and used at the door, and ended with the member' },
  key_of_wallet: { rooms: ['features/key-recovery'], why: 'a key is made with its wallet, and retired by an order' },
  lease: { rooms: ['packages/jobs'], why: 'one row for whoever migrates, one for each runner' },
  login_credential: { rooms: ['features/team'], why: 'what a removed member signed in with is removed with the member' },
  member_event: { rooms: ['features/session'], why: 'whoever joins by a link says so themselves' },
  order_log_place: { rooms: ['features/approval', 'features/evidence'], why: 'an order and each approval have a place in the log, written with the entry' },
  person: { rooms: ['features/setup', 'features/team'], why: 'founders, members, and what each sets for themselves' },
  policy_version: { rooms: ['features/setup'], why: 'the first version is founded, the others are changes' },
  recovery_kit: { rooms: ['features/key-recovery'], why: 'a kit is written with its key, and proven by a drill' },
  wallet: { rooms: ['features/key'], why: 'a wallet is made by people, and open once its keys are ready' },
}

/** The files of a folder, those too that are not yet added to the repository. */
function listFiles(...folders: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], { encoding: 'utf8', maxBuffer: 1 << 26 })
  return listed.split('\n').filter((path) => path !== '' && existsSync(path))
}

const migrations = listFiles('packages/db/migrations')
const files = listFiles('packages', 'features', 'apps').filter(
  (path) => /\.tsx?$/.test(path) && !/(\.test\.tsx?$|\/testing\/|\.suite\.ts$|-fixture\.ts$|^apps\/devnet\/)/.test(path),
)

function readTables(): ReadonlySet<string> {
  const made = migrations.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/create table (?:if not exists )?(\w+)/g)].map((match) => match[1] ?? ''))
  return new Set([...made, 'migration', 'lease'])
}

/** The room that each table belongs to, by the file that has its type. */
function readOwners(): Map<string, string> {
  const owners = new Map<string, string>()
  for (const path of listFiles('packages/db/src/tables').filter((each) => !/(schema|columns)\.ts$/.test(each))) {
    const name = basename(path, '.ts')
    const room = [`features/${name}`, `packages/${name}`].find((each) => existsSync(each))
    assert.ok(room, `${path}: there is no room of this name`)
    const [, tables = ''] = /\binterface Schema \{\n(.*?)\n {2}\}/s.exec(readFileSync(path, 'utf8')) ?? []
    for (const [, table = ''] of tables.matchAll(/^ {4}(\w+): /gm)) {
      assert.equal(owners.get(table), undefined, `two rooms have the table ${table}`)
      owners.set(table, room)
    }
  }
  return owners
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

test('each table belongs to one room, and other rooms write it only where a reason is listed', () => {
  const [tables, owners] = [readTables(), readOwners()]
  assert.deepEqual([...owners.keys()].sort(), [...tables].sort())
  const writers = writersOf(tables)
  assert.ok(writers.size > 60, `only ${writers.size} tables were found`)
  const others = [...writers].map(([table, rooms]) => [table, [...rooms].filter((room) => room !== owners.get(table)).sort()] as const)
  assert.deepEqual(
    Object.fromEntries(others.filter(([, rooms]) => rooms.length > 0).sort()),
    Object.fromEntries(Object.entries(SHARED).map(([table, { rooms }]) => [table, [...rooms]])),
  )
})

test('no two migrations have one number', () => {
  const numbers = migrations.map((path) => /\/(\d+)-[^/]*\.sql$/.exec(path)?.[1]).filter((number) => number !== undefined)
  const doubles = numbers.filter((number, i) => numbers.indexOf(number) !== i)
  // The names of migrations are kept in every database, so those of before stay as they are.
  assert.deepEqual(doubles, ['0100', '0100', '0240', '0240'])
})
