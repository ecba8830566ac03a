import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { ChainNode } from '@holdfast/chain-core'
import { tonCodec } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import { startTon, TON_CHAIN as chain, type TonNetwork } from '@holdfast/devnet/ton'
import { auditAll } from '@holdfast/features/deposit/server'
import { publicKeyOf } from '@holdfast/features/wallet/server'
import { assertConserved } from '@holdfast/ledger'
import { FROST_ED25519 } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { broadcastOrder } from './broadcast-order.ts'
import { newestSigned } from './order-transactions.ts'
import { signOrder } from './sign-order.ts'
import { type Ask, approve, ask, balanceOf, bytesOf, makeWallet, openWorld, orderOf, scan, type Wallet, type World } from './testing/test-world.ts'

/* The pipeline where slots are counted by a wallet contract and bytes end by themselves: on the emulated TON network, with its real bytes. */

const TON = 1_000_000_000n
const SHOP = tonCodec({ chain }).addressFromKey(new Uint8Array(32).fill(3))
const VALID_MS = 10 * 60_000
const BLOCK_MS = 60_000
const FINALITY = 3
const COIN = { chain, contract: null }

const folder = mkdtempSync(`${tmpdir()}/holdfast-ton-`)
let ton: TonNetwork
let honest: ChainNode
let world: World
let wallet: Wallet
const money = () => balanceOf(world, wallet)
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)
const send = (orderId: string) => broadcastOrder(world.context, world.orgId, orderId)
const onChain = (contract: string | null = null) => honest.balance(wallet.address, { chain, contract })

async function mine(blocks: number): Promise<void> {
  await ton.mine(blocks)
  await scan(world)
}

async function approvedOrder(given: Ask = {}): Promise<string> {
  const { order } = await ask(world, wallet, { to: SHOP, symbol: 'TON', amount: '2', maxFee: '0.1', ...given })
  await approve(world, order.row.id, world.members[1], world.members[2])
  return order.row.id
}

async function paid(given: Ask = {}) {
  const id = await approvedOrder(given)
  assert.equal(await sign(id), 'signed')
  await send(id)
  await mine(FINALITY + 1)
  return orderOf(world, id)
}

const validUntil = (unsigned: Uint8Array | null) => world.network.codec.decode(unsigned!).validUntilMs!
const headMs = async () => BigInt((await honest.readBlock((await honest.head()).height))!.timestampMs)
const leases = () =>
  world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('slot_lease').select(['slot', 'state']).where('address', '=', wallet.address).execute())
const told = async () => (await auditAll(world.context)).filter((words) => words.includes(wallet.address))

before(async () => {
  ton = await startTon(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: BLOCK_MS, mining: false })
  const { contract, symbol, decimals } = ton.token
  const { fetch, timer } = nodePorts
  const keyOf = async (address: string) => publicKeyOf(world.db, chain, address)
  honest = tonNode({ chain, rpcUrl: ton.url, tokens: [contract], fetch, timer, publicKeyOf: keyOf, validForMs: VALID_MS })
  const assets = [
    { ...COIN, symbol: 'TON', decimals: 9 },
    { chain, contract, symbol, decimals },
  ]
  world = await openWorld({
    network: { chain, name: 'TON', family: 'ton', codec: tonCodec({ chain }), node: honest, assets, collections: [], finalityBlocks: FINALITY },
  })
})
beforeEach(async () => {
  world.network.node = honest
  world.signers.behave()
  world.clock.aheadMs = 0
  wallet = await makeWallet(world, 'Treasury', { protocol: FROST_ED25519 })
  await ton.pay(null, wallet.address, 10n * TON, 'für Zoë\0')
  await mine(FINALITY + 1)
  assert.deepEqual(await money(), { available: 10n * TON, held: 0n })
})
afterEach(() => world.db.asSystem(assertConserved))
after(async () => {
  await world?.close()
  await ton?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a payment on TON', () => {
  it('makes the wallet with its first order, carries its comment, and the books are what the chain says to the last nanoton', async () => {
    const [deposit] = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('deposit').select('memo').where('address', '=', wallet.address).execute(),
    )
    assert.equal(deposit!.memo, 'für Zoë\ufffd')
    const { state, row } = await paid({ memo: '10042' })
    assert.deepEqual([state, row.memo, row.slot], ['completed', '10042', 0n])
    const block = await honest.readBlock(row.block_height!)
    assert.equal(block!.transfers.find((each) => each.txid === row.txid)!.memo, '10042')
    assert.equal((await money()).available, await onChain())
    // A wallet that runs pays for taking in what it is sent.
    await ton.pay(null, wallet.address, 3n * TON)
    await ton.pay(ton.token.contract, wallet.address, 5_000_000n)
    await mine(1)
    assert.deepEqual(await told(), [], 'what is not booked yet is known')
    await mine(FINALITY + 1)
    assert.ok((await money()).available < 11n * TON - row.fee_paid!)
    assert.deepEqual(await told(), [])
    const { state: ofJetton } = await paid({ symbol: 'USDJ', amount: '2.5', maxFee: '0.2', memo: 'invoice 7' })
    assert.equal(ofJetton, 'completed')
    assert.equal(await onChain(ton.token.contract), 2_500_000n)
    const left = (await onChain()) - (await money()).available
    // A notification brings the nanoton that it is sent with.
    assert.ok(left >= 0n && left <= 2n, String(left))
    assert.deepEqual(await told(), [])
  })

  it('whose bytes no block took in is over by the word of a final block, and the next order has its seqno and is paid once', async () => {
    const id = await approvedOrder()
    world.network.node = { ...honest, broadcast: async () => ({ outcome: 'unknown', reason: 'no answer' }) }
    assert.equal(await sign(id), 'signed')
    await send(id)
    const { unsigned_tx: unsigned, raw_tx: raw } = newestSigned(await orderOf(world, id))
    while ((await headMs()) < validUntil(unsigned)) await mine(1)
    assert.equal((await orderOf(world, id)).state, 'broadcasting', 'the block past its time is not final yet')
    assert.deepEqual(await leases(), [{ slot: 0n, state: 'used' }])
    await mine(FINALITY)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['dropped', 'bytes_expired'])
    assert.deepEqual(await money(), { available: 10n * TON, held: 0n })
    assert.deepEqual(await leases(), [{ slot: 0n, state: 'released' }])
    world.network.node = honest
    const before = await honest.balance(SHOP, COIN)
    const next = await paid()
    assert.deepEqual([next.state, next.row.slot], ['completed', 0n])
    assert.equal((await honest.broadcast(raw)).outcome, 'unknown')
    await mine(2)
    const gained = (await honest.balance(SHOP, COIN)) - before
    assert.ok(gained <= 2n * TON && gained > 2n * TON - 1_000n, `${gained}: once, but for what its account pays for its storage`)
  })

  it('of which a signature may exist keeps bytes and seqno until their time has passed; then others have the seqno', async () => {
    const id = await approvedOrder()
    world.signers.afterSession = () => {
      throw new Error('the answer was lost')
    }
    assert.equal(await sign(id), 'wait')
    const old = bytesOf(await orderOf(world, id))
    const waiting = await approvedOrder()
    assert.equal(await sign(waiting), 'queued')
    await mine(VALID_MS / BLOCK_MS + FINALITY + 2)
    const over = await orderOf(world, id)
    assert.deepEqual([over.state, over.row.sub_status, bytesOf(over)], ['dropped', 'bytes_expired', old])
    world.signers.behave()
    assert.equal(await sign(waiting), 'signed')
    await send(waiting)
    await mine(FINALITY + 1)
    const done = await orderOf(world, waiting)
    assert.deepEqual([done.state, done.row.slot], ['completed', 0n])
  })

  it('whose signers were away gets new bytes under the same seqno before the old ones end', async () => {
    const id = await approvedOrder()
    world.signers.setOnline(1)
    assert.equal(await sign(id), 'wait')
    const old = bytesOf(await orderOf(world, id))
    world.clock.aheadMs = Number(validUntil(old)) - nodePorts.clock.nowMs()
    await mine(VALID_MS / BLOCK_MS)
    world.signers.setOnline(1, 2, 3)
    assert.equal(await sign(id), 'signed')
    const again = await orderOf(world, id)
    assert.ok(validUntil(bytesOf(again)) > validUntil(old))
    assert.equal(again.row.slot, 0n)
    await send(id)
    await mine(FINALITY + 1)
    assert.equal((await orderOf(world, id)).state, 'completed')
  })

  it('with a comment that the network cannot carry is refused, and none is left out', async () => {
    await assert.rejects(ask(world, wallet, { to: SHOP, symbol: 'TON', amount: '1', maxFee: '0.1', memo: 'é'.repeat(61) }), /memo/)
  })
})
