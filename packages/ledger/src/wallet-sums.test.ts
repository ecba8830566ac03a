import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { sql } from 'kysely'
import { type TestLedger, COIN, idOf, NOW_MS, openTestLedger } from './ledger-fixture.ts'
import { assertConserved, ImpossibleLedger, credit, hold, reverse, sumChanges, walletSums } from './index.ts'

describe('what a wallet holds', () => {
  let db: Database
  let ledger: TestLedger
  const held = async () => {
    const sums = await db.asOrganisation(ledger.orgId, (tx) => walletSums(tx))
    return sums.filter(({ contract }) => contract === '').map(({ amount }) => amount)
  }
  const creditOne = (name: string, subWalletId: string, amount: bigint) =>
    db.asOrganisation(ledger.orgId, (tx) => credit(tx, [{ id: idOf(name), reference: name, nowMs: NOW_MS, subWalletId, asset: COIN, amount }]))

  before(async () => {
    db = await openTestDatabase()
    ledger = await openTestLedger(db, 'sums')
    // The samples include a change of their own.
    await sumChanges(db)
  })
  after(() => db.close())

  it('is the sum over its sub-wallets before and after the changes are added', async () => {
    const [one, two] = ledger.subWallets
    await creditOne('first', one!, 10n)
    await creditOne('second', two!, 5n)
    assert.deepEqual(await held(), [15n])
    assert.equal(await sumChanges(db), 2)
    assert.deepEqual(await held(), [15n])
    assert.equal(await sumChanges(db), 0)
  })

  it('does not change by a hold for an order, and does by a reversal', async () => {
    const [one] = ledger.subWallets
    await db.asOrganisation(ledger.orgId, (tx) =>
      hold(tx, { id: idOf('hold'), reference: 'order', nowMs: NOW_MS, subWalletId: one!, amounts: [{ asset: COIN, amount: 4n }] }),
    )
    assert.equal(await sumChanges(db), 0)
    await db.asOrganisation(ledger.orgId, (tx) => reverse(tx, { id: idOf('back'), transferId: idOf('second'), nowMs: NOW_MS }))
    assert.deepEqual(await held(), [10n])
    assert.equal(await sumChanges(db), 1)
    assert.deepEqual(await held(), [10n])
    await db.asSystem(assertConserved)
  })

  it('adds each change once with two servers at work', async () => {
    const [one] = ledger.subWallets
    for (let i = 0; i < 20; i++) await creditOne(`many ${i}`, one!, 1n)
    const counts = await Promise.all(Array.from({ length: 4 }, () => sumChanges(db)))
    assert.equal(
      counts.reduce((sum, each) => sum + each, 0),
      20,
    )
    assert.deepEqual(await held(), [30n])
  })

  it('is a fault of the ledger if it is anything else', async () => {
    await db.asSystem((tx) => sql`update wallet_sum set amount = amount + 1`.execute(tx))
    await assert.rejects(db.asSystem(assertConserved), (cause) => cause instanceof ImpossibleLedger && cause.message.includes('sums of wallets'))
  })
})
