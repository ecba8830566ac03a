import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import type { TransactionFilter } from './filter-transactions.ts'
import { findPage } from './find-page.ts'
import { requestWithdrawal, ETH, fund, makeWallet, openWorld, type Wallet, type World } from '../../testing/test-world.ts'
import { openView } from './view/view-context.ts'

const HOUR_MS = 3_600_000

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
after(() => world.close())

const total = (filter: Partial<TransactionFilter> = {}) =>
  world.context.db.asOrganisation(world.orgId, async (tx) => {
    const { networks, ports } = world.context
    const view = await openView({ tx, networks, language: 'en_US', nowMs: ports.clock.nowMs(), fiat: 'USD' })
    return (await findPage(view, { type: 'withdraw', ...filter }, { limit: 20, offset: 0 })).total
  })
const askTimes = async (times: number) => {
  for (let i = 0; i < times; i++) await requestWithdrawal(world, wallet, { amount: '0.0001' })
}

test('a list says exactly how many orders there are, hours later too, under any filter and behind a clock that was set back', async () => {
  await askTimes(3)
  assert.equal(await total(), 3)
  for (const [hours, more] of [
    [2, 1],
    [2.2, 2],
    [5, 1],
  ] as const) {
    const before = await total()
    world.clock.aheadMs = hours * HOUR_MS
    assert.equal(await total(), before)
    await askTimes(more)
    assert.equal(await total(), before + more)
  }
  assert.equal(await total({ wallet_id: wallet.walletId }), 7)
  assert.equal(await total({ sub_wallet_id: crypto.randomUUID() }), 0)
  assert.equal(await total({ status: '1000' }), 7)
  world.clock.aheadMs = 0
  await askTimes(1)
  assert.equal(await total(), 8)
  world.clock.aheadMs = 24 * HOUR_MS
  assert.equal(await total(), 8)
})

test('a list says exactly how many deposits there are: credited ones for ever, the others as long as they are there', async () => {
  const count = () => total({ type: 'deposit' })
  const before = await count()
  const waiting = await world.db.asSystem(async (tx) => {
    const { rows } = await sql<{
      id: string
    }>`insert into deposit (org_id, id, chain, txid, tx_index, block_hash, height, sub_wallet_id, address, contract, symbol,
        amount, from_address, state, confirmations, created_at, updated_at)
      select org_id, gen_random_uuid(), chain, txid || 'e', tx_index, block_hash, height, sub_wallet_id, address, contract, symbol, amount, from_address,
        'unconfirmed', 0, created_at, updated_at from deposit limit 1 returning id`.execute(tx)
    return rows[0]!.id
  })
  assert.equal(await count(), before + 1)
  world.clock.aheadMs += 3 * HOUR_MS
  assert.equal(await count(), before + 1)
  await fund(world, wallet, ETH)
  assert.equal(await count(), before + 2)
  world.clock.aheadMs += 3 * HOUR_MS
  const update = (values: RawBuilder<unknown>) => world.db.asSystem((tx) => sql`update deposit set ${values} where id = ${waiting}`.execute(tx))
  await update(sql`state = 'credited', credited_at = ${world.context.ports.clock.nowMs()}`)
  assert.equal(await count(), before + 2)
  world.clock.aheadMs += 3 * HOUR_MS
  await update(sql`state = 'reversed', reversed_at = credited_at`)
  assert.equal(await count(), before + 2)
})
