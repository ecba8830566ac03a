import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database, OrganisationTx } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import fc from 'fast-check'
import { type TestLedger, COIN, idOf, NOW_MS, openTestLedger, TOKEN } from './ledger-fixture.ts'
import { assertConserved, balances, type Credit, credit, hold, LedgerError, type Payment, release, reverse, settle } from './index.ts'

const ASSETS = [COIN, TOKEN]
const BATCH = 100

/** What a transfer is to the model: a credit, a hold, or a settlement. Once closed it stays closed. */
type Entry = { id: string; kind: 'credit' | 'hold' | 'settle'; wallet: number; amounts: [bigint, bigint]; closed: boolean }
type Model = { available: [bigint, bigint][]; held: [bigint, bigint][]; entries: Entry[] }
type OperationKind = 'credit' | 'hold' | 'release' | 'settle' | 'reverse' | 'replay'
type Operation = { kind: OperationKind; wallet: number; asset: number; amount: bigint; extra: bigint; pick: number }
type Order = { id: string; nowMs: number }
type Outcome = 'posted' | 'repeated' | 'refused'

const amount = fc.oneof({ weight: 8, arbitrary: fc.bigInt({ min: 1n, max: 1000n }) }, { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 2n ** 200n }) })
const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom('credit', 'credit', 'hold', 'hold', 'hold', 'release', 'settle', 'settle', 'reverse', 'replay'),
  wallet: fc.nat(2),
  asset: fc.nat(1),
  amount,
  extra: fc.bigInt({ min: 0n, max: 100n }),
  pick: fc.nat(1_000_000),
})

/** The rules of the ledger once more, in the plainest way: what must happen, and which balances follow. */
class Expectation {
  readonly model: Model = {
    available: [
      [0n, 0n],
      [0n, 0n],
      [0n, 0n],
    ],
    held: [
      [0n, 0n],
      [0n, 0n],
      [0n, 0n],
    ],
    entries: [],
  }

  move(from: [bigint, bigint][], to: [bigint, bigint][] | undefined, wallet: number, amounts: [bigint, bigint]): boolean {
    const source = from[wallet]!
    if (source[0] < amounts[0] || source[1] < amounts[1]) return false
    for (const asset of [0, 1] as const) {
      source[asset] -= amounts[asset]
      if (to) to[wallet]![asset] += amounts[asset]
    }
    return true
  }

  add(entry: Omit<Entry, 'closed'>): Outcome {
    this.model.entries.push({ ...entry, closed: false })
    return 'posted'
  }

  choose(kind: Entry['kind'] | undefined, pick: number): Entry | undefined {
    const entries = this.model.entries.filter((entry) => kind === undefined || entry.kind === kind)
    return entries[pick % Math.max(1, entries.length)]
  }
}

const pair = (asset: number, value: bigint, coin = 0n): [bigint, bigint] => (asset === 0 ? [value + coin, 0n] : [coin, value])
const inAssets = ([coin, token]: [bigint, bigint]) => [
  { asset: COIN, amount: coin },
  { asset: TOKEN, amount: token },
]

async function outcomeOf(work: Promise<{ posted: boolean }>): Promise<Outcome> {
  try {
    return (await work).posted ? 'posted' : 'repeated'
  } catch (error) {
    if (error instanceof LedgerError) return 'refused'
    throw error
  }
}

const creditOne = async (tx: OrganisationTx, one: Credit) => (await credit(tx, [one]))[0]!

/** Does the operation in the model and in the ledger, and compares the results. */
async function step(tx: OrganisationTx, ledger: TestLedger, expectation: Expectation, operation: Operation, id: string): Promise<void> {
  const { model } = expectation
  const { kind, wallet, asset, amount, extra, pick } = operation
  const order = { id, nowMs: NOW_MS }
  const subWalletId = ledger.subWallets[wallet]!
  if (kind === 'credit') {
    const wallets = Array.from({ length: 1 + (pick % 3) }, (_, i) => (wallet + i) % 3)
    const credits = wallets.map((each, i) => {
      const own = i === 0 ? id : idOf(`${id}/${i}`)
      expectation.add({ id: own, kind, wallet: each, amounts: pair(asset, amount) })
      model.available[each]![asset]! += amount
      return { id: own, nowMs: NOW_MS, reference: own, subWalletId: ledger.subWallets[each]!, asset: ASSETS[asset]!, amount }
    })
    const posted = credits.map((each) => ({ id: each.id, posted: true }))
    return assert.deepEqual(await credit(tx, credits), posted)
  }
  if (kind === 'hold') {
    const amounts = pair(asset, amount, extra)
    const expected = expectation.move(model.available, model.held, wallet, amounts) ? expectation.add({ id, kind, wallet, amounts }) : 'refused'
    return assert.equal(await outcomeOf(hold(tx, { ...order, reference: id, subWalletId, amounts: inAssets(amounts) })), expected)
  }
  const target = expectation.choose(kind === 'reverse' ? (pick % 2 === 0 ? 'credit' : 'settle') : kind === 'replay' ? 'credit' : 'hold', pick >> 1)
  if (!target) return
  if (kind === 'replay') {
    const asset = target.amounts[0] > 0n ? 0 : 1
    const again = { ...order, reference: target.id, subWalletId: ledger.subWallets[target.wallet]!, asset: ASSETS[asset]!, amount: target.amounts[asset]! }
    assert.equal(await outcomeOf(creditOne(tx, again)), 'repeated')
    assert.equal(await outcomeOf(creditOne(tx, { ...again, amount: again.amount + 1n })), 'refused')
  } else if (kind === 'reverse') {
    await stepReverse(tx, expectation, target, order)
  } else {
    await stepEnd(tx, expectation, target, order, kind, extra)
  }
}

async function stepReverse(tx: OrganisationTx, expectation: Expectation, target: Entry, order: Order): Promise<void> {
  const { model } = expectation
  const found = await outcomeOf(reverse(tx, { ...order, transferId: target.id }))
  if (target.closed) return assert.equal(found, 'repeated')
  if (target.kind === 'settle') {
    model.held[target.wallet]![0] += target.amounts[0]
    model.held[target.wallet]![1] += target.amounts[1]
    expectation.add({ ...target, id: order.id, kind: 'hold' })
    target.closed = true
    return assert.equal(found, 'posted')
  }
  target.closed = expectation.move(model.available, undefined, target.wallet, target.amounts)
  assert.equal(found, target.closed ? 'posted' : 'refused')
}

async function stepEnd(tx: OrganisationTx, expectation: Expectation, target: Entry, order: Order, kind: 'release' | 'settle', part: bigint): Promise<void> {
  const { model } = expectation
  const paid = target.amounts.map((amount) => (amount * part) / 100n) as [bigint, bigint]
  const payments: Payment[] = inAssets(paid).flatMap(({ asset, amount }): Payment[] => [
    { asset, amount: amount / 3n, to: 'fee' },
    { asset, amount: amount - amount / 3n, to: 'external' },
  ])
  const found = await outcomeOf(kind === 'release' ? release(tx, { ...order, holdId: target.id }) : settle(tx, { ...order, holdId: target.id, payments }))
  // The same end requested again is repeated, any other is refused; other tests check which of the two happens.
  if (target.closed) return assert.notEqual(found, 'posted')
  if (kind === 'settle' && paid[0] + paid[1] === 0n) return assert.equal(found, 'refused')
  assert.equal(found, 'posted')
  target.closed = true
  if (kind === 'release') return assert.ok(expectation.move(model.held, model.available, target.wallet, target.amounts))
  assert.ok(expectation.move(model.held, undefined, target.wallet, paid))
  assert.ok(expectation.move(model.held, model.available, target.wallet, [target.amounts[0] - paid[0], target.amounts[1] - paid[1]]))
  expectation.add({ id: order.id, kind: 'settle', wallet: target.wallet, amounts: paid })
}

async function assertSame(tx: OrganisationTx, ledger: TestLedger, { model }: Expectation): Promise<void> {
  for (const [wallet, subWalletId] of ledger.subWallets.entries()) {
    const found = await balances(tx, subWalletId)
    for (const [asset, each] of ASSETS.entries()) {
      const balance = found.find((one) => one.asset.contract === each.contract)
      assert.deepEqual([balance?.available ?? 0n, balance?.held ?? 0n], [model.available[wallet]![asset], model.held[wallet]![asset]])
    }
  }
}

// HOLDFAST_THOROUGH=1 tries 10,000 operations.
const SERIES = process.env.HOLDFAST_THOROUGH ? 20 : 6
const SERIES_LENGTH = 500

describe('the ledger', () => {
  let db: Database
  let count = 0
  before(async () => {
    db = await openTestDatabase({ poolSize: 8 })
  })
  after(() => db.close())

  it(`agrees with plain arithmetic after each of ${SERIES * SERIES_LENGTH} random operations, and no unit is made or lost`, async () => {
    let operations = 0
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: SERIES_LENGTH, maxLength: SERIES_LENGTH }), async (all) => {
        const ledger = await openTestLedger(db, `model-${++count}`, 3)
        const expectation = new Expectation()
        for (let start = 0; start < all.length; start += BATCH) {
          await db.asOrganisation(ledger.orgId, async (tx) => {
            for (const [i, each] of all.slice(start, start + BATCH).entries()) await step(tx, ledger, expectation, each, idOf(`${ledger.orgId}/${start + i}`))
            await assertSame(tx, ledger, expectation)
            await assertConserved(tx)
          })
        }
        operations += all.length
      }),
      { numRuns: SERIES, endOnFailure: true },
    )
    assert.equal(operations, SERIES * SERIES_LENGTH)
  })

  it('balances while eight programs hold, settle, release and reverse the same money at once', async () => {
    const ledger = await openTestLedger(db, `crowd-${++count}`, 3)
    const orders = fc.sample(fc.array(operation, { minLength: 60, maxLength: 60 }), { numRuns: 8, seed: 20_260_728 })
    const known: string[] = []
    await Promise.all(
      orders.map(async (operations, worker) => {
        for (const [i, each] of operations.entries()) {
          const id = idOf(`${ledger.orgId}/${worker}/${i}`)
          const order = { id, nowMs: NOW_MS }
          const subWalletId = ledger.subWallets[each.wallet]!
          const target = known[each.pick % Math.max(1, known.length)]
          const payments: Payment[] = [{ asset: ASSETS[each.asset]!, amount: each.extra + 1n, to: 'external' }]
          const amounts = inAssets(pair(each.asset, each.amount, each.extra))
          const found = await outcomeOf(
            db.asOrganisation(ledger.orgId, async (tx) => {
              if (each.kind === 'credit' || target === undefined) {
                return creditOne(tx, { ...order, reference: id, subWalletId, asset: ASSETS[each.asset]!, amount: each.amount })
              }
              if (each.kind === 'hold' || each.kind === 'replay') return hold(tx, { ...order, reference: id, subWalletId, amounts })
              if (each.kind === 'release') return release(tx, { ...order, holdId: target })
              if (each.kind === 'settle') return settle(tx, { ...order, holdId: target, payments })
              return reverse(tx, { ...order, transferId: target })
            }),
          )
          if (found === 'posted') known.push(id)
        }
      }),
    )
    assert.ok(known.length > 150, `${known.length} were posted`)
    await db.asSystem(assertConserved)
  })
})
