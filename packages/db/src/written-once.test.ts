import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { byForm } from './by-form.ts'
import type { Database } from './open-database.ts'
import { writtenOnce } from './run-transaction.ts'
import { insertSampleRows, type SampleIds } from './testing/sample-rows.ts'
import { openTestDatabase } from './testing/test-database.ts'

describe('a question that is written once', () => {
  let db: Database
  let mine: SampleIds
  let theirs: SampleIds
  before(async () => {
    db = await openTestDatabase()
    mine = await insertSampleRows(db, 'mine')
    theirs = await insertSampleRows(db, 'theirs')
  })
  after(() => db.close())

  it('is written the first time, and asked with the values of each time', async () => {
    let times = 0
    const ask = writtenOnce((writer, { orgId, least }: { orgId: string; least: number }) => {
      times++
      return writer
        .selectFrom('wallet')
        .select(['org_id', sql<number>`${least}::int + 1`.as('next')])
        .where('org_id', '=', orgId)
        .limit(1)
    })
    for (const [{ orgId }, least] of [
      [mine, 1],
      [theirs, 2],
      [mine, 3],
    ] as const)
      assert.deepEqual(await db.asOrganisation(orgId, (tx) => ask(tx, { orgId, least })), [{ org_id: orgId, next: least + 1 }])
    assert.equal(times, 1)
  })

  it('is written once for each form', async () => {
    let times = 0
    const ask = byForm(({ isNamed }: { isNamed: boolean }) =>
      writtenOnce((writer, { orgId }: { orgId: string }) => {
        times++
        const wallets = writer.selectFrom('wallet').where('org_id', '=', orgId)
        return isNamed ? wallets.select(['name', 'org_id']) : wallets.select('org_id')
      }),
    )
    for (const isNamed of [true, false, true, false]) {
      const [row] = await db.asOrganisation(mine.orgId, (tx) => ask({ isNamed })(tx, mine))
      assert.equal(Object.keys(row ?? {}).length, isNamed ? 2 : 1)
    }
    assert.equal(times, 2)
  })

  it('takes lists, bytes and nothing as values, in any order and as often as they are named', async () => {
    type Given = { ids: readonly string[]; bytes: Uint8Array; none: string | null }
    const ask = writtenOnce(
      (_, { ids, bytes, none }: Given) =>
        sql<object>`select ${bytes}::bytea as bytes, ${none}::text as none, ${ids}::text[] as ids, cardinality(${ids}::text[]) as count, ${7}::int as own`,
    )
    const given = { ids: ['a', 'b,{"'], bytes: new Uint8Array([1, 255]), none: null }
    const wanted = [{ ...given, count: 2, own: 7 }]
    assert.deepEqual(await db.readSystem((tx) => ask(tx, given)), wanted)
    assert.deepEqual(await db.readSystem((tx) => ask(tx, { ...given, ids: [] })), [{ ...wanted[0], ids: [], count: 0 }])
  })

  it('shows no row of another organisation, whatever it names', async () => {
    const ask = writtenOnce((writer, { orgId }: { orgId: string }) => writer.selectFrom('wallet').select('id').where('org_id', '=', orgId))
    assert.deepEqual(await db.asOrganisation(mine.orgId, (tx) => ask(tx, { orgId: theirs.orgId })), [])
  })

  it('refuses to be written in words that depend on a value', async () => {
    const ask = writtenOnce((_, { column }: { column: string }) => sql.raw(`select ${column}`))
    await assert.rejects(
      db.readSystem((tx) => ask(tx, { column: 'current_user' })),
      { message: 'the text of a question that is written once cannot depend on column' },
    )
    const spread = writtenOnce((_, { ids }: { ids: string[] }) => sql`select ${[...ids]}::text[]`)
    await assert.rejects(
      db.readSystem((tx) => spread(tx, { ids: ['a'] })),
      TypeError,
    )
  })

  it('is not asked in a transaction that is over, and its error says who asked', async () => {
    const ask = writtenOnce((_, { by }: { by: number }) => sql`select 1 / ${by}::int`)
    await assert.rejects(
      db.readSystem((tx) => ask(tx, { by: 0 })),
      (error: Error & { code?: string }) => error.code === '22012' && error.stack?.includes('written-once.test.ts') === true,
    )
    const over = await db.asSystem(async (tx) => tx)
    await assert.rejects(ask(over, { by: 1 }), { message: 'the transaction is over' })
  })
})
