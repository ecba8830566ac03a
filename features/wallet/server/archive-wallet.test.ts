import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { ETH, fund, makeWallet, openWorld, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { archiveWallet } from './archive-wallet.ts'
import { listWallets } from './list-wallets.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

const nowMs = () => world.context.ports.clock.nowMs()
const archive = ({ walletId }: Pick<Wallet, 'walletId'>, isArchived = true) =>
  world.db.asOrganisation(world.orgId, (tx) => archiveWallet(tx, world.context.networks, { walletId, isArchived, nowMs: nowMs() }))
const list = (isArchived = false) =>
  world.db.readOrganisation(world.orgId, (tx) =>
    listWallets(tx, world.context.networks, {
      type: 0,
      needStat: false,
      isArchived,
      personId: world.members[0].id,
      nowMs: nowMs(),
      fiat: 'USD',
      language: 'en_US',
    }),
  )
const names = async (isArchived = false) => (await list(isArchived)).wallet_list.map((each) => each.wallet_name)
const refusedAs = (name: string) => (cause: unknown) => cause instanceof AppError && cause.errorName === name

test('an empty wallet is put away and back again, and is in no other list meanwhile', async () => {
  await makeWallet(world, 'Kept')
  const mistyped = await makeWallet(world, 'Mistpyed')
  await archive(mistyped)
  assert.deepEqual([await names(), await names(true), (await list()).archived_count], [['Kept'], ['Mistpyed'], 1])
  await archive(mistyped)
  await archive(mistyped, false)
  assert.deepEqual([await names(), await names(true), (await list()).archived_count], [['Kept', 'Mistpyed'], [], 0])
  await assert.rejects(archive({ walletId: '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b' }), refusedAs('wallet_not_found'))
})

test('a wallet that holds value, or that a payment is on its way to, is never put away', async () => {
  const holding = await makeWallet(world, 'Holding')
  world.chain.give(holding.address, ETH, null)
  world.chain.mine(1)
  await scan(world)
  await assert.rejects(archive(holding), refusedAs('wallet_holds_value'), 'not final yet')
  world.chain.mine(world.network.finalityBlocks + 1)
  await scan(world)
  await assert.rejects(archive(holding), (cause) => refusedAs('wallet_holds_value')(cause) && String((cause as AppError).details?.held).startsWith('1 ETH'))
})

test('an archived wallet is watched: what comes to it is credited, and it is in the lists again', async () => {
  const away = await makeWallet(world, 'Away')
  await archive(away)
  assert.ok(!(await names()).includes('Away'))
  await fund(world, away, ETH)
  assert.deepEqual(
    (await list()).wallet_list.filter(({ wallet_name }) => wallet_name === 'Away').map(({ archived }) => archived),
    [true],
  )
  assert.deepEqual(await names(true), [])
})
