import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Endpoint } from '@holdfast/contract'
import { known } from '@holdfast/units'
import { Client } from 'pg'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { approvalOn, approveAs, ETH, fund, makeWallet, openWorld, type Wallet, type World } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { dueBatches } from './due-batches.ts'
import { batchOf, readBatchRow } from './move-batch.ts'
import { batchTransferEndpoints } from './routes.ts'
import { advance, startBatches } from './run-batches.ts'

/** More than are looked at of one organisation. */
const MANY = 250
const OTHER = '0190b1e2-0000-7000-8000-00000000aaaa'

describe('the batches that are looked at', () => {
  let world: World
  let wallet: Wallet
  let owner: Client
  before(async () => {
    world = await openWorld()
    wallet = await makeWallet(world)
    await fund(world, wallet, 10n * ETH)
    owner = new Client({ connectionString: world.db.url })
    await owner.connect()
  })
  beforeEach(async () => {
    await owner.query("set session_replication_role = 'replica'")
    await owner.query('delete from batch_transfer')
    await owner.query("set session_replication_role = 'origin'")
  })
  after(async () => {
    await owner.end()
    await world.close()
  })

  async function call(endpoint: Endpoint, input: object): Promise<{ batch_id: string }> {
    const endpoints = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
    const { handler } = known(
      endpoints.find((each) => each.endpoint === endpoint),
      endpoint.path,
    )
    return handler({ orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as never, input as never) as Promise<never>
  }

  async function asked(): Promise<string> {
    const file = new File(
      ['address,amount,memo', `0x${'7a'.repeat(20)},0.01,`].map((line) => `${line}\n`),
      'payroll.csv',
    )
    const { batch_id: id } = await call(contract.uploadBatch, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', file })
    await call(contract.submitBatch, { batch_id: id, mode: 'single', execution: 'partial', fee_tier: 'normal', remark: '' })
    return id
  }

  async function approved(): Promise<string> {
    const id = await asked()
    const { intent } = await world.db.asOrganisation(world.orgId, async (tx) => known(batchOf(await readBatchRow(tx, id)), 'a batch'))
    for (const member of world.members.slice(1)) await approveAs(world, approvalOn(world, intent, member))
    return id
  }

  /** Copies a batch, so that many like it were written before it, here or in another organisation. */
  async function copyMany(id: string, orgId: string = world.orgId): Promise<void> {
    const { rows } = await owner.query<{ name: string }>("select column_name as name from information_schema.columns where table_name = 'batch_transfer'")
    const columns = rows.map(({ name }) => name).filter((name) => !['org_id', 'id', 'created_at', 'updated_at'].includes(name))
    await owner.query("set session_replication_role = 'replica'")
    await owner.query(
      `insert into batch_transfer (org_id, id, created_at, updated_at, ${columns.join(', ')})
        select $2, gen_random_uuid(), 1, i, ${columns.join(', ')} from batch_transfer, generate_series(1, $3::int) i where id = $1`,
      [id, orgId, MANY],
    )
    await owner.query("set session_replication_role = 'origin'")
  }
  const change = (id: string, set: string) => owner.query(`update batch_transfer set ${set} where id = $1`, [id])
  const due = async (putOff: string[] = []) => (await dueBatches(world.context, putOff)).map(({ id }) => id)
  const ordersOf = async (id: string) => (await owner.query('select id from transfer_order where batch_id = $1', [id])).rows

  it('do not wait behind many that wait for people, of whatever organisation', async () => {
    await copyMany(await asked())
    const id = await approved()
    const sweep = startBatches(world.context)
    try {
      for (let i = 0; i < 40 && (await ordersOf(id)).length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 100))
      assert.equal((await ordersOf(id)).length, 1)
    } finally {
      await sweep.stop()
    }
  })

  it('do not wait behind many that failed just now, such as those whose next line cannot be opened', async () => {
    const id = await approved()
    await copyMany(id)
    const first = await due()
    assert.equal(first.includes(id), false)
    const second = await due(first)
    assert.ok(second.includes(id))
    assert.equal(first.length + second.length, MANY + 1)
  })

  it('are, of those that wait for people, the ones whose time is over or whose policy was replaced', async () => {
    const id = await asked()
    assert.deepEqual(await due(), [])
    await change(id, 'policy_version = policy_version - 1')
    assert.deepEqual(await due(), [id])
    await change(id, 'policy_version = policy_version + 1')
    world.clock.aheadMs += 8 * 86_400_000
    assert.deepEqual(await due(), [id])
    world.clock.aheadMs = 0
  })

  it('are, of those whose orders are all open, the ones whose orders have all ended, or that end themselves', async () => {
    const id = await approved()
    assert.deepEqual(await due(), [id])
    await advance(world.context, world.orgId as never, id)
    assert.equal((await ordersOf(id)).length, 1)
    assert.deepEqual(await due(), [])
    await change(id, "state = 'stopped'")
    assert.deepEqual(await due(), [id], 'its order can be taken back')
    for (const state of ['alarmed', 'pending']) {
      await owner.query('update transfer_order set state = $2 where batch_id = $1', [id, state])
      assert.deepEqual(await due(), [], `its order, which is ${state}, finds its end by itself`)
    }
    await change(id, "state = 'approved'")
    assert.deepEqual(await due(), [])
    world.clock.aheadMs += 8 * 86_400_000
    assert.deepEqual(await due(), [id], 'its time is over')
    world.clock.aheadMs = 0
    await owner.query("update transfer_order set state = 'completed', is_final = true where batch_id = $1", [id])
    assert.deepEqual(await due(), [id])
  })

  it('are of every organisation in turn, however many another has', async () => {
    const id = await approved()
    await copyMany(id, OTHER)
    const found = await dueBatches(world.context, [])
    assert.ok(found.slice(0, 2).some((each) => each.id === id))
    assert.ok(found.length < MANY, 'of one organisation it has not everything at once')
  })
})
