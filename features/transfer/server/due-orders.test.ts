import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { ETH, fund, makeWallet, openWorld, requestApproved, type Wallet, type World } from '../../testing/test-world.ts'
import { dueOrders } from './due-orders.ts'

/** More than are looked at of one wallet. */
const MANY = 600

describe('what can be taken further', () => {
  let world: World
  let deposits: Wallet
  let treasury: Wallet
  let owner: Client
  before(async () => {
    world = await openWorld()
    deposits = await makeWallet(world, 'Deposits')
    treasury = await makeWallet(world, 'Treasury')
    for (const wallet of [deposits, treasury]) await fund(world, wallet, 10n * ETH)
    owner = new Client({ connectionString: world.db.url })
    await owner.connect()
  })
  after(async () => {
    await owner.end()
    await world.close()
  })

  /** Copies an order, so that many like it were approved long before it; as if a standing order had asked for them. */
  async function collectMany(id: string): Promise<void> {
    await owner.query("set session_replication_role = 'replica'")
    await owner.query(
      `insert into transfer_order (org_id, id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to, address_to_end,
        address_to_start, remark, intent, intent_hash, policy_version, initiator, standing_order_id, state, is_final, expires_at,
        created_at, updated_at, version)
      select org_id, gen_random_uuid(), 'collect', wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to, address_to_end,
        address_to_start, '', intent, sha256(i::text::bytea), policy_version, initiator, initiator, state, false, expires_at, created_at - 1000 - i, created_at, 1
      from transfer_order, generate_series(1, $2::int) i where id = $1`,
      [id, MANY],
    )
    await owner.query("set session_replication_role = 'origin'")
  }
  const due = () => dueOrders(world.context)

  it('has the payments of every wallet, however much another wallet collects', async () => {
    const first = await requestApproved(world, deposits, { amount: '1' })
    await collectMany(first)
    const paid = await requestApproved(world, treasury, { amount: '1' })
    const orders = await due()
    assert.ok(orders.some(({ orderId, walletId }) => orderId === paid && walletId === treasury.walletId))
    assert.ok(orders.length < MANY, 'of one wallet it has not everything at once')
  })

  it('has what has begun before all else, since others may wait for its slot', async () => {
    const { rows } = await owner.query<{ id: string }>(
      `update transfer_order set state = 'signing' where id = (select id from transfer_order where standing_order_id is not null order by created_at desc limit 1)
        returning id`,
    )
    const [first] = (await due()).filter(({ walletId }) => walletId === deposits.walletId)
    assert.equal(first?.orderId, rows[0]?.id)
    await owner.query(`update transfer_order set state = 'approved' where id = $1`, [rows[0]?.id])
  })

  it('has what a person asked for before what moves by itself, and the oldest first', async () => {
    const payments = [await requestApproved(world, deposits, { amount: '1' }), await requestApproved(world, deposits, { amount: '1' })]
    const ofDeposits = (await due()).filter(({ walletId }) => walletId === deposits.walletId).map(({ orderId }) => orderId)
    const { rows } = await owner.query<{ id: string }>(
      `select id from transfer_order where wallet_id = $1 order by standing_order_id is not null, created_at, id limit $2`,
      [deposits.walletId, ofDeposits.length],
    )
    assert.deepEqual(
      ofDeposits,
      rows.map(({ id }) => id),
    )
    assert.deepEqual(ofDeposits.slice(1, 3), payments)
  })
})
