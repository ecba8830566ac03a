import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { ETH, makeWallet, openWorld, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { listArrivals } from './list-arrivals.ts'

const QUARTER_MS = 15 * 60_000
let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld({ finalityBlocks: 3 })
  wallet = await makeWallet(world)
})
after(() => world.close())

const arrivals = async (subWalletId = wallet.subWalletId, symbol = 'ETH') => {
  const nowMs = world.context.ports.clock.nowMs()
  const list = await world.db.asOrganisation(world.orgId, (tx) => listArrivals(tx, world.context.networks, { subWalletId, chain: CHAIN, symbol, nowMs }))
  return list.map(({ amount, state, confirmations, needed }) => `${amount} ${state} ${confirmations}/${needed}`)
}
const mine = async () => {
  world.chain.mine()
  await scan(world)
}

test('a deposit is seen block by block until it is credited, and is no arrival any more a while later', async () => {
  assert.deepEqual(await arrivals(), [])
  world.chain.give(wallet.address, 10n * ETH, null)
  await mine()
  assert.deepEqual(await arrivals(), ['10 confirming 0/3'])
  await mine()
  assert.deepEqual(await arrivals(), ['10 confirming 1/3'])
  await mine()
  await mine()
  assert.deepEqual(await arrivals(), ['10 credited 3/3'])
  assert.deepEqual(await arrivals(wallet.subWalletId, 'USDC'), [], 'of this coin alone')
  assert.deepEqual(await arrivals((await makeWallet(world)).subWalletId), [], 'of this sub-wallet alone')
  world.clock.aheadMs += QUARTER_MS + 1
  assert.deepEqual(await arrivals(), [])
})
