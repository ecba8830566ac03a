import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database, OrganisationTx } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { sql } from 'kysely'
import { type TestLedger, COIN, idOf, NOW_MS, openTestLedger, TOKEN } from './ledger-fixture.ts'
import {
  type Account,
  assertConserved,
  balances,
  credit,
  type Entry,
  hold,
  InsufficientBalanceError,
  type LedgerAsset,
  type Payment,
  post,
  release,
  reverse,
  settle,
} from './index.ts'

const nowMs = NOW_MS

describe('the ledger', () => {
  let db: Database
  let ledger: TestLedger
  let wallet: string
  let count = 0
  before(async () => {
    db = await openTestDatabase({ poolSize: 20 })
  })
  beforeEach(async () => {
    ledger = await openTestLedger(db, `ledger-${++count}`)
    wallet = ledger.subWallets[0]!
  })
  after(async () => {
    await db.asSystem(assertConserved)
    await db.close()
  })

  const act = <T>(work: (tx: OrganisationTx) => Promise<T>) => db.asOrganisation(ledger.orgId, work)
  const id = (name: string) => idOf(`${ledger.orgId}/${name}`)
  const deposit = (name: string, amount: bigint, asset: LedgerAsset = COIN) =>
    act((tx) => credit(tx, [{ id: id(name), reference: name, nowMs, subWalletId: wallet, asset, amount }]))
  const promise = (name: string, amount: bigint, asset: LedgerAsset = COIN) =>
    act((tx) => hold(tx, { id: id(name), reference: name, nowMs, subWalletId: wallet, amounts: [{ asset, amount }] }))
  const pay = (name: string, holdId: string, ...payments: Payment[]) => act((tx) => settle(tx, { id: id(name), holdId, nowMs, payments }))
  const free = (name: string, holdId: string) => act((tx) => release(tx, { id: id(name), holdId, nowMs }))
  const undo = (name: string, transferId: string) => act((tx) => reverse(tx, { id: id(name), transferId, nowMs }))
  const has = async (asset: LedgerAsset, available: bigint, held: bigint, staked = 0n) => {
    const found = (await act((tx) => balances(tx, wallet))).find((each) => each.asset.contract === asset.contract)
    assert.deepEqual(found, { asset, available, held, staked })
  }

  it('keeps staked coin as the sub-wallet’s own, out of reach until the chain has returned it, and reverses both to the last unit', async () => {
    await deposit('in', 1_000n)
    await promise('stake', 610n)
    await pay('staked', id('stake'), { asset: COIN, amount: 600n, to: 'staked' }, { asset: COIN, amount: 3n, to: 'fee' })
    await has(COIN, 397n, 0n, 600n)
    await assert.rejects(promise('too much', 398n), InsufficientBalanceError)
    await promise('end', 5n)
    const back = (name: string, amount: bigint) =>
      act((tx) =>
        settle(tx, { id: id(name), holdId: id('end'), nowMs, payments: [{ asset: COIN, amount: 2n, to: 'fee' }], unstaked: [{ asset: COIN, amount }] }),
      )
    await assert.rejects(back('more than is staked', 601n), InsufficientBalanceError)
    await back('given back', 250n)
    await has(COIN, 645n, 0n, 350n)
    await undo('reorganised', id('given back'))
    await has(COIN, 395n, 2n, 600n)
    await free('free', id('reorganised'))
    await undo('unstaked', id('staked'))
    await has(COIN, 397n, 603n, 0n)
    await db.asSystem(assertConserved)
  })

  it('carries a withdrawal from deposit to payment, fee and change, to the last unit', async () => {
    await deposit('in', 10n ** 18n)
    await deposit('in token', 2n ** 256n - 1n, TOKEN)
    await act((tx) =>
      hold(tx, {
        id: id('order'),
        reference: 'order',
        nowMs,
        subWalletId: wallet,
        amounts: [
          { asset: TOKEN, amount: 7n },
          { asset: COIN, amount: 1000n },
        ],
      }),
    )
    await has(COIN, 10n ** 18n - 1000n, 1000n)
    await has(TOKEN, 2n ** 256n - 8n, 7n)
    await pay('paid', id('order'), { asset: TOKEN, amount: 7n, to: 'external' }, { asset: COIN, amount: 600n, to: 'fee' })
    await has(COIN, 10n ** 18n - 600n, 0n)
    await has(TOKEN, 2n ** 256n - 8n, 0n)
  })

  it('adds what a payment and its fee take of the same coin', async () => {
    await deposit('in', 100n)
    await act((tx) =>
      hold(tx, {
        id: id('order'),
        reference: 'order',
        nowMs,
        subWalletId: wallet,
        amounts: [
          { asset: COIN, amount: 90n },
          { asset: COIN, amount: 10n },
        ],
      }),
    )
    await pay('paid', id('order'), { asset: COIN, amount: 90n, to: 'external' }, { asset: COIN, amount: 4n, to: 'fee' })
    await has(COIN, 6n, 0n)
  })

  it('refuses a hold of more than is available, says how much is missing, and the transaction goes on', async () => {
    await deposit('in', 100n)
    await act(async (tx) => {
      const tooMuch = hold(tx, { id: id('a'), reference: 'a', nowMs, subWalletId: wallet, amounts: [{ asset: COIN, amount: 101n }] })
      await assert.rejects(tooMuch, { name: 'InsufficientBalanceError', balance: 100n, needed: 101n })
      await hold(tx, { id: id('b'), reference: 'b', nowMs, subWalletId: wallet, amounts: [{ asset: COIN, amount: 100n }] })
    })
    await has(COIN, 0n, 100n)
  })

  it('holds nothing of one asset if another falls short', async () => {
    await deposit('in', 100n)
    const amounts = [
      { asset: COIN, amount: 1n },
      { asset: TOKEN, amount: 1n },
    ]
    await assert.rejects(
      act((tx) => hold(tx, { id: id('a'), reference: 'a', nowMs, subWalletId: wallet, amounts })),
      { name: 'InsufficientBalanceError' },
    )
    await has(COIN, 100n, 0n)
  })

  it('lets exactly 100 of 200 concurrent holds of 1 take a balance of 100', async () => {
    await deposit('in', 100n)
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        promise(`order ${i}`, 1n).then(
          () => 'held',
          (error) => error.name,
        ),
      ),
    )
    assert.equal(results.filter((result) => result === 'held').length, 100)
    assert.equal(results.filter((result) => result === 'InsufficientBalanceError').length, 100)
    await has(COIN, 0n, 100n)
  })

  it('lets a hold that waited for a deposit spend it, and refuses one that waited for another hold', async () => {
    await deposit('in', 10n)
    await promise('opens the accounts', 10n)
    await free('free', id('opens the accounts'))
    const blocked = async () => {
      const waiting = () => db.asSystem((tx) => sql`select from pg_locks where not granted`.execute(tx))
      while ((await waiting()).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    let waited: Promise<unknown> = Promise.resolve()
    await act(async (tx) => {
      await credit(tx, [{ id: id('more'), reference: 'more', nowMs, subWalletId: wallet, asset: COIN, amount: 90n }])
      waited = promise('first', 100n)
      await blocked()
    })
    await waited
    await deposit('again', 100n)
    let refused: Promise<unknown> = Promise.resolve()
    await act(async (tx) => {
      await hold(tx, { id: id('second'), reference: 'second', nowMs, subWalletId: wallet, amounts: [{ asset: COIN, amount: 60n }] })
      refused = assert.rejects(promise('third', 60n), { name: 'InsufficientBalanceError' })
      await blocked()
    })
    await refused
    await has(COIN, 40n, 160n)
  })

  it('posts a reference once, however many programs post it at once, and all learn the first id', async () => {
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        act((tx) => credit(tx, [{ id: id(`try ${i}`), reference: 'block 7', nowMs, subWalletId: wallet, asset: COIN, amount: 5n }])),
      ),
    )
    assert.equal(results.filter(([each]) => each!.posted).length, 1)
    assert.equal(new Set(results.map(([each]) => each!.id)).size, 1)
    await has(COIN, 5n, 0n)
  })

  it('finds an earlier hold of the same reference even if nothing is left to hold again', async () => {
    await deposit('in', 100n)
    const both = await Promise.all([promise('order', 100n), promise('order', 100n)])
    assert.deepEqual(both.map((each) => each.posted).sort(), [false, true])
    await has(COIN, 0n, 100n)
  })

  it('refuses another amount under the same reference', async () => {
    await deposit('in', 100n)
    await assert.rejects(
      act((tx) => credit(tx, [{ id: id('in'), reference: 'in', nowMs, subWalletId: wallet, asset: COIN, amount: 101n }])),
      { name: 'LedgerConflictError', message: /posted before with other entries/ },
    )
    await assert.rejects(
      act((tx) => credit(tx, [{ id: id('in'), reference: 'other', nowMs, subWalletId: wallet, asset: COIN, amount: 100n }])),
      { name: 'LedgerConflictError', message: /belongs to another transfer/ },
    )
    await has(COIN, 100n, 0n)
  })

  it('ends a hold once: released or settled, not both, not twice, not by two programs', async () => {
    await deposit('in', 100n)
    await promise('order', 60n)
    const ends = await Promise.allSettled([
      free('free', id('order')),
      pay('paid', id('order'), { asset: COIN, amount: 60n, to: 'external' }),
      pay('paid less', id('order'), { asset: COIN, amount: 59n, to: 'external' }),
    ])
    assert.equal(ends.filter((end) => end.status === 'fulfilled').length, 1)
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.name] : []))
    assert.ok(
      refused.every((name) => name === 'AlreadyClosedError' || name === 'LedgerConflictError'),
      refused.join(),
    )
    const [balance] = await act((tx) => balances(tx, wallet))
    assert.equal(balance?.held, 0n)
  })

  it('gives the same answer to a release and a settlement that are requested again', async () => {
    await deposit('in', 100n)
    await promise('order', 60n)
    await promise('other', 40n)
    assert.deepEqual(
      [await free('free', id('order')), await free('free again', id('order'))],
      [
        { id: id('free'), posted: true },
        { id: id('free'), posted: false },
      ],
    )
    const payment: Payment = { asset: COIN, amount: 30n, to: 'external' }
    await pay('paid', id('other'), payment)
    assert.deepEqual(await pay('paid again', id('other'), payment), { id: id('paid'), posted: false })
    await has(COIN, 70n, 0n)
  })

  it('never pays more than was held', async () => {
    await deposit('in', 100n)
    await promise('order', 60n)
    await assert.rejects(pay('paid', id('order'), { asset: COIN, amount: 60n, to: 'external' }, { asset: COIN, amount: 1n, to: 'fee' }), {
      name: 'LedgerError',
      message: /1 base units .* more would be paid than were held/,
    })
    await assert.rejects(pay('paid', id('order'), { asset: TOKEN, amount: 1n, to: 'external' }), { name: 'LedgerError' })
    await assert.rejects(pay('paid', id('in'), { asset: COIN, amount: 1n, to: 'external' }), { name: 'LedgerError', message: /is a credit and holds nothing/ })
    await has(COIN, 40n, 60n)
  })

  it('reverses a deposit once, whoever tries', async () => {
    await deposit('in', 100n)
    const results = await Promise.all(Array.from({ length: 10 }, (_, i) => undo(`undo ${i}`, id('in'))))
    assert.equal(results.filter((each) => each.posted).length, 1)
    await has(COIN, 0n, 0n)
  })

  it('does not reverse a deposit that was spent since, and says so', async () => {
    await deposit('in', 100n)
    await promise('order', 60n)
    await assert.rejects(undo('undo', id('in')), { name: 'InsufficientBalanceError' })
    await has(COIN, 40n, 60n)
  })

  it('turns a payment that left the chain into a new hold, to be settled again, even after its change was spent', async () => {
    await deposit('in', 100n)
    await promise('order', 60n)
    await pay('paid', id('order'), { asset: COIN, amount: 50n, to: 'external' })
    await promise('spends the change', 50n)
    await undo('undo', id('paid'))
    await has(COIN, 0n, 100n)
    // The first settlement requested again is an old message, not a new payment.
    assert.deepEqual(await pay('old', id('order'), { asset: COIN, amount: 50n, to: 'external' }), { id: id('paid'), posted: false })
    await pay('paid again', id('undo'), { asset: COIN, amount: 49n, to: 'external' })
    await has(COIN, 1n, 50n)
  })

  it('reverses only what happened on a chain', async () => {
    await deposit('in', 100n)
    await promise('order', 60n)
    await assert.rejects(undo('undo', id('order')), { name: 'LedgerError', message: 'a hold cannot be reversed' })
    await assert.rejects(undo('undo', id('nothing')), { name: 'LedgerError', message: /there is no transfer/ })
  })

  it('refuses an invalid posting', async () => {
    const available: Account = { kind: 'available', subWalletId: wallet, asset: COIN }
    const external: Account = { kind: 'external', asset: COIN }
    const refused: [RegExp, Entry[]][] = [
      [/at least two entries/, []],
      [/at least two entries/, [{ account: available, amount: 1n }]],
      [
        /sum to 1 and must sum to zero/,
        [
          { account: available, amount: 2n },
          { account: external, amount: -1n },
        ],
      ],
      [
        /must sum to zero/,
        [
          { account: available, amount: 1n },
          { account: { kind: 'external', asset: TOKEN }, amount: -1n },
        ],
      ],
      [
        /0 is not an amount/,
        [
          { account: available, amount: 0n },
          { account: external, amount: 0n },
        ],
      ],
      [
        /not an amount/,
        [
          { account: available, amount: 2n ** 256n },
          { account: external, amount: -(2n ** 256n) },
        ],
      ],
    ]
    for (const [message, entries] of refused) {
      await assert.rejects(
        act((tx) => post(tx, { id: id('x'), kind: 'credit', reference: 'x', nowMs, entries })),
        { name: 'LedgerError', message },
      )
    }
    await assert.rejects(promise('negative', -1n), { name: 'LedgerError', message: /cannot be negative/ })
  })

  it('cannot be rewritten, by the organisation or by the installation', async () => {
    await deposit('in', 100n)
    const statements = [
      'update ledger_entry set amount = 1',
      'delete from ledger_entry',
      'update ledger_transfer set created_at = 0',
      'delete from ledger_transfer',
      'delete from ledger_account',
      'truncate ledger_entry',
      "update ledger_account set kind = 'fee'",
    ]
    for (const statement of statements) {
      await assert.rejects(
        act((tx) => sql.raw(statement).execute(tx)),
        { code: '42501' },
        statement,
      )
      await assert.rejects(
        db.asSystem((tx) => sql.raw(statement).execute(tx)),
        { code: '42501' },
        statement,
      )
    }
    await assert.rejects(
      act((tx) => tx.updateTable('ledger_account').set({ balance: -1n }).where('balance', 'is not', null).execute()),
      { code: '23514' },
    )
  })

  it('sees an account that was changed without entries, and a transfer that does not add up', async () => {
    await deposit('in', 100n)
    const rollBack = new Error('roll back')
    await assert.rejects(
      act(async (tx) => {
        await tx.updateTable('ledger_account').set({ balance: 101n }).where('kind', '=', 'available').where('balance', '=', 100n).execute()
        await assert.rejects(assertConserved(tx), { name: 'ImpossibleLedger', message: /balances that are not the sum of their entries.*"101"/ })
        throw rollBack
      }),
      rollBack,
    )
    await assert.rejects(
      act(async (tx) => {
        const { account_id } = await tx.selectFrom('ledger_entry').select('account_id').where('transfer_id', '=', id('in')).executeTakeFirstOrThrow()
        await tx
          .insertInto('ledger_transfer')
          .values({ org_id: ledger.orgId, id: id('odd'), kind: 'credit', reference: 'odd', closes: null, created_at: nowMs })
          .execute()
        await assert.rejects(assertConserved(tx), { name: 'ImpossibleLedger', message: /fewer than two entries/ })
        await tx
          .insertInto('ledger_entry')
          .values({ org_id: ledger.orgId, transfer_id: id('odd'), position: 0, account_id, amount: 1n })
          .execute()
        await assert.rejects(assertConserved(tx), { name: 'ImpossibleLedger', message: /do not sum to zero/ })
        throw rollBack
      }),
      rollBack,
    )
  })

  it('keeps organisations apart though they use the same references', async () => {
    await deposit('in', 100n)
    const other = await openTestLedger(db, `ledger-${++count}`)
    await assert.rejects(
      db.asOrganisation(other.orgId, (tx) => release(tx, { id: id('x'), holdId: id('in'), nowMs })),
      { name: 'LedgerError', message: /there is no transfer/ },
    )
    await assert.rejects(
      db.asOrganisation(other.orgId, (tx) => credit(tx, [{ id: id('x'), reference: 'in', nowMs, subWalletId: wallet, asset: COIN, amount: 1n }])),
      { code: '23503' },
    )
    const [booked] = await db.asOrganisation(other.orgId, (tx) =>
      credit(tx, [{ id: id('x'), reference: 'in', nowMs, subWalletId: other.subWallets[0]!, asset: COIN, amount: 1n }]),
    )
    assert.equal(booked!.posted, true)
  })
})
