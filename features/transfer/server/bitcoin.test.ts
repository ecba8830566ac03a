import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-bitcoin/codec'
import { type BitcoinNode, bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { recipient as STRANGER } from '@holdfast/chain-bitcoin/testing'
import type { UnspentCoin } from '@holdfast/chain-core'
import { type BitcoinDevnet, startBitcoinEmulator } from '@holdfast/devnet/bitcoin'
import { auditAll, scanChain } from '@holdfast/features/deposit/server'
import type { Network } from '@holdfast/features/network/server'
import { assertConserved, balances } from '@holdfast/ledger'
import { FROST_TAPROOT, PROTOCOL } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { broadcastOrder } from './broadcast-order.ts'
import { recordedCoins } from './recorded-coins.ts'
import { signOrder } from './sign-order.ts'
import { approve, ask, bytesOf, makeWallet, openWorld, orderOf, type Wallet, type World } from './testing/test-world.ts'

/* A chain of coins in the pipeline: what it asks for that a chain of accounts does not. */

const FINALITY = 2
let bitcoin: BitcoinDevnet
let network: Network & { node: BitcoinNode }
/** A node that looks through all the coins there are. */
let looking: BitcoinNode
let world: World
let wallet: Wallet

before(async () => {
  bitcoin = await startBitcoinEmulator(nodePorts, { rpcPort: 0 })
  const { chain, rpcUrl } = bitcoin
  const { fetch, timer } = nodePorts
  const assets = [{ chain, contract: null, symbol: 'BTC', decimals: 8 }]
  const common = { chain, name: 'Bitcoin emulator', family: 'bitcoin' as const, assets, finalityBlocks: FINALITY, local: true, faucetUrl: null }
  const codec = codecFor(chain)!
  // As the server does it: the node is asked for the coins that the books know.
  const coinsOf = (address: string) => recordedCoins(world.db, codec, chain, address)
  network = { ...common, codec, node: bitcoinNode({ chain, rpcUrl, fetch, timer, coinsOf }) }
  looking = bitcoinNode({ chain, rpcUrl, fetch, timer })
  world = await openWorld({ network })
})
afterEach(async () => {
  await world.db.asSystem(assertConserved)
  const byOutpoint = (coins: UnspentCoin[]) => coins.toSorted((a, b) => (a.outpoint < b.outpoint ? -1 : 1))
  assert.deepEqual(byOutpoint(await network.node.unspent!(wallet.address)), byOutpoint(await looking.unspent!(wallet.address)))
})
after(async () => {
  await world?.close()
  await bitcoin?.stop()
})

async function scan(): Promise<void> {
  while (await scanChain(world.context, network)) {
    /* goes on */
  }
}

async function mine(blocks: number): Promise<void> {
  await bitcoin.mine(blocks)
  await scan()
}

async function deposit(...amounts: bigint[]): Promise<void> {
  for (const amount of amounts) await bitcoin.fund(wallet.address, amount)
  await mine(FINALITY)
}

async function money(): Promise<{ available: bigint; held: bigint }> {
  const all = await world.db.asOrganisation(world.orgId, (tx) => balances(tx, wallet.subWalletId))
  const { available, held } = all.find(({ asset }) => asset.chain === network.chain) ?? { available: 0n, held: 0n }
  return { available, held }
}

async function approvedOrder(amount: string, maxFee = '0.0001'): Promise<string> {
  const { id } = (await ask(world, wallet, { symbol: 'BTC', to: STRANGER, amount, maxFee })).order.row
  await approve(world, id, world.members[1], world.members[2])
  return id
}

const sign = (id: string) => signOrder(world.context, world.orgId, id)
const send = (id: string) => broadcastOrder(world.context, world.orgId, id)
const coinsOf = async (id: string) => network.codec.decode(bytesOf(await orderOf(world, id))).inputs!.map(({ outpoint }) => outpoint)

for (const [name, protocol, prefix] of [
  ['P2WPKH', PROTOCOL, 'bcrt1q'],
  ['P2TR', FROST_TAPROOT, 'bcrt1p'],
] as const) {
  describe(`a wallet on Bitcoin (${name})`, () => {
    beforeEach(async () => {
      world.signers.behave()
      wallet = await makeWallet(world, `Bitcoin ${name}`, { protocol })
      await scan()
    })

    it('is paid, pays with several coins signed one by one, and its books are those of the chain', async () => {
      assert.ok(wallet.address.startsWith(prefix), wallet.address)
      await deposit(60_000n, 50_000n, 40_000n)
      assert.deepEqual(await money(), { available: 150_000n, held: 0n })
      const id = await approvedOrder('0.0012')
      assert.equal(await sign(id), 'signed')
      assert.equal((await coinsOf(id)).length, 3)
      assert.equal(await send(id), true)
      await mine(1)
      assert.equal((await orderOf(world, id)).state, 'confirming')
      await mine(FINALITY)
      const { state, row } = await orderOf(world, id)
      assert.equal(state, 'completed')
      assert.equal(row.fee_paid, network.codec.decode(bytesOf(await orderOf(world, id))).feeMax)
      assert.deepEqual(await money(), { available: 30_000n - row.fee_paid!, held: 0n })
      assert.equal(await network.node.balance(wallet.address, { chain: network.chain, contract: null }), (await money()).available)
      assert.deepEqual(await auditAll(world.context), [])
    })

    it('gives no coin to two orders, spends no coin of a block that is not final, and frees what an order held when that ends', async () => {
      await deposit(100_000n, 90_000n)
      const [first, second] = [await approvedOrder('0.0005'), await approvedOrder('0.0005')]
      world.signers.online = new Set([1])
      assert.deepEqual([await sign(first), await sign(second)], ['wait', 'wait'])
      const [a, b] = [await coinsOf(first), await coinsOf(second)]
      assert.deepEqual([a.length, b.length], [1, 1])
      assert.notEqual(a[0], b[0])
      assert.notEqual((await orderOf(world, first)).row.slot, (await orderOf(world, second)).row.slot)

      // A third has no coin left, although the books have the money; a deposit that is not final yet is none either.
      await bitcoin.fund(wallet.address, 80_000n)
      const third = await approvedOrder('0.0004')
      assert.equal(await sign(third), 'wait')
      const { state, row } = await orderOf(world, third)
      assert.deepEqual([state, row.sub_status], ['approved', 'build_failed'])
      await mine(FINALITY)
      assert.equal(await sign(third), 'wait')
      assert.equal((await orderOf(world, third)).state, 'signing')

      world.signers.online = new Set([1, 2, 3])
      for (const id of [first, second, third]) assert.equal(await sign(id), 'signed')
      for (const id of [first, second, third]) assert.equal(await send(id), true)
      await mine(FINALITY + 1)
      for (const id of [first, second, third]) assert.equal((await orderOf(world, id)).state, 'completed')
    })

    it('spends its own change before it is final, since nobody else can take back what made it', async () => {
      await deposit(100_000n)
      const first = await approvedOrder('0.0002')
      await sign(first)
      await send(first)
      await mine(1)
      const second = await approvedOrder('0.0002')
      assert.equal(await sign(second), 'signed')
      assert.deepEqual(await coinsOf(second).then((coins) => coins.map((coin) => coin.split(':')[0])), [(await orderOf(world, first)).row.txid])
      await send(second)
      await mine(FINALITY + 1)
      for (const id of [first, second]) assert.equal((await orderOf(world, id)).state, 'completed')
      const fees = (await Promise.all([first, second].map(async (id) => (await orderOf(world, id)).row.fee_paid!))).reduce((sum, fee) => sum + fee, 0n)
      assert.deepEqual(await money(), { available: 60_000n - fees, held: 0n })
    })
  })
}
