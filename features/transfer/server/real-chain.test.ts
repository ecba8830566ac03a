import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { auditAll, scanChain } from '@holdfast/features/deposit/server'
import type { ChainNode } from '@holdfast/chain-core'
import { evmNode } from '@holdfast/chain-evm/node'
import { toHex } from '@holdfast/encoding'
import { assertConserved } from '@holdfast/ledger'
import { childSecret, PROTOCOL } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { formatAmount } from '@holdfast/units'
import { createWalletClient, type Hex, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil as anvilChain } from 'viem/chains'
import { type Anvil, startAnvil } from '../../../packages/chains/evm/testing/anvil.ts'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { newestSigned } from './order/order-transactions.ts'
import { signOrder } from './signing/sign-order.ts'
import { speedUpInfo } from './replacement/speed-up.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import {
  approve,
  requestWithdrawal,
  balanceOf,
  ETH,
  makeWallet,
  openWorld,
  orderOf,
  replace,
  scan,
  STRANGER,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'

/* The pipeline on real networks: a real node must show what the scripted chain plays elsewhere. */

let world: World
let wallet: Wallet
let anvil: Anvil
let other: Anvil
let witness: ChainNode
const { fetch, timer } = nodePorts
const nodeAt = (rpcUrl: string, ask: typeof fetch = fetch) => evmNode({ chain: CHAIN, rpcUrl, tokens: [], fetch: ask, timer })
const money = () => balanceOf(world, wallet)

before(async () => {
  ;[anvil, other] = await Promise.all([startAnvil(), startAnvil()])
  world = await openWorld()
  world.network.assets = world.network.assets.filter((asset) => asset.contract === null)
  world.network.node = nodeAt(anvil.rpcUrl)
  witness = nodeAt(anvil.rpcUrl)
})
beforeEach(async () => {
  world.network.witnesses = []
  world.signers.resetScript()
  wallet = await makeWallet(world)
  await deposit(10n)
  await scan(world)
})
afterEach(() => world.db.asSystem(assertConserved))
after(async () => {
  await world?.close()
  await Promise.all([anvil?.stop(), other?.stop()])
})

async function deposit(coins: bigint): Promise<void> {
  const hash = await anvil.walletOf(0).sendTransaction({ to: wallet.address as Hex, value: coins * ETH })
  await anvil.network.waitForTransactionReceipt({ hash })
  await anvil.network.mine({ blocks: 3 })
}

/** Enough for every price this network has in a test. */
async function maxFee(): Promise<string> {
  const [, , fast] = await nodeAt(anvil.rpcUrl).estimateFee({ from: wallet.address, to: STRANGER, asset: { chain: CHAIN, contract: null }, amount: 1n })
  return formatAmount(fast.feeMax * 10n, 18)
}

async function signedOrder(amount = '1'): Promise<string> {
  const { id } = (await requestWithdrawal(world, wallet, { amount, maxFee: await maxFee(), expireHours: 1 })).order.row
  await approve(world, id, world.members[1], world.members[2])
  await signOrder(world.context, world.orgId, id)
  return id
}

/** The wallet's own key, as somebody has it who opened the recovery kit. */
async function recoveredKey() {
  const { path, key_id: keyId } = await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .selectFrom('address')
      .innerJoin('sub_wallet', 'sub_wallet.id', 'address.sub_wallet_id')
      .innerJoin('key_of_wallet', 'key_of_wallet.wallet_id', 'sub_wallet.wallet_id')
      .select(['address.path', 'key_of_wallet.key_id'])
      .where('address.address', '=', wallet.address)
      .executeTakeFirstOrThrow(),
  )
  const { secret, chainCode } = world.signers.keys.get(toHex(keyId))!
  const child = childSecret(PROTOCOL, secret, chainCode, path).toString(16).padStart(64, '0')
  return createWalletClient({ account: privateKeyToAccount(`0x${child}`), chain: anvilChain, transport: http(anvil.rpcUrl) })
}

async function halt(): Promise<string | undefined> {
  return (await world.db.asSystem((tx) => tx.selectFrom('chain_halt').select('reason').executeTakeFirst()))?.reason
}

async function alarms() {
  const all = await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('asset_alarm').selectAll().where('over_at', 'is', null).execute())
  return all.filter((each) => each.place === wallet.address || each.place === '').map(({ cause, reason }) => ({ cause, reason }))
}

describe('a place on a real chain', () => {
  it('that another transaction took ends the order when that one is final, and the next order goes on behind it', async () => {
    const id = await signedOrder()
    const thief = await recoveredKey()
    await anvil.network.waitForTransactionReceipt({ hash: await thief.sendTransaction({ to: thief.account.address, value: 0n }) })
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'broadcasting', 'it is not final yet')
    assert.ok((await money()).held > ETH)
    await anvil.network.mine({ blocks: 2 })
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['dropped', 'nonce_taken'])
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
    const next = await signedOrder('2')
    assert.equal((await orderOf(world, next)).row.slot, 1n)
    await broadcastOrder(world.context, world.orgId, next)
    await anvil.network.mine({ blocks: 3 })
    await scan(world)
    assert.equal((await orderOf(world, next)).state, 'completed')
    assert.deepEqual(await auditAll(world.context).then((told) => told.filter((each) => each.includes(wallet.address)).length), 1)
    assert.deepEqual(
      (await alarms()).map(({ cause }) => cause),
      ['missing'],
      'the fee of the other transaction is in no book',
    )
  })

  it('is never called taken because a node knows nothing of the transaction', async () => {
    const id = await signedOrder()
    await anvil.network.mine({ blocks: 30 })
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'broadcasting')
    await broadcastOrder(world.context, world.orgId, id)
    await anvil.network.mine({ blocks: 3 })
    const forgetful: typeof fetch = async (input, init) => {
      const { method } = JSON.parse(String(init!.body)) as { method: string }
      return method === 'eth_getTransactionByHash' ? new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result: null })) : fetch(input, init)
    }
    world.network.node = nodeAt(anvil.rpcUrl, forgetful)
    await scan(world)
    assert.notEqual((await orderOf(world, id)).state, 'dropped')
    world.network.node = nodeAt(anvil.rpcUrl)
    await anvil.network.mine({ blocks: 1 })
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
  })

  it('that our own bytes took, with a signature which nobody gave us, pays the order', async () => {
    let raw = new Uint8Array()
    world.signers.afterSession = (request) => {
      if (request.kind !== 'sign') return
      raw = new Uint8Array(world.signers.sign(request))
      throw new Error('the server died here')
    }
    const id = await signedOrder()
    assert.equal((await orderOf(world, id)).state, 'signing')
    await anvil.network.waitForTransactionReceipt({ hash: await anvil.network.sendRawTransaction({ serializedTransaction: `0x${toHex(raw)}` }) })
    await anvil.network.mine({ blocks: 3 })
    await scan(world)
    await anvil.network.mine({ blocks: 1 })
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.equal(state, 'completed')
    assert.deepEqual(await money(), { available: 9n * ETH - row.fee_paid!, held: 0n })
    await auditAll(world.context)
    assert.deepEqual(await alarms(), [])
  })
})

describe('a payment that waits in the pool of a real node', () => {
  beforeEach(() => anvil.network.setAutomine(false))
  afterEach(() => anvil.network.setAutomine(true))

  const sign = (id: string) => signOrder(world.context, world.orgId, id)
  const send = (id: string) => broadcastOrder(world.context, world.orgId, id)
  const onChain = (address: string) => anvil.network.getBalance({ address: address as Hex })
  const stateOf = (txid: string | null) => world.network.node.transaction(txid!).then(({ state }) => state)
  const infoOf = (id: string) => speedUpInfo(world.context, { orgId: world.orgId }, id)

  async function waitingOrder(): Promise<string> {
    const id = await signedOrder()
    assert.equal(await send(id), true)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'pending')
    return id
  }

  async function settled(): Promise<void> {
    await anvil.network.mine({ blocks: 3 })
    await scan(world)
  }

  /** The ledger has what the chain has, and nothing is missing or too much. */
  async function assertBooked(expected: bigint): Promise<void> {
    assert.deepEqual(await money(), { available: expected, held: 0n })
    assert.equal(await onChain(wallet.address), expected)
    await auditAll(world.context)
    assert.deepEqual(await alarms(), [])
  }

  it('is sped up within its cap, and again above it if people allow that: the node keeps the last of the three, and it is paid once', async () => {
    const given = await onChain(STRANGER)
    const id = await waitingOrder()
    const { can, method, cap, tiers } = await infoOf(id)
    assert.deepEqual([can, method, tiers.map((each) => each.needs_approval)], [true, 'nonce', [false, false, false]])
    assert.equal((await replace(world, id, { maxFee: cap })).needsApproval, false)
    assert.equal(await sign(id), 'signed')
    assert.equal(await send(id), true)
    const { order: raised, needsApproval } = await replace(world, id, { maxFee: '0.05' })
    assert.equal(needsApproval, true)
    assert.equal(await sign(raised.row.id), 'ended', 'nobody has approved it')
    await approve(world, raised.row.id, world.members[1], world.members[2])
    assert.equal(await sign(raised.row.id), 'signed')
    assert.equal(await send(id), true)
    const { row, transactions } = await orderOf(world, id)
    assert.deepEqual(await Promise.all(transactions.map(({ txid }) => stateOf(txid))), ['unknown', 'unknown', 'pending'])
    await settled()
    const { state, row: paid } = await orderOf(world, id)
    assert.deepEqual([state, (await orderOf(world, raised.row.id)).state, paid.txid], ['completed', 'completed', row.txid])
    assert.equal(await onChain(STRANGER), given + ETH)
    await assertBooked(9n * ETH - paid.fee_paid!)
  })

  it('is paid by its first transaction if the second one comes too late', async () => {
    const id = await waitingOrder()
    const first = (await orderOf(world, id)).row.txid
    await replace(world, id, { maxFee: (await infoOf(id)).cap })
    assert.equal(await sign(id), 'signed')
    await anvil.network.mine({ blocks: 1 })
    assert.equal(await send(id), false)
    await settled()
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.txid], ['completed', first])
    await assertBooked(9n * ETH - row.fee_paid!)
  })

  it('is cancelled by an order of its own: only the fee is spent, both orders end, and the next payment goes on behind it', async () => {
    const given = await onChain(STRANGER)
    const id = await waitingOrder()
    const { order: cancel, needsApproval } = await replace(world, id, { cancel: true, maxFee: await maxFee() })
    assert.equal(needsApproval, true)
    await approve(world, cancel.row.id, world.members[1], world.members[2])
    assert.equal(await sign(cancel.row.id), 'signed')
    assert.equal(await send(id), true)
    assert.equal(newestSigned(await orderOf(world, id)).purpose, 'cancel')
    await settled()
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status, (await orderOf(world, cancel.row.id)).state], ['replaced', 'cancelled_on_chain', 'completed'])
    assert.equal(await onChain(STRANGER), given)
    await assertBooked(10n * ETH - row.fee_paid!)
    const next = await signedOrder('2')
    assert.equal((await orderOf(world, next)).row.slot, 1n)
    await send(next)
    await settled()
    assert.equal((await orderOf(world, next)).state, 'completed')
  })
})

describe('two sources of a chain', () => {
  it('that agree settle deposits and payments as one does', async () => {
    world.network.witnesses = [witness]
    await deposit(5n)
    await scan(world)
    assert.equal((await money()).available, 15n * ETH)
    const id = await signedOrder()
    await broadcastOrder(world.context, world.orgId, id)
    await anvil.network.mine({ blocks: 3 })
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.equal(await halt(), undefined)
  })

  it('that are on different chains halt crediting, settling and signing, visibly, until they agree', async () => {
    const id = await signedOrder()
    await broadcastOrder(world.context, world.orgId, id)
    const held = await money()
    const { height } = await world.network.node.head()
    await other.network.mine({ blocks: Number(height) + 10 })
    world.network.witnesses = [nodeAt(other.rpcUrl)]
    await deposit(5n)
    const told: string[] = []
    for (let i = 0; i < 3; i++)
      while (await scanChain(world.context, world.network, {}, (cause) => told.push(String(cause)))) {
        /* goes on */
      }
    assert.deepEqual(await money(), held)
    assert.equal((await orderOf(world, id)).state, 'confirming')
    assert.match((await halt())!, /at height \d+ source 2 has block 0x/)
    assert.equal(told.length, 1, 'it is told once')
    await assert.rejects(requestWithdrawal(world, wallet, { maxFee: await maxFee() }), { code: '110227' })
    world.network.witnesses = [witness]
    await scan(world)
    assert.equal(await halt(), undefined)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.equal((await money()).available, held.available + held.held + 5n * ETH - ETH - (await orderOf(world, id)).row.fee_paid!)
  })

  it('of which one is silent or behind credit nothing, and say so', async () => {
    world.network.witnesses = [nodeAt('http://127.0.0.1:9')]
    await deposit(5n)
    await scan(world)
    assert.equal((await money()).available, 10n * ETH)
    assert.match((await halt())!, /1 of 2 sources confirm/)
    world.network.witnesses = [witness]
    await scan(world)
    assert.equal((await money()).available, 15n * ETH)
  })

  it('of which one misreports a block credit nothing, although both name the same block', async () => {
    const inflating: typeof fetch = async (...given) => {
      const answer = await (await fetch(...given)).json()
      for (const each of answer.result?.transactions ?? []) if (each.to === wallet.address.toLowerCase()) each.value = `0x${parseEther('50').toString(16)}`
      return new Response(JSON.stringify(answer))
    }
    world.network.node = nodeAt(anvil.rpcUrl, inflating)
    world.network.witnesses = [witness]
    await deposit(5n)
    await assert.rejects(scan(world), /not those that its hash covers/)
    assert.equal((await money()).available, 10n * ETH)
    world.network.node = nodeAt(anvil.rpcUrl)
    await scan(world)
    assert.equal((await money()).available, 15n * ETH)
  })
})
