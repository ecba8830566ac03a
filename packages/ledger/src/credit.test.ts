import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { type TestLedger, COIN, idOf, NOW_MS, openTestLedger, TOKEN } from './ledger-fixture.ts'
import { assertConserved, balances, type Credit, credit } from './index.ts'

describe('what arrived', () => {
  let db: Database
  let ledger: TestLedger
  before(async () => {
    db = await openTestDatabase()
    ledger = await openTestLedger(db, 'arrivals')
  })
  after(() => db.close())

  const arrivals = (from: number, count: number): Credit[] =>
    Array.from({ length: count }, (_, i) => {
      const reference = `arrival ${from + i}`
      const asset = (from + i) % 3 === 0 ? TOKEN : COIN
      return { id: idOf(reference), reference, nowMs: NOW_MS, subWalletId: ledger.subWallets[(from + i) % 2]!, asset, amount: BigInt(1 + from + i) }
    })
  const book = (credits: Credit[]) => db.asOrganisation(ledger.orgId, (tx) => credit(tx, credits))
  const sums = (credits: Credit[], subWalletId: string) =>
    [COIN, TOKEN].map((asset) => {
      const available = credits.reduce((sum, each) => sum + (each.asset === asset && each.subWalletId === subWalletId ? each.amount : 0n), 0n)
      return { asset, available, held: 0n, staked: 0n }
    })

  it('is booked in one posting, of several sub-wallets and assets, all of it or nothing', async () => {
    const all = arrivals(0, 60)
    assert.deepEqual(
      await book(all),
      all.map(({ id }) => ({ id, posted: true })),
    )
    await assert.rejects(book(arrivals(59, 3)), { name: 'LedgerConflictError' })
    await assert.rejects(book([...arrivals(70, 2), ...arrivals(70, 1)]), { name: 'LedgerConflictError' })
    for (const subWalletId of ledger.subWallets)
      assert.deepEqual(await db.asOrganisation(ledger.orgId, (tx) => balances(tx, subWalletId)), sums(all, subWalletId))
    assert.equal((await book(arrivals(60, 2))).length, 2)
    await db.asSystem(assertConserved)
  })
})
