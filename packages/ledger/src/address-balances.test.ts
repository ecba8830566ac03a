import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { COIN, idOf, NOW_MS, openTestLedger, type TestLedger } from './ledger-fixture.ts'
import {
  addressBalances,
  assertConserved,
  balances,
  credit,
  fundedAddresses,
  hold,
  ImpossibleLedger,
  InsufficientBalanceError,
  release,
  reverse,
  settle,
} from './index.ts'

const ADDRESSES = ['first', 'second', 'third']
const act = fc.record({
  kind: fc.constantFrom('credit', 'credit', 'hold', 'release', 'settle', 'reverse'),
  place: fc.nat(ADDRESSES.length - 1),
  amount: fc.bigInt(1n, 50n),
  pick: fc.nat(1000),
})

describe('what the addresses of a sub-wallet have', () => {
  let db: Database
  let ledger: TestLedger
  let runs = 0
  before(async () => {
    db = await openTestDatabase()
    ledger = await openTestLedger(db, 'addresses', 40)
  })
  after(() => db.close())

  const within = <T>(action: (tx: Parameters<Parameters<Database['asOrganisation']>[1]>[0]) => Promise<T>) => db.asOrganisation(ledger.orgId, action)
  const own = (addresses: readonly string[]) =>
    within((tx) =>
      addressBalances(
        tx,
        addresses.map((address) => ({ chain: COIN.chain, address })),
      ),
    )

  it('adds up to what the sub-wallet has, whatever moves, and none pays what another has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
        const run = runs++
        const subWalletId = ledger.subWallets[run % ledger.subWallets.length]!
        const addresses = ADDRESSES.map((name) => `${name}-${run}`)
        const has = new Map(addresses.map((address) => [address, 0n]))
        const credits: { id: string; address: string; amount: bigint }[] = []
        const holds: typeof credits = []
        let step = 0
        for (const { kind, place, amount, pick } of acts) {
          const address = addresses[place]!
          const id = idOf(`addresses ${run} ${step++}`)
          const asset = COIN
          if (kind === 'credit') {
            await within((tx) => credit(tx, [{ id, reference: id, nowMs: NOW_MS, subWalletId, asset, amount, address }]))
            has.set(address, has.get(address)! + amount)
            credits.push({ id, address, amount })
          } else if (kind === 'hold') {
            const held = within((tx) => hold(tx, { id, reference: id, nowMs: NOW_MS, subWalletId, address, amounts: [{ asset, amount }] }))
            if (amount > has.get(address)!) await assert.rejects(held, InsufficientBalanceError)
            else {
              await held
              has.set(address, has.get(address)! - amount)
              holds.push({ id, address, amount })
            }
          } else if (kind === 'reverse') {
            const [taken] = credits.splice(pick % Math.max(1, credits.length), 1)
            if (!taken) continue
            const reversed = within((tx) => reverse(tx, { id, transferId: taken.id, nowMs: NOW_MS }))
            if (taken.amount > has.get(taken.address)!) await assert.rejects(reversed, InsufficientBalanceError)
            else {
              await reversed
              has.set(taken.address, has.get(taken.address)! - taken.amount)
            }
          } else {
            const [open] = holds.splice(pick % Math.max(1, holds.length), 1)
            if (!open) continue
            const paid = kind === 'settle' ? BigInt(pick) % (open.amount + 1n) : 0n
            if (paid === 0n) await within((tx) => release(tx, { id, holdId: open.id, nowMs: NOW_MS }))
            else await within((tx) => settle(tx, { id, holdId: open.id, nowMs: NOW_MS, payments: [{ to: 'external', asset, amount: paid }] }))
            has.set(open.address, has.get(open.address)! + open.amount - paid)
          }
        }
        const found = await own(addresses)
        for (const address of addresses) assert.equal(found.find((each) => each.address === address)?.available ?? 0n, has.get(address), address)
        const heldNow = holds.reduce((sum, { amount }) => sum + amount, 0n)
        assert.equal(
          found.reduce((sum, { held }) => sum + held, 0n),
          heldNow,
        )
        if (run < ledger.subWallets.length) {
          const whole = (await within((tx) => balances(tx, subWalletId))).find(({ asset }) => asset.contract === null)
          assert.equal(
            whole?.available ?? 0n,
            found.reduce((sum, { available }) => sum + available, 0n),
          )
        }
        const listed = await within((tx) => fundedAddresses(tx, { asset: COIN, least: 1n, subWalletIds: [subWalletId], limit: 1000 }))
        const wanted = found.filter(({ available }) => available > 0n).length
        assert.equal(listed.filter(({ address }) => addresses.includes(address)).length, wanted)
      }),
      { numRuns: 30 },
    )
    await db.asSystem(assertConserved)
  })

  it('is read in parts, the most first, each address once, and none below what is asked for', async () => {
    const [subWalletId, other] = ledger.subWallets as [string, string]
    const asset = { chain: COIN.chain, contract: '0xparts' }
    const amounts = [5n, 9n, 5n, 1n, 7n, 9n, 5n]
    await within((tx) =>
      credit(
        tx,
        amounts.map((amount, i) => ({
          id: idOf(`part ${i}`),
          reference: `part ${i}`,
          nowMs: NOW_MS,
          subWalletId: i === 4 ? other : subWalletId,
          asset,
          amount,
          address: `part-${i}`,
        })),
      ),
    )
    const seen: string[] = []
    let after: { address: string; available: bigint } | undefined
    for (;;) {
      const part = await within((tx) => fundedAddresses(tx, { asset, least: 5n, limit: 2, ...(after && { after }) }))
      if (part.length === 0) break
      seen.push(...part.map(({ address, available }) => `${address} ${available}`))
      after = part.at(-1)
    }
    assert.deepEqual(seen, ['part-1 9', 'part-5 9', 'part-4 7', 'part-0 5', 'part-2 5', 'part-6 5'])
    const ofOne = await within((tx) => fundedAddresses(tx, { asset, least: 0n, subWalletIds: [other], limit: 10 }))
    assert.deepEqual(
      ofOne.map(({ address }) => address),
      ['part-4'],
    )
  })

  it('is a fault of the ledger if it is anything else', async () => {
    await db.asSystem((tx) => sql`update address_balance set available = available + 1 where address = 'part-3'`.execute(tx))
    await assert.rejects(db.asSystem(assertConserved), (cause) => cause instanceof ImpossibleLedger && cause.message.includes('balances of addresses'))
  })
})
