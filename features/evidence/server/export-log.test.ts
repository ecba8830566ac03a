import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { decode } from '@holdfast/encoding'
import { entryShape } from '@holdfast/log'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { appendToLog } from './append-to-log.ts'
import { exportLog } from './export-log.ts'

const genesis = new Uint8Array(32).fill(3)
const newOrganisation = () => newId(nodePorts.clock.nowMs(), nodePorts.random)
const [orgId, other, empty] = [newOrganisation(), newOrganisation(), newOrganisation()]
const ENTRIES = 600
let db: Database

before(async () => {
  db = await openTestDatabase()
  for (const [i, id] of [orgId, other, empty].entries()) {
    const hash = new Uint8Array(32).fill(3 + i)
    await db.asSystem((tx) => tx.insertInto('organisation').values({ id, name: 'Acme', state: 'active', genesis_hash: hash, created_at: 1 }).execute())
  }
  await db.asOrganisation(other, (tx) => appendToLog(tx, { genesis, type: 'intent', body: new Uint8Array(5000), atMs: 1 }))
  await db.asOrganisation(orgId, async (tx) => {
    for (let i = 0; i < ENTRIES; i++) await appendToLog(tx, { genesis, type: 'intent', body: new Uint8Array(100).fill(i % 251), atMs: i })
    for (const size of [10, 30])
      await tx
        .insertInto('log_checkpoint')
        .values({ org_id: orgId, size: BigInt(size), note: `note ${size}`, created_at: 1 })
        .execute()
  })
})
after(() => db.close())

function entriesOf(log: Buffer): Uint8Array[] {
  const entries = []
  for (let at = 0; at < log.length; at += 4 + log.readUInt32BE(at)) entries.push(new Uint8Array(log.subarray(at + 4, at + 4 + log.readUInt32BE(at))))
  return entries
}

it('a log is exported whole and in order, in stretches of any size, with its newest checkpoints and nothing of another organisation', async () => {
  for (const limitBytes of [1, 5_000, 1 << 20]) {
    const pieces: Buffer[] = []
    for (let from: number | null = limitBytes === 1 ? ENTRIES - 3 : 0; from !== null; ) {
      const answer: Awaited<ReturnType<typeof exportLog>> = await db.asOrganisation(orgId, (tx) => exportLog(tx, from!, limitBytes))
      assert.equal(answer.entries, ENTRIES)
      assert.deepEqual(answer.checkpoints, [
        { size: 30, note: 'note 30' },
        { size: 10, note: 'note 10' },
      ])
      pieces.push(Buffer.from(answer.log, 'base64'))
      from = answer.next
    }
    const sequences = entriesOf(Buffer.concat(pieces)).map((entry) => Number(decode(entryShape, entry).sequence))
    assert.deepEqual(
      sequences,
      Array.from({ length: ENTRIES }, (_, i) => i).filter((i) => limitBytes !== 1 || i >= ENTRIES - 3),
    )
  }
})

it('a checkpoint of entries that came while the log was read stands beside no log that lacks them', async () => {
  const late = { org_id: orgId, size: BigInt(ENTRIES + 1), note: 'late', created_at: 1 }
  await db.asOrganisation(orgId, (tx) => tx.insertInto('log_checkpoint').values(late).execute())
  const { checkpoints } = await db.asOrganisation(orgId, (tx) => exportLog(tx, 0))
  assert.deepEqual(
    checkpoints.map(({ size }) => size),
    [30, 10],
  )
})

it('a stretch beyond the end is empty, and an organisation without a log has none to export', async () => {
  const beyond = await db.asOrganisation(orgId, (tx) => exportLog(tx, ENTRIES + 5))
  assert.deepEqual([beyond.log, beyond.next], ['', null])
  await assert.rejects(
    db.asOrganisation(empty, (tx) => exportLog(tx, 0)),
    { name: 'AppError', errorName: 'resource_not_found' },
  )
})
