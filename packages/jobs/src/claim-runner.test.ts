import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { nodePorts } from '@holdfast/ports/node'
import { claimRunner } from './index.ts'

const FOR_MS = 5_000

describe('the right to run a task', () => {
  let db: Database
  let nowMs = 1_000_000
  let asked = 0
  before(async () => {
    db = await openTestDatabase()
  })
  after(() => db.close())

  const ports = { ...nodePorts, clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } }
  const counted = (): Database => ({
    ...db,
    asSystem: (act) => {
      asked++
      return db.asSystem(act)
    },
  })
  const claim = (name: string) => claimRunner({ db: counted(), ports }, name, FOR_MS)

  it('one holds it at a time, and who falls silent loses it', async () => {
    const [one, other] = [claim('read'), claim('read')]
    assert.deepEqual([await one.held(), await other.held()], [true, false])
    nowMs += FOR_MS - 1
    assert.deepEqual([await one.held(), await other.held()], [true, false])
    nowMs += FOR_MS
    assert.deepEqual([await other.held(), await one.held()], [true, false])
  })

  it('who gives it back leaves it to the next at once, and takes it anew like everybody', async () => {
    const [one, other] = [claim('count'), claim('count')]
    assert.equal(await one.held(), true)
    await one.release()
    assert.deepEqual([await other.held(), await one.held()], [true, false])
  })

  it('while most of its time is left the database is not asked', async () => {
    const one = claim('watch')
    assert.equal(await one.held(), true)
    const before = asked
    nowMs += FOR_MS / 2 - 1
    assert.equal(await one.held(), true)
    assert.equal(asked, before)
    nowMs += 1
    assert.equal(await one.held(), true)
    assert.equal(asked, before + 1)
  })
})
