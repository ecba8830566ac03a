import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { leafHash, MerkleTree, verifyInclusion } from '@holdfast/log'
import { nodePorts } from '@holdfast/ports/node'
import { at, newId } from '@holdfast/units'
import { appendToLog } from './append-to-log.ts'
import { loggedAt } from './cosigned-checkpoint.ts'

const ENTRIES = 1_203
const orgId = newId(nodePorts.clock.nowMs(), nodePorts.random)
let db: Database

before(async () => {
  db = await openTestDatabase()
  await db.asSystem((tx) =>
    tx
      .insertInto('organisation')
      .values({ id: orgId, name: 'Acme', state: 'active', genesis_hash: new Uint8Array(32), created_at: 1 })
      .execute(),
  )
  await db.asOrganisation(orgId, async (tx) => {
    for (let i = 0; i < ENTRIES; i++)
      await appendToLog(tx, { genesis: new Uint8Array(32).fill(3), type: 'intent', body: new Uint8Array(100).fill(i % 251), atMs: i })
  })
})
after(() => db.close())

it('a log is read in pieces when a process begins with it, so that however long it is little of it stands in memory', async () => {
  const lengths: number[] = []
  const counted: Database = {
    ...db,
    readOrganisation: async (org, act) => {
      const read = await db.readOrganisation(org, act)
      if (Array.isArray(read)) lengths.push(read.length)
      return read
    },
  }
  const needs = { db: counted, ports: nodePorts, coSigners: {} as never }
  const [logged] = await loggedAt(needs, orgId, ENTRIES, [ENTRIES - 1])
  assert.ok(lengths.length > 2 && lengths.every((length) => length <= 1_000), String(lengths))
  const { entry, index, proof } = at([logged!], 0)
  const tree = new MerkleTree()
  const rows = await db.readOrganisation(orgId, (tx) => tx.selectFrom('log_entry').select('bytes').orderBy('sequence').execute())
  for (const { bytes } of rows) tree.append(leafHash(new Uint8Array(bytes)))
  assert.ok(verifyInclusion({ leaf: leafHash(entry), index: Number(index), size: ENTRIES, root: tree.root(), proof }))
})
