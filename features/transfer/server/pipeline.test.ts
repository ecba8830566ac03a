import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import { assertConserved } from '@holdfast/ledger'
import { verifyEvidence } from '@holdfast/protocol'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { leaseSlot } from './slot/lease-slot.ts'
import { newestSigned } from './order/order-transactions.ts'
import { startTransfers } from './run-transfers.ts'
import { signOrder } from './signing/sign-order.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { REAL_FEE, TOKEN } from '../../testing/scripted-chain.ts'
import {
  approve,
  requestWithdrawal,
  type WithdrawalRequest,
  requestApproved,
  balanceOf,
  resetScript,
  ETH,
  FEE_CAP,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  reaches,
  approveAs,
  scan,
  approvalOf,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'

let world: World
let wallet: Wallet
const money = () => balanceOf(world, wallet)
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)
const send = (orderId: string) => broadcastOrder(world.context, world.orgId, orderId)

const approvedOrder = (given?: WithdrawalRequest) => requestApproved(world, wallet, given)

async function statesOf(orderId: string): Promise<string[]> {
  const events = await world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('transfer_event').select(['state', 'sub_status']).where('order_id', '=', orderId).orderBy('seq').execute(),
  )
  return events.map((each) => `${each.state} ${each.sub_status}`)
}

before(async () => {
  world = await openWorld()
})
// Each test has a wallet of its own, and a chain and signers that behave.
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

describe('a payment', () => {
  it('goes from the request to finality, and the ledger says what the chain says', async () => {
    const { order } = await requestWithdrawal(world, wallet, { amount: '2.5' })
    const { id } = order.row
    assert.deepEqual(await money(), { available: 10n * ETH - (25n * ETH) / 10n - FEE_CAP, held: (25n * ETH) / 10n + FEE_CAP })
    assert.deepEqual(await approveAs(world, await approvalOf(world, id, world.members[1])), { state: 'approving', missing: 1 })
    assert.deepEqual(await approveAs(world, await approvalOf(world, id, world.members[2])), { state: 'approved', missing: 0 })
    assert.equal(await sign(id), 'signed')
    assert.equal((await orderOf(world, id)).state, 'broadcasting')
    assert.deepEqual(world.chain.broadcasts, [])
    assert.equal(await send(id), true)
    world.chain.mine()
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'confirming')
    world.chain.mine(2)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.equal(state, 'completed')
    assert.equal(row.fee_paid, REAL_FEE)
    assert.deepEqual(await money(), { available: (75n * ETH) / 10n - REAL_FEE, held: 0n })
    assert.deepEqual(await statesOf(id), [
      'approving approving',
      'approved waiting_co_signer',
      'signing signing',
      'broadcasting broadcasting',
      'pending mempool',
      'confirming confirming',
      'completed ok',
    ])
  })

  it('leaves a bundle that anybody can verify offline', async () => {
    const id = await approvedOrder({ remark: 'rent of March' })
    await sign(id)
    const report = verifyEvidence(await evidenceOf(world, id), { codecFor })
    assert.equal(report.txid, (await orderOf(world, id)).row.txid)
    assert.deepEqual(report.approvedBy.sort(), ['Ben', 'Cleo'])
    assert.equal(report.initiator, 'Ann')
    assert.deepEqual(report.witnesses.length, 3)
  })

  it('of a token moves the token, and pays its fee in the coin', async () => {
    await fund(world, wallet, 500_000_000n, TOKEN)
    const id = await approvedOrder({ symbol: 'USDC', amount: '123.456789' })
    await sign(id)
    await send(id)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await balanceOf(world, wallet, TOKEN), { available: 376_543_211n, held: 0n })
    assert.deepEqual(await money(), { available: 10n * ETH - REAL_FEE, held: 0n })
  })

  it('that the chain runs without effect costs its fee and nothing else', async () => {
    world.chain.failing = true
    const id = await approvedOrder()
    await sign(id)
    await send(id)
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['failed', 'reverted'])
    assert.deepEqual(await money(), { available: 10n * ETH - REAL_FEE, held: 0n })
  })

  it('of a token that reports success and moves nothing is no payment', async () => {
    await fund(world, wallet, 500_000_000n, TOKEN)
    world.chain.lyingToken = true
    const id = await approvedOrder({ symbol: 'USDC', amount: '100' })
    await sign(id)
    await send(id)
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['failed', 'no_effect'])
    assert.deepEqual(await balanceOf(world, wallet, TOKEN), { available: 500_000_000n, held: 0n })
  })

  it('of a token that keeps a part of each transfer is paid and says so: what left is not there to be paid again', async () => {
    await fund(world, wallet, 500_000_000n, TOKEN)
    world.chain.tokenFee = 1_000_000n
    const id = await approvedOrder({ symbol: 'USDC', amount: '100' })
    await sign(id)
    await send(id)
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['completed', 'other_amount'])
    assert.deepEqual(await balanceOf(world, wallet, TOKEN), { available: 400_000_000n, held: 0n })
    assert.equal(await world.chain.node.balance(wallet.address, { chain: world.network.chain, contract: TOKEN }), 400_000_000n)
  })
})

describe('an answer that gets lost', () => {
  it('means nothing: the same bytes are sent until the chain has them, and no others', async () => {
    world.chain.broadcastMode = 'lose'
    const id = await approvedOrder()
    await sign(id)
    for (let i = 0; i < 4; i++) assert.equal(await send(id), false)
    assert.deepEqual([(await orderOf(world, id)).state, (await orderOf(world, id)).row.sub_status], ['broadcasting', 'broadcast_unknown'])
    world.chain.broadcastMode = 'accept'
    assert.equal(await send(id), true)
    assert.equal(new Set(world.chain.broadcasts).size, 1)
    assert.equal(world.chain.broadcasts.length, 5)
  })

  it('after the network accepted it does not pay twice', async () => {
    world.chain.broadcastMode = 'silent'
    const id = await approvedOrder()
    await sign(id)
    for (let i = 0; i < 3; i++) await send(id)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await money(), { available: 9n * ETH - REAL_FEE, held: 0n })
    assert.equal(world.chain.blocks.flatMap((block) => block.sent).filter((each) => each.from === wallet.address).length, 1)
  })

  it('of a session is followed by another one over the same bytes', async () => {
    let failures = 2
    world.signers.afterSession = () => {
      if (failures-- > 0) throw new Error('the server died here')
    }
    const id = await approvedOrder()
    assert.equal(await sign(id), 'signed')
    const asked = world.signers.requests.filter((each) => each.kind === 'sign')
    assert.equal(asked.length, 3)
    assert.equal(new Set(asked.map((each) => toHex(each.unsigned))).size, 1)
    assert.deepEqual(
      asked.map((each) => each.parties),
      [
        [1n, 2n],
        [1n, 3n],
        [2n, 3n],
      ],
    )
  })

  it('of the pool is noticed, and the same bytes go out again', async () => {
    const id = await approvedOrder()
    await sign(id)
    await send(id)
    world.chain.dropPool()
    world.chain.mine()
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'broadcasting')
    await send(id)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.equal(new Set(world.chain.broadcasts).size, 1)
  })
})

describe('a reorganisation', () => {
  it('reverses a settlement and pays again in its new block', async () => {
    const id = await approvedOrder()
    await sign(id)
    await send(id)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    world.chain.reorganise(4)
    world.chain.dropPool()
    world.chain.mine(5)
    await scan(world)
    const reopened = await orderOf(world, id)
    assert.deepEqual([reopened.state, reopened.row.sub_status, reopened.row.block_height], ['broadcasting', 'reorg_recheck', null])
    assert.deepEqual(await money(), { available: 9n * ETH - FEE_CAP, held: ETH + FEE_CAP })
    await send(id)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await money(), { available: 9n * ETH - REAL_FEE, held: 0n })
    assert.equal(new Set(world.chain.broadcasts).size, 1)
  })

  it('reverses the fee of a failed payment, and pays if it then succeeds', async () => {
    world.chain.failing = true
    const id = await approvedOrder()
    await sign(id)
    await send(id)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'failed')
    world.chain.failing = false
    world.chain.reorganise(3)
    world.chain.mine(4)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await money(), { available: 9n * ETH - REAL_FEE, held: 0n })
  })
})

describe('the driver', () => {
  it("pays what is approved by itself, and waits for nobody's timer between the last approval and the network", async () => {
    const driver = startTransfers(world.context)
    const { order } = await requestWithdrawal(world, wallet)
    await approve(world, order.row.id, world.members[1])
    await approveAs(world, await approvalOf(world, order.row.id, world.members[2]))
    await reaches(world, order.row.id, 'pending')
    await driver.stop()
    const { raw_tx: raw } = newestSigned(await orderOf(world, order.row.id))
    assert.equal(world.chain.broadcasts.filter((each) => each === toHex(raw)).length, 1)
  })

  it('goes on with many orders of one address in the order of their slots', async () => {
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(await approvedOrder({ amount: '0.1' }))
    const driver = startTransfers(world.context)
    for (const id of ids) await reaches(world, id, 'pending')
    await driver.stop()
    world.chain.mine(3)
    await scan(world)
    const orders = await Promise.all(ids.map((id) => orderOf(world, id)))
    assert.ok(orders.every((each) => each.state === 'completed'))
    assert.deepEqual(
      orders.map((each) => each.row.slot),
      ids.map((_, i) => BigInt(i)),
    )
    assert.deepEqual(await money(), { available: 7n * ETH - 30n * REAL_FEE, held: 0n })
  })

  it('goes on where a program died with the slot leased to a later order of the address: that one goes first, then the older ones', async () => {
    const older = await approvedOrder({ amount: '0.1' })
    const holder = await approvedOrder({ amount: '0.1' })
    const { row } = await orderOf(world, holder)
    await world.db.asOrganisation(world.orgId, (tx) => leaseSlot(tx, row, 0n, world.context.ports.clock.nowMs()))
    const driver = startTransfers(world.context)
    for (const id of [holder, older]) await reaches(world, id, 'pending')
    await driver.stop()
    const slots = await Promise.all([holder, older].map(async (id) => (await orderOf(world, id)).row.slot))
    assert.deepEqual(slots, [0n, 1n])
  })

  it('goes on as soon as signers come back', async () => {
    world.signers.setOnline()
    const driver = startTransfers(world.context)
    const id = await approvedOrder()
    await reaches(world, id, 'signing')
    world.signers.away = 2
    world.signers.setOnline(1, 3)
    await reaches(world, id, 'pending')
    world.signers.away = null
    await driver.stop()
  })
})
