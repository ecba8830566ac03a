import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database, OrganisationTx } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { accountId } from './account.ts'
import { COIN, idOf, NOW_MS, openTestLedger, TOKEN } from './ledger-fixture.ts'
import { assertConserved, balances, credit, hold, type LedgerAsset, release, reverse, settle } from './index.ts'

const CONNECTIONS = 16
const ORDERS = 96
const SUB_WALLETS = 24

/** The two orders in which the accounts of a sub-wallet can be sorted; the order follows from the hash of what they are. */
const ORDERS_OF_IDS = ['available before held', 'held before available'] as const

describe('orders at once', () => {
  let db: Database
  let orgId: string
  let subWallets: string[]
  before(async () => {
    db = await openTestDatabase({ poolSize: CONNECTIONS })
    ;({ orgId, subWallets } = await openTestLedger(db, 'at-once', SUB_WALLETS))
  })
  after(async () => {
    await db.asSystem(assertConserved)
    await db.close()
  })

  const lies = (subWalletId: string, order: (typeof ORDERS_OF_IDS)[number]) => {
    const of = (kind: 'available' | 'held') => accountId(orgId, { kind, subWalletId, asset: COIN })
    return of('available') < of('held') === (order === 'available before held')
  }
  /** A sub-wallet that was never used, with the two ids in this order. */
  const unused = (order: (typeof ORDERS_OF_IDS)[number]): string => {
    const place = subWallets.findIndex((id) => lies(id, order))
    assert.notEqual(place, -1)
    return subWallets.splice(place, 1)[0]!
  }
  const act = <T>(work: (tx: OrganisationTx) => Promise<T>) => db.asOrganisation(orgId, work)
  /**
   * Runs tasks over all connections, and returns how many times the database aborted one and had it run again. After the first abort no more tasks start:
   * each takes a second.
   */
  const allAtOnce = async (works: ((tx: OrganisationTx) => Promise<unknown>)[], onFailure = () => {}): Promise<number> => {
    const waiting = [...works]
    let again = 0
    const runAll = async () => {
      for (let work = waiting.shift(); work; work = waiting.shift()) {
        const next = work
        let runs = 0
        await act((tx) => {
          if (++runs > 1) again++
          if (again > 0) waiting.length = 0
          return next(tx)
        })
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: CONNECTIONS }, () => runAll().catch((cause: unknown) => failWith(cause, onFailure))))
    for (const each of ended) if (each.status === 'rejected') throw each.reason
    return again
  }
  const failWith = (cause: unknown, onFailure: () => void): never => {
    onFailure()
    throw cause
  }
  const deposit = (subWalletId: string, asset: LedgerAsset = COIN) =>
    act((tx) => {
      const reference = `in ${subWalletId} ${asset.contract}`
      return credit(tx, [{ id: idOf(reference), reference, nowMs: NOW_MS, subWalletId, asset, amount: 1_000_000n }])
    })
  const promise =
    (subWalletId: string, name: string, assets: LedgerAsset[] = [COIN]) =>
    (tx: OrganisationTx) =>
      hold(tx, { id: idOf(name), reference: name, nowMs: NOW_MS, subWalletId, amounts: assets.map((asset) => ({ asset, amount: 100n })) })

  for (const order of ORDERS_OF_IDS) {
    it(`the first orders of a sub-wallet never wait for one another in a circle, ${order}`, async () => {
      for (const wallet of [unused(order), unused(order), unused(order)]) {
        await deposit(wallet)
        let begun = 0
        let begin = () => {}
        const allHaveBegun = new Promise<void>((resolve) => (begin = resolve))
        const first = Array.from({ length: CONNECTIONS }, (_, i) => async (tx: OrganisationTx) => {
          if (++begun >= CONNECTIONS) begin()
          await allHaveBegun
          return promise(wallet, `first ${wallet} ${i}`)(tx)
        })
        assert.equal(await allAtOnce(first, begin), 0)
        assert.deepEqual(await act((tx) => balances(tx, wallet)), [
          { asset: COIN, available: 1_000_000n - 100n * BigInt(CONNECTIONS), held: 100n * BigInt(CONNECTIONS), staked: 0n },
        ])
      }
    })

    it(`payments that are booked while others are asked for never wait in a circle, ${order}`, async () => {
      const wallet = unused(order)
      await deposit(wallet)
      await deposit(wallet, TOKEN)
      const name = (kind: string, i: number) => `${kind} ${wallet} ${i}`
      for (let i = 0; i < ORDERS; i++) await act(promise(wallet, name('early', i), i % 2 ? [COIN] : [TOKEN, COIN]))
      const again = await allAtOnce(
        Array.from({ length: ORDERS }, (_, i) => [
          promise(wallet, name('late', i), i % 3 ? [COIN] : [COIN, TOKEN]),
          async (tx: OrganisationTx) => {
            const holdId = idOf(name('early', i))
            const given = { id: idOf(name('end', i)), holdId, nowMs: NOW_MS }
            if (i % 4 === 3) return release(tx, given)
            // The payment leaves the hold in one posting and the rest is released in a second one.
            const paid = await settle(tx, { ...given, payments: [{ to: 'fee', asset: COIN, amount: 60n }] })
            // A reorganisation: the new hold is released in the same transaction.
            if (i % 4 !== 2) return paid
            const reversal = await reverse(tx, { id: idOf(name('undo', i)), transferId: paid.id, nowMs: NOW_MS })
            return release(tx, { id: idOf(name('free', i)), holdId: reversal.id, nowMs: NOW_MS })
          },
        ]).flat(),
      )
      assert.equal(again, 0)
    })
  }
})
