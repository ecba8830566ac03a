import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { claimRequest } from './claim-request.ts'
import { nextNumber, takeNumbers } from './next-number.ts'
import type { Database } from './open-database.ts'
import { insertSampleRows, type SampleIds } from './testing/sample-rows.ts'
import { openTestDatabase } from './testing/test-database.ts'

const text = (value: string) => new TextEncoder().encode(value)

describe('an order under a key made by its caller', () => {
  let db: Database
  let ids: SampleIds
  before(async () => {
    db = await openTestDatabase()
    ids = await insertSampleRows(db, 'alpha')
  })
  after(() => db.close())

  const request = { requestId: 'r1', kind: 'withdraw', body: text('100 to Bob'), nowMs: 1 }

  it('is carried out once, however many ask at once, and all learn the same result', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => db.asOrganisation(ids.orgId, (tx) => claimRequest(tx, { ...request, resultId: `order ${i}` }))),
    )
    assert.equal(results.filter((each) => each.fresh).length, 1)
    assert.equal(new Set(results.map((each) => each.resultId)).size, 1)
  })

  it('is refused with another body or of another kind', async () => {
    for (const changed of [
      { ...request, body: text('100 to Eve') },
      { ...request, kind: 'invite' },
    ]) {
      await assert.rejects(
        db.asOrganisation(ids.orgId, (tx) => claimRequest(tx, { ...changed, resultId: 'x' })),
        { name: 'RequestConflict', message: /r1 was used for another order/ },
      )
    }
  })

  it('may be tried again after it failed', async () => {
    const failing = db.asOrganisation(ids.orgId, async (tx) => {
      await claimRequest(tx, { ...request, requestId: 'r2', resultId: 'first' })
      throw new Error('no balance')
    })
    await assert.rejects(failing, { message: 'no balance' })
    assert.deepEqual(await db.asOrganisation(ids.orgId, (tx) => claimRequest(tx, { ...request, requestId: 'r2', resultId: 'second' })), {
      fresh: true,
      resultId: 'second',
    })
  })

  it('does not meet the key of another organisation', async () => {
    const other = await insertSampleRows(db, 'beta')
    assert.equal((await db.asOrganisation(other.orgId, (tx) => claimRequest(tx, { ...request, resultId: 'theirs' }))).resultId, 'theirs')
  })

  it('can be numbered without gaps, though others number at the same time and some fail', async () => {
    const taken: bigint[] = []
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        db
          .asOrganisation(ids.orgId, async (tx) => {
            const number = await nextNumber(tx, 'orders')
            if (i % 3 === 0) throw new Error('fails')
            return number
          })
          .then(
            (number) => taken.push(number),
            () => {},
          ),
      ),
    )
    assert.deepEqual(
      taken.sort((a, b) => Number(a - b)),
      taken.map((_, i) => BigInt(i + 1)),
    )
    assert.equal(taken.length, 26)
    const five = await db.asOrganisation(ids.orgId, (tx) => takeNumbers(tx, 'orders', 5).execute(tx))
    assert.deepEqual(five.rows, [{ value: 31n }])
    assert.equal(await db.asOrganisation(ids.orgId, (tx) => nextNumber(tx, 'orders')), 32n)
  })
})
