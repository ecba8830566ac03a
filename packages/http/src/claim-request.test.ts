import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { insertSampleRows, type SampleIds } from '../../db/src/testing/sample-rows.ts'
import { claimRequest } from './claim-request.ts'
import { requestKeyOf } from './request-key.ts'

const keyOf = (id: string, what = '100 to Bob') => requestKeyOf({ path: '/api/pay' }, 'ann', { request_id: id, what })

describe('a call under a key made by its caller', () => {
  let db: Database
  let ids: SampleIds
  before(async () => {
    db = await openTestDatabase()
    ids = await insertSampleRows(db, 'alpha')
  })
  after(() => db.close())

  const request = { key: keyOf('r1'), kind: 'withdraw', nowMs: 1 }

  it('is carried out once, however many ask at once, and all get the same result', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => db.asOrganisation(ids.orgId, (tx) => claimRequest(tx, { ...request, resultId: `order ${i}` }))),
    )
    assert.equal(results.filter((each) => each.fresh).length, 1)
    assert.equal(new Set(results.map((each) => each.resultId)).size, 1)
  })

  it('is refused if it asks for something else, or is of another kind', async () => {
    for (const changed of [
      { ...request, key: keyOf('r1', '100 to Eve') },
      { ...request, kind: 'invite' },
    ]) {
      await assert.rejects(
        db.asOrganisation(ids.orgId, (tx) => claimRequest(tx, { ...changed, resultId: 'x' })),
        { errorName: 'duplicate_request' },
      )
    }
  })

  it('may be tried again after it failed', async () => {
    const failing = db.asOrganisation(ids.orgId, async (tx) => {
      await claimRequest(tx, { ...request, key: keyOf('r2'), resultId: 'first' })
      throw new Error('no balance')
    })
    await assert.rejects(failing, { message: 'no balance' })
    assert.deepEqual(await db.asOrganisation(ids.orgId, (tx) => claimRequest(tx, { ...request, key: keyOf('r2'), resultId: 'second' })), {
      fresh: true,
      resultId: 'second',
    })
  })

  it('does not collide with the key of another organisation', async () => {
    const other = await insertSampleRows(db, 'beta')
    assert.equal((await db.asOrganisation(other.orgId, (tx) => claimRequest(tx, { ...request, resultId: 'theirs' }))).resultId, 'theirs')
  })
})
