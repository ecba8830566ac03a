import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { nextNumber, takeNumbers } from './next-number.ts'
import type { Database } from '../open-database.ts'
import { insertSampleRows, type SampleIds } from '../testing/sample-rows.ts'
import { openTestDatabase } from '../testing/test-database.ts'

describe('numbered work', () => {
  let db: Database
  let ids: SampleIds
  before(async () => {
    db = await openTestDatabase()
    ids = await insertSampleRows(db, 'alpha')
  })
  after(() => db.close())

  it('can be numbered without gaps, although others take numbers at the same time and some fail', async () => {
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
