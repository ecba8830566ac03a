import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, afterEach, before, describe, it } from 'node:test'
import { tronCodec } from '@holdfast/chain-tron/codec'
import { tronNode, type TronNode } from '@holdfast/chain-tron/node'
import { AppError, type InputOf } from '@holdfast/contract'
import { startTron, TRON_CHAIN as chain, type TronNetwork } from '@holdfast/devnet/tron'
import { toHex } from '@holdfast/encoding'
import { auditAll } from '@holdfast/features/deposit/server'
import { assertConserved, balances } from '@holdfast/ledger'
import type { StakeRule } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { uuidToBytes } from '@holdfast/units'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { depositAddress } from '../../deposit-address/server/deposit-address.ts'
import { checkAddress } from '../../withdrawal/server/check-address.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { requestWithdrawal, approve, makeWallet, openWorld, orderOf, scan, type Wallet, type World } from '../../testing/test-world.ts'
import type { createStakeOrder as endpoint } from '../contract.ts'
import { checkStakeOrder, createStakeOrder } from './create-stake-order.ts'
import { callerOf } from '../../testing/request-key.ts'

/* Orders about stake on the emulated network, with their real bytes: the books keep what is staked, the chain decides what came of an order. */

const TRX = 1_000_000n
const BLOCK_MS = 60_000
const FINALITY = 2
/** Blocks after which a stake that was ended is free on the emulated network. */
const WAIT_BLOCKS = 6

const folder = mkdtempSync(`${tmpdir()}/holdfast-stake-`)
let tron: TronNetwork
let honest: TronNode
let world: World
let treasury: Wallet
let shop: Wallet

type Asked = Partial<InputOf<typeof endpoint>> & Pick<InputOf<typeof endpoint>, 'action'>
const caller = () => ({ orgId: world.orgId, personId: world.members[0].id, language: 'en_US' as const })
const inputOf = (wallet: Wallet, asked: Asked) => ({
  request_id: `request-${toHex(world.context.ports.random.bytes(8))}`,
  sub_wallet_id: wallet.subWalletId,
  chain,
  amount: '0',
  receiver: '',
  lock_blocks: 0,
  max_fee: '1',
  remark: '',
  expire_hours: 1,
  ...asked,
})

async function mine(blocks: number): Promise<void> {
  await tron.mine(blocks)
  await scan(world)
}

const propose = (input: ReturnType<typeof inputOf>) => createStakeOrder(world.context, callerOf(world.orgId, world.members[0].id, input), input)

/** Has an order approved, signed, sent and read until it is final; the fee it cost. */
async function carryOut(id: string): Promise<bigint> {
  await approve(world, id, world.members[1], world.members[2])
  assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
  await broadcastOrder(world.context, world.orgId, id)
  await mine(FINALITY + 1)
  const { row, state } = await orderOf(world, id)
  assert.equal(state, 'completed', row.sub_status ?? '')
  return row.fee_paid!
}

const order = async (wallet: Wallet, asked: Asked) => carryOut((await propose(inputOf(wallet, asked))).order.row.id)
const booked = async (wallet: Wallet) => {
  const all = await world.db.asOrganisation(world.orgId, (tx) => balances(tx, wallet.subWalletId))
  const { available, held, staked } = all.find((each) => each.asset.contract === null)!
  return { available, held, staked }
}
/** What the ledger says is what the chain has, in the balance and in stake. */
async function agrees(wallet: Wallet): Promise<void> {
  const { available, staked } = await booked(wallet)
  assert.deepEqual([available, staked], [await honest.balance(wallet.address, { chain, contract: null }), await honest.stake.staked(wallet.address)])
  assert.deepEqual(await auditAll(world.context), [])
}
const refusal = (reason: RegExp) => (cause: unknown) => cause instanceof AppError && reason.test(JSON.stringify(cause.details))

before(async () => {
  tron = await startTron(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: BLOCK_MS, mining: false, solidBlocks: FINALITY })
  const { contract, symbol, decimals } = tron.token
  const { fetch, timer } = nodePorts
  honest = tronNode({ chain, rpcUrl: tron.url, tokens: [contract], fetch, timer, validForMs: 20 * 60_000 })
  const assets = [
    { chain, contract: null, symbol: 'TRX', decimals: 6 },
    { chain, contract, symbol, decimals },
  ]
  const stakes = (everybody: Uint8Array[]): StakeRule => ({
    kind: 'stake',
    id: 'stakes',
    chain,
    payers: null,
    actions: ['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate'],
    receivers: null,
    maxAmount: 100_000n * TRX,
    maxLockBlocks: 0n,
    window: null,
    initiators: everybody,
    approvers: everybody,
    threshold: 2n,
  })
  world = await openWorld({
    network: { chain, name: 'TRON', family: 'tron', codec: tronCodec({ chain }), node: honest, assets, finalityBlocks: FINALITY },
    rules: (members) => [stakes(members.map(({ id }) => uuidToBytes(id)))],
  })
  treasury = await makeWallet(world, 'Treasury')
  shop = await makeWallet(world, 'Shop')
  await tron.pay(null, treasury.address, 20_000n * TRX)
  await tron.pay(null, shop.address, 50n * TRX)
  await tron.pay(contract, shop.address, 500n * TRX)
  await mine(FINALITY + 1)
})
afterEach(() => world.db.asSystem(assertConserved))
after(async () => {
  await world?.close()
  await tron?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('orders about stake', () => {
  it('move coin into stake, lend its energy so that another address pays none, and bring everything back', async () => {
    const fee = await order(treasury, { action: 'stake', resource: 'energy', amount: '10000' })
    assert.deepEqual(await booked(treasury), { available: 10_000n * TRX - fee, held: 0n, staked: 10_000n * TRX })
    await agrees(treasury)
    await order(treasury, { action: 'delegate', resource: 'energy', amount: '9000', receiver: shop.address })
    await agrees(treasury)
    const { order: paid } = await requestWithdrawal(world, shop, { to: treasury.address, symbol: tron.token.symbol, amount: '5', maxFee: '20' })
    await carryOut(paid.row.id)
    const { row } = await orderOf(world, paid.row.id)
    assert.ok(row.fee_paid! < TRX, 'bandwidth at the most, and nothing for energy')
    await agrees(shop)
    await order(treasury, { action: 'undelegate', resource: 'energy', amount: '9000', receiver: shop.address })
    await order(treasury, { action: 'unstake', resource: 'energy', amount: '1000' })
    assert.equal((await booked(treasury)).staked, 10_000n * TRX, 'what waits is not to be paid with')
    await agrees(treasury)
    await order(treasury, { action: 'cancel-unstake' })
    await order(treasury, { action: 'unstake', resource: 'energy', amount: '4000' })
    await mine(WAIT_BLOCKS)
    await order(treasury, { action: 'withdraw' })
    assert.equal((await booked(treasury)).staked, 6_000n * TRX)
    await agrees(treasury)
  })

  it('also bring back what has waited when the next stake is ended, as the chain does', async () => {
    await order(treasury, { action: 'unstake', resource: 'energy', amount: '100' })
    await mine(WAIT_BLOCKS)
    const { staked } = await booked(treasury)
    await order(treasury, { action: 'unstake', resource: 'energy', amount: '50' })
    assert.equal(staked - (await booked(treasury)).staked, 100n * TRX)
    await agrees(treasury)
  })

  it('are refused with the reason where the network would not take them, and say what they would do', async () => {
    const cases: [Asked, RegExp][] = [
      [{ action: 'stake', resource: 'energy', amount: '0.5' }, /1 TRX at the least/],
      [{ action: 'unstake', resource: 'bandwidth', amount: '1' }, /Only 0 TRX is staked/],
      [{ action: 'delegate', resource: 'energy', amount: '90000', receiver: shop.address }, /can be delegated/],
      [{ action: 'delegate', resource: 'energy', amount: '5', receiver: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }, /no account at the address that is to receive/],
      [{ action: 'delegate', resource: 'energy', amount: '5', receiver: tron.token.contract }, /contracts/],
      [{ action: 'undelegate', resource: 'energy', amount: '5', receiver: shop.address }, /Only 0 TRX is delegated/],
      [{ action: 'stake', resource: 'energy', amount: '5', receiver: shop.address }, /another account/],
    ]
    for (const [asked, reason] of cases) {
      await assert.rejects(propose(inputOf(treasury, asked)), refusal(reason), asked.action)
    }
    const told = await checkStakeOrder(
      world.context,
      caller(),
      inputOf(treasury, { action: 'delegate', resource: 'energy', amount: '5', receiver: shop.address }),
    )
    assert.deepEqual([told.obstacle, told.policy.denied, told.fee_symbol], [null, false, 'TRX'])
    assert.match(told.title, /Delegate the energy of 5\S* TRX to T/)
    const locked = inputOf(treasury, { action: 'delegate', resource: 'energy', amount: '5', receiver: shop.address, lock_blocks: 7 })
    assert.equal((await checkStakeOrder(world.context, caller(), locked)).policy.denied, true)
    await assert.rejects(propose(locked), refusal(/lock/))
  })

  it('hold what is to be staked, and nothing but the fee for what is staked already', async () => {
    const before = await booked(treasury)
    const held = async (asked: Asked) => {
      await propose(inputOf(treasury, asked))
      return (await booked(treasury)).held
    }
    assert.equal(await held({ action: 'delegate', resource: 'energy', amount: '5', receiver: shop.address }), before.held + TRX)
    assert.equal(await held({ action: 'stake', resource: 'energy', amount: '7' }), before.held + 9n * TRX)
  })

  it('that failed in their block cost what the chain took, and stake stays where it was', async () => {
    const { order: made } = await propose(inputOf(treasury, { action: 'stake', resource: 'energy', amount: '11' }))
    await approve(world, made.row.id, world.members[1], world.members[2])
    await signOrder(world.context, world.orgId, made.row.id)
    await broadcastOrder(world.context, world.orgId, made.row.id)
    const { staked } = await booked(treasury)
    // The emulated network lets nothing into a block that fails, so its node says so here: with no fee, as where others' resources paid.
    world.network.node = {
      ...honest,
      transaction: async (txid) => {
        const told = await honest.transaction(txid)
        return told.state === 'included' ? { ...told, success: false, fee: 0n } : told
      },
    }
    await mine(FINALITY + 1)
    world.network.node = honest
    const { state, row } = await orderOf(world, made.row.id)
    assert.deepEqual([state, row.sub_status, row.fee_paid], ['failed', 'reverted', 0n])
    assert.equal((await booked(treasury)).staked, staked)
  })
})

describe('an address that somebody else may sign for', () => {
  const thief = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  const deposits = () =>
    world.db.asOrganisation(world.orgId, (tx) =>
      depositAddress(tx, world.context.networks, { subWalletId: shop.subWalletId, chain, symbol: 'TRX', language: 'en_US', nowMs: nodePorts.clock.nowMs() }),
    )
  const info = async (address: string) => {
    const told = { isContract: false, isUninitialised: false, control: await world.network.node.control!(address) }
    return world.db.asOrganisation(world.orgId, (tx) => checkAddress(tx, world.network, address, told, caller()))
  }

  it('is told with its permissions, must be acknowledged as a destination, and raises an alarm that ends paying from it and depositing to it', async () => {
    assert.equal((await info(shop.address)).control!.own, true)
    const open = (await deposits()).text
    assert.doesNotMatch(open, /sign for this address/)
    const owner = { id: 0n, name: 'owner', threshold: 1n, keys: [{ address: thief, weight: 1n }] }
    const stolen = (address: string) => (address === treasury.address ? honest.control(address) : Promise.resolve({ isOwn: false, permissions: [owner] }))
    world.network.node = { ...honest, control: stolen }
    assert.deepEqual((await info(shop.address)).control, {
      own: false,
      permissions: [{ name: 'owner', threshold: '1', keys: [{ address: thief, weight: '1' }] }],
    })
    const isRefused = (code: string) => (cause: unknown) => cause instanceof AppError && cause.errorName === code
    await assert.rejects(requestWithdrawal(world, shop, { to: treasury.address, symbol: 'TRX', amount: '1', maxFee: '2' }), isRefused('account_not_own'))
    await assert.rejects(requestWithdrawal(world, treasury, { to: shop.address, symbol: 'TRX', amount: '1', maxFee: '2' }), isRefused('address_look_alike'))
    await assert.rejects(propose(inputOf(shop, { action: 'stake', resource: 'energy', amount: '5' })), isRefused('account_not_own'))
    const told = await auditAll(world.context)
    assert.ok(told.some((words) => words.includes(shop.address) && words.includes(thief)))
    assert.match((await deposits()).text, /somebody else may sign for this address/)
    // The alarm stands by what the chain said last, whatever a node that is asked later does not know.
    world.network.node = { ...honest, control: async () => ({ isOwn: true, permissions: [] }) }
    await assert.rejects(requestWithdrawal(world, shop, { to: treasury.address, symbol: 'TRX', amount: '1', maxFee: '2' }), isRefused('account_not_own'))
    world.network.node = honest
    await auditAll(world.context)
    assert.equal((await deposits()).text, open)
  })
})
