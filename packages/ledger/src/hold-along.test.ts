import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database, OrganisationTx } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { sql } from 'kysely'
import { COIN, idOf, NOW_MS, openTestLedger, type TestLedger } from './ledger-fixture.ts'
import { assertConserved, balances, credit, holdAlong, InsufficientBalanceError } from './index.ts'

describe('a hold that goes along with the next question', () => {
  let db: Database
  let ledger: TestLedger
  let count = 0
  before(async () => {
    db = await openTestDatabase({ poolSize: 20 })
  })
  beforeEach(async () => {
    ledger = await openTestLedger(db, `along-${++count}`)
    const deposit = { id: id('deposit'), reference: 'deposit', nowMs: NOW_MS, subWalletId: wallet(), asset: COIN, amount: 10n }
    await act((tx) => credit(tx, [deposit]))
  })
  after(async () => {
    await db.asSystem(assertConserved)
    await db.close()
  })

  const act = <T>(work: (tx: OrganisationTx) => Promise<T>) => db.asOrganisation(ledger.orgId, work)
  const wallet = () => ledger.subWallets[0] as never
  const id = (name: string) => idOf(`${ledger.orgId}/${name}`)
  const holding = (name: string, amount: bigint) => (tx: OrganisationTx) =>
    holdAlong(tx, { id: id(name), reference: name, nowMs: NOW_MS, subWalletId: wallet(), amounts: [{ asset: COIN, amount }] })
  const has = async () => {
    const [own] = await act((tx) => balances(tx, wallet()))
    return [own!.available, own!.held]
  }

  it('is there once the transaction is, also where its accounts have to be made first', async () => {
    await act(holding('first', 4n))
    assert.deepEqual(await has(), [6n, 4n])
    await act(holding('second', 6n))
    assert.deepEqual(await has(), [0n, 10n])
  })

  it('of more than there is holds nothing and says so, and nothing of its transaction happens', async () => {
    await act(holding('first', 4n))
    let times = 0
    const tooMuch = act(async (tx) => {
      times++
      await sql`update sub_wallet set name = 'changed' where id = ${wallet()}`.execute(tx)
      await holding('second', 7n)(tx)
    })
    await assert.rejects(tooMuch, InsufficientBalanceError)
    assert.equal(times, 2)
    assert.deepEqual(await has(), [6n, 4n])
    const named = await act((tx) => tx.selectFrom('sub_wallet').select('name').where('id', '=', wallet()).executeTakeFirstOrThrow())
    assert.notEqual(named.name, 'changed')
  })

  it('is refused as well where the transaction asks for something else afterwards', async () => {
    await assert.rejects(
      act(async (tx) => {
        await holding('first', 11n)(tx)
        await sql`select 1`.execute(tx)
      }),
      InsufficientBalanceError,
    )
    assert.deepEqual(await has(), [10n, 0n])
  })

  it('leaves no more than there is where many are held at once', async () => {
    const held = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => act(holding(`at once ${i}`, 3n))))
    assert.equal(held.filter(({ status }) => status === 'fulfilled').length, 3)
    assert.deepEqual(await has(), [1n, 9n])
  })
})
