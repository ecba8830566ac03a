import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Database, OrganisationTx } from '@holdfast/db'
import { asOwner, openTestDatabase } from '@holdfast/db/test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { COIN, idOf, NOW_MS, openTestLedger, type TestLedger, TOKEN } from './ledger-fixture.ts'
import { assertConserved, credit, dailyFlows, FLOW_DAY_MS, hold, ImpossibleLedger, LedgerError, post, release, reverse, settle } from './index.ts'

const ASSETS = [COIN, TOKEN]
const FIRST_DAY = Math.floor(NOW_MS / FLOW_DAY_MS)
const REFILL = readFileSync(new URL('../../db/migrations/0340-daily-flows.sql', import.meta.url), 'utf8')

type Move = {
  kind: 'credit' | 'own credit' | 'hold' | 'settle' | 'release' | 'reverse'
  wallet: number
  asset: number
  amount: bigint
  day: number
  pick: number
}
type Done = { id: string; wallet: number; asset: number; day: number; amount: bigint; fee: bigint; own: boolean }
/** By sub-wallet, day and asset: in, out, fee, from own. */
type Sums = Map<string, [bigint, bigint, bigint, bigint]>

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom('credit', 'credit', 'own credit', 'hold', 'hold', 'settle', 'settle', 'release', 'reverse'),
  wallet: fc.nat(1),
  asset: fc.nat(1),
  amount: fc.oneof(fc.bigInt({ min: 3n, max: 1_000n }), fc.bigInt({ min: 3n, max: 2n ** 200n })),
  day: fc.nat(3),
  pick: fc.nat(1_000),
})

/** What happened, in plain arithmetic: a reversal is as if what it reverses had never been. */
class Story {
  readonly credits: Done[] = []
  readonly holds: Done[] = []
  readonly payments: Done[] = []

  sums(): Sums {
    const sums: Sums = new Map()
    const add = ({ wallet, day, asset }: Done, ...change: [bigint, bigint, bigint, bigint]) => {
      const key = `${wallet} ${day} ${asset}`
      const before = sums.get(key) ?? [0n, 0n, 0n, 0n]
      sums.set(key, [before[0] + change[0], before[1] + change[1], before[2] + change[2], before[3] + change[3]])
    }
    for (const each of this.credits) add(each, each.amount, 0n, 0n, each.own ? each.amount : 0n)
    for (const each of this.payments) add(each, 0n, each.amount, each.fee, 0n)
    return sums
  }
}

const isRefused = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (cause: unknown) => {
      if (cause instanceof LedgerError) return true
      throw cause
    },
  )

async function take(tx: OrganisationTx, ledger: TestLedger, story: Story, { kind, wallet, asset, amount, day, pick }: Move, id: string): Promise<void> {
  const nowMs = NOW_MS + day * FLOW_DAY_MS
  const subWalletId = ledger.subWallets[wallet]!
  const done = { id, wallet, asset, day, amount, fee: 0n, own: kind === 'own credit' }
  const chosen = <T>(list: T[]): T | undefined => list[pick % Math.max(1, list.length)]
  const drop = <T>(list: T[], one: T) => void list.splice(list.indexOf(one), 1)
  if (kind === 'credit' || kind === 'own credit') {
    await credit(tx, [{ id, reference: id, nowMs, subWalletId, asset: ASSETS[asset]!, amount, fromOwn: done.own }])
    story.credits.push(done)
  } else if (kind === 'hold') {
    if (!(await isRefused(hold(tx, { id, reference: id, nowMs, subWalletId, amounts: [{ asset: ASSETS[asset]!, amount }] })))) story.holds.push(done)
  } else if (kind === 'reverse') {
    const list = pick % 2 === 0 ? story.credits : story.payments
    const target = chosen(list)
    if (!target || (await isRefused(reverse(tx, { id, transferId: target.id, nowMs })))) return
    drop(list, target)
    if (list === story.payments) story.holds.push({ ...target, id, amount: target.amount + target.fee })
  } else {
    const held = chosen(story.holds)
    if (!held) return
    drop(story.holds, held)
    if (kind === 'release') return void (await release(tx, { id, holdId: held.id, nowMs }))
    const [out, fee] = [held.amount / 3n, held.amount / 5n]
    const of = { asset: ASSETS[held.asset]! }
    const payments = [
      { ...of, amount: out, to: 'external' as const },
      { ...of, amount: fee, to: 'fee' as const },
    ]
    if (out + fee > 0n) await settle(tx, { id, holdId: held.id, nowMs, payments })
    if (out + fee > 0n) story.payments.push({ ...held, id, day, amount: out, fee })
  }
}

const keep = (sums: Sums) => [...sums].filter(([, each]) => each.some((amount) => amount !== 0n)).toSorted(([a], [b]) => (a < b ? -1 : 1))

async function stored(tx: OrganisationTx, ledger: TestLedger): Promise<Sums> {
  const sums: Sums = new Map()
  for (const [wallet, subWalletId] of ledger.subWallets.entries())
    for (const { day, contract, amountIn, amountOut, fee, fromOwn } of await dailyFlows(tx, { subWalletId, fromDay: 0 }))
      sums.set(`${wallet} ${day - FIRST_DAY} ${contract === '' ? 0 : 1}`, [amountIn, amountOut, fee, fromOwn])
  return sums
}

/** What the accounts of the outside and of fees say moved, over all days. */
async function movedByAccounts(tx: OrganisationTx): Promise<string[]> {
  const { rows } = await sql<{ contract: string; kind: string; amount: bigint }>`
    select a.contract, a.kind, sum(e.amount) as amount from ledger_account a join ledger_entry e on e.org_id = a.org_id and e.account_id = a.id
    where a.org_id = ${tx.orgId} and a.kind in ('external', 'fee') group by 1, 2 having sum(e.amount) <> 0`.execute(tx)
  return rows.map(({ contract, kind, amount }) => `${contract} ${kind} ${amount}`).toSorted()
}

async function movedByDays(tx: OrganisationTx): Promise<string[]> {
  const sums = new Map<string, bigint>()
  const add = (key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount)
  for (const { contract, amountIn, amountOut, fee } of await dailyFlows(tx, { fromDay: 0 })) {
    add(`${contract} external`, amountOut - amountIn)
    add(`${contract} fee`, fee)
  }
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([key, amount]) => `${key} ${amount}`)
    .toSorted()
}

const RUNS = process.env.HOLDFAST_THOROUGH ? 40 : 8

describe('the flows of a day', () => {
  let db: Database
  let count = 0
  before(async () => {
    db = await openTestDatabase()
  })
  after(() => db.close())

  it('are what deposits, payments, fees and reversals at random moved, and what a migration reads out of the entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 60, maxLength: 60 }), async (moves) => {
        const ledger = await openTestLedger(db, `flows-${++count}`)
        const story = new Story()
        await db.asOrganisation(ledger.orgId, async (tx) => {
          for (const [at, each] of moves.entries()) await take(tx, ledger, story, each, idOf(`${ledger.orgId}/${at}`))
          assert.deepEqual(keep(await stored(tx, ledger)), keep(story.sums()))
          assert.deepEqual(await movedByDays(tx), await movedByAccounts(tx))
          await assertConserved(tx)
        })
        const kept = await db.asOrganisation(ledger.orgId, (tx) => stored(tx, ledger))
        await asOwner(db, async (client) => {
          await client.query('alter table daily_flow no force row level security')
          await client.query('delete from daily_flow')
          await client.query(REFILL)
        })
        assert.deepEqual(keep(await db.asOrganisation(ledger.orgId, (tx) => stored(tx, ledger))), keep(kept))
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('are those of credits posted together, and of nothing that was refused', async () => {
    const { orgId, subWallets } = await openTestLedger(db, 'together')
    const one = (name: string, subWalletId: string) => ({ id: idOf(name), reference: name, nowMs: NOW_MS, subWalletId, asset: COIN, amount: 7n })
    const all = () => db.asOrganisation(orgId, (tx) => dailyFlows(tx, { fromDay: FIRST_DAY }))
    await db.asOrganisation(orgId, (tx) => credit(tx, [one('a', subWallets[0]!), one('b', subWallets[0]!), one('c', subWallets[1]!)]))
    assert.deepEqual(await all(), [{ day: FIRST_DAY, chain: COIN.chain, contract: '', amountIn: 21n, amountOut: 0n, fee: 0n, fromOwn: 0n }])
    await db.asOrganisation(orgId, (tx) => credit(tx, [one('a', subWallets[0]!)]))
    assert.equal((await all())[0]!.amountIn, 21n)
    assert.deepEqual(await db.asOrganisation(orgId, (tx) => dailyFlows(tx, { fromDay: FIRST_DAY + 1 })), [])
    const entries = [
      { account: { kind: 'external' as const, asset: COIN }, amount: -2n },
      ...subWallets.map((subWalletId) => ({ account: { kind: 'available' as const, subWalletId, asset: COIN }, amount: 1n })),
    ]
    await assert.rejects(
      db.asOrganisation(orgId, (tx) => post(tx, { id: idOf('two'), kind: 'credit', reference: 'two', nowMs: NOW_MS, entries })),
      LedgerError,
    )
  })

  it('are a fault of the ledger if they are anything else', async () => {
    await db.asSystem((tx) => sql`update daily_flow set amount_out = amount_out + 1`.execute(tx))
    await assert.rejects(db.asSystem(assertConserved), (cause) => cause instanceof ImpossibleLedger && cause.message.includes('daily flows'))
  })
})
