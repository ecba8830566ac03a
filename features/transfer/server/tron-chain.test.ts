import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { tronCodec } from '@holdfast/chain-tron/codec'
import { tronNode, type TronNode } from '@holdfast/chain-tron/node'
import { startTron, TRON_CHAIN as chain, type TronNetwork } from '@holdfast/devnet/tron'
import { auditAll } from '@holdfast/features/deposit/server'
import { assertConserved } from '@holdfast/ledger'
import { nodePorts } from '@holdfast/ports/node'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { judgeSlot } from './settlement/judge-slot.ts'
import { newestSigned } from './order/order-transactions.ts'
import { signOrder } from './signing/sign-order.ts'
import {
  type WithdrawalRequest,
  requestApproved,
  balanceOf,
  bytesOf,
  makeWallet,
  openWorld,
  orderOf,
  scan,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'

/* The pipeline in which a transaction is its own slot and ends by itself: on the emulated TRON network, with its real bytes. */

const TRX = 1_000_000n
const SHOP = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const VALID_MS = 20 * 60_000
const BLOCK_MS = 60_000
const FINALITY = 3

const folder = mkdtempSync(`${tmpdir()}/holdfast-tron-`)
let tron: TronNetwork
let honest: TronNode
let world: World
let wallet: Wallet
const money = () => balanceOf(world, wallet)
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)
const send = (orderId: string) => broadcastOrder(world.context, world.orgId, orderId)

async function mine(blocks: number): Promise<void> {
  await tron.mine(blocks)
  await scan(world)
}

const approvedOrder = (given: WithdrawalRequest = {}) => requestApproved(world, wallet, { to: SHOP, symbol: 'TRX', amount: '5', maxFee: '2', ...given })

const validUntil = (unsigned: Uint8Array | null) => world.network.codec.decode(unsigned!).validUntilMs!
const leases = () => world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('slot_lease').select('order_id').execute())

before(async () => {
  tron = await startTron(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: BLOCK_MS, mining: false, solidBlocks: FINALITY })
  const { contract, symbol, decimals } = tron.token
  const { fetch, timer } = nodePorts
  honest = tronNode({ chain, rpcUrl: tron.url, tokens: [contract], fetch, timer, validForMs: VALID_MS })
  const assets = [
    { chain, contract: null, symbol: 'TRX', decimals: 6 },
    { chain, contract, symbol, decimals },
  ]
  world = await openWorld({ network: { chain, name: 'TRON', family: 'tron', codec: tronCodec({ chain }), node: honest, assets, finalityBlocks: FINALITY } })
})
beforeEach(async () => {
  world.network.node = honest
  world.signers.resetScript()
  wallet = await makeWallet(world)
  await tron.pay(null, wallet.address, 100n * TRX)
  await tron.pay(tron.token.contract, wallet.address, 100n * TRX)
  await mine(FINALITY + 1)
  assert.deepEqual(await money(), { available: 100n * TRX, held: 0n })
})
afterEach(() => world.db.asSystem(assertConserved))
after(async () => {
  await world?.close()
  await tron?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a payment on TRON', () => {
  it('takes its slot from its bytes: equal orders do not wait for one another, each is paid once, and the fee is what the chain took', async () => {
    const ids = [await approvedOrder(), await approvedOrder()]
    for (const id of ids) assert.equal(await sign(id), 'signed')
    const [first, second] = await Promise.all(ids.map((id) => orderOf(world, id)))
    assert.notEqual(first!.row.slot, second!.row.slot)
    assert.equal(first!.row.slot, world.network.codec.decode(bytesOf(first!)).slot)
    assert.deepEqual(await leases(), [])
    const before = await honest.balance(SHOP, { chain, contract: null })
    for (const id of ids) await send(id)
    for (const id of ids) await send(id)
    await mine(FINALITY + 1)
    assert.equal((await honest.balance(SHOP, { chain, contract: null })) - before, 10n * TRX)
    let fees = 0n
    for (const id of ids) {
      const { state, row } = await orderOf(world, id)
      assert.equal(state, 'completed')
      fees += row.fee_paid!
    }
    assert.deepEqual(await money(), { available: 90n * TRX - fees, held: 0n })
    assert.equal((await money()).available, await honest.balance(wallet.address, { chain, contract: null }))
  })

  it('that no block took in its time is over by the word of a final block alone, and its funds are free', async () => {
    const id = await approvedOrder()
    world.network.node = { ...honest, broadcast: async () => ({ outcome: 'unknown', reason: 'no answer' }) }
    await sign(id)
    await send(id)
    const { unsigned_tx: unsigned, raw_tx: raw } = newestSigned(await orderOf(world, id))
    await mine(1)
    while (BigInt((await honest.readBlock((await honest.head()).height))!.timestampMs) < validUntil(unsigned)) await mine(1)
    assert.equal((await orderOf(world, id)).state, 'broadcasting', 'the block past its time is not final yet')
    assert.equal((await money()).held, 7n * TRX)
    await mine(FINALITY)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['dropped', 'bytes_expired'])
    assert.deepEqual(await money(), { available: 100n * TRX, held: 0n })
    assert.equal((await honest.broadcast(raw)).outcome, 'unknown')
    await mine(2)
    assert.equal(await honest.balance(wallet.address, { chain, contract: null }), 100n * TRX)
    const again = await approvedOrder()
    world.network.node = honest
    assert.equal(await sign(again), 'signed')
  })

  it('whose signers were away gets new bytes before the old ones end, for nobody can have signed them', async () => {
    const id = await approvedOrder()
    world.signers.setOnline(1)
    assert.equal(await sign(id), 'wait')
    const old = bytesOf(await orderOf(world, id))
    assert.equal(await sign(id), 'wait')
    assert.deepEqual(bytesOf(await orderOf(world, id)), old)
    const { clock } = world
    clock.aheadMs = Number(validUntil(old)) - nodePorts.clock.nowMs()
    await mine(VALID_MS / BLOCK_MS)
    world.signers.setOnline(1, 2, 3)
    assert.equal(await sign(id), 'signed')
    assert.ok(validUntil(bytesOf(await orderOf(world, id))) > validUntil(old))
    clock.aheadMs = 0
    await send(id)
    await mine(FINALITY + 1)
    assert.equal((await orderOf(world, id)).state, 'completed')
  })

  it('of which a signature may exist keeps its bytes, until the chain shows that their time has passed', async () => {
    const id = await approvedOrder()
    world.signers.afterSession = () => {
      throw new Error('the answer was lost')
    }
    assert.equal(await sign(id), 'wait')
    const old = bytesOf(await orderOf(world, id))
    world.clock.aheadMs = Number(validUntil(old)) - nodePorts.clock.nowMs()
    assert.equal(await sign(id), 'wait')
    assert.deepEqual(bytesOf(await orderOf(world, id)), old)
    world.clock.aheadMs = 0
    await mine(VALID_MS / BLOCK_MS + FINALITY + 2)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['dropped', 'bytes_expired'])
    assert.deepEqual(await money(), { available: 100n * TRX, held: 0n })
  })

  it('is not prepared with the bytes of another order, however its node answers', async () => {
    const ids = [await approvedOrder(), await approvedOrder()]
    const prepared = await honest.prepare({
      from: wallet.address,
      to: SHOP,
      asset: { chain, contract: null },
      amount: 5n * TRX,
      feeCap: 2n * TRX,
      slot: 0n,
      tier: 1,
    })
    world.network.node = { ...honest, prepare: async () => prepared }
    assert.equal(await sign(ids[0]!), 'signed')
    assert.equal(await sign(ids[1]!), 'wait')
    const { state, row } = await orderOf(world, ids[1]!)
    assert.deepEqual([state, row.sub_status], ['approved', 'build_failed'])
    world.network.node = honest
    assert.equal(await sign(ids[1]!), 'signed')
  })

  it('is judged again without harm after it is over', async () => {
    const id = await approvedOrder()
    await sign(id)
    await send(id)
    await mine(FINALITY + 1)
    const done = await orderOf(world, id)
    const height = (await honest.head()).height
    await judgeSlot(world.context, world.network, { height, sources: [honest] }, done)
    assert.equal((await orderOf(world, id)).row.version, done.row.version)
  })
})

describe('the ledger of TRON', () => {
  const alarms = () =>
    world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('asset_alarm').select(['cause', 'reason']).where('over_at', 'is', null).execute())
  const told = async () => (await auditAll(world.context)).filter((words) => words.includes(wallet.address))

  it('is compared with the chain at its head, since nodes give no past balances', async () => {
    assert.deepEqual(await told(), [])
    await tron.pay(null, wallet.address, 3n * TRX)
    await mine(1)
    assert.deepEqual(await told(), [], 'what has arrived and is not final is known')
    const robbed: TronNode = {
      ...honest,
      balance: async (address, asset, height) => (await honest.balance(address, asset, height)) - (asset.contract === null ? TRX : 0n),
    }
    world.network.node = robbed
    const [words] = await told()
    assert.match(words!, /^missing at .*the chain has 102 TRX, the books 103 TRX/)
    world.network.node = honest
    assert.deepEqual(await told(), [])
    assert.deepEqual(await alarms(), [])
  })

  it('is compared again if a block comes meanwhile, and nothing is reported if that goes on', async () => {
    let blocks = 1
    const busy: TronNode = {
      ...honest,
      balance: async (address, asset, height) => {
        if (blocks-- > 0) await mine(1)
        return (await honest.balance(address, asset, height)) - TRX
      },
    }
    world.network.node = busy
    assert.equal((await told()).length, 2, 'both coins, at the second try')
    world.network.node = honest
    await told()
    blocks = 1_000_000
    world.network.node = busy
    assert.deepEqual(await told(), [])
  })
})
