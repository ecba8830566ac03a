import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { type Relay, relayOutbox } from '@holdfast/jobs'
import { CHAIN } from '../../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, openWorld, resetScript, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { saveCollectingNotices, saveCollectingSubWallets, setCollectingRule, setCollectingStatus } from '../../../co-signer/contract.ts'
import { collectingOf } from '../../../co-signer/server/testing/collecting-of.ts'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { notificationSubscriber, tellWhatTimeBrings } from '../tell-endpoints.ts'
import { listen, toldTo } from '../testing/listening.ts'

/* Whoever listens to collection hears of its transfers, and of what it needs of somebody. */

let world: World
let relay: Relay
let deposits: Wallet
let treasury: Wallet

before(async () => {
  world = await openWorld()
  relay = relayOutbox({ ...world, ports: world.context.ports, subscribers: [notificationSubscriber(world.context)], pollMs: 50 })
})
beforeEach(async () => {
  resetScript(world)
  deposits = await makeWallet(world, 'Deposits')
  treasury = await makeWallet(world, 'Treasury')
})
after(async () => {
  await relay?.close()
  await world?.close()
})

/** A collection that people approved, and one transfer of it under way. */
async function collect(): Promise<string> {
  const { call, approve, look } = collectingOf(world)
  const of = { wallet_id: deposits.walletId }
  await call(saveCollectingSubWallets, { ...of, collect_sub_wallet_id: treasury.subWalletId })
  await call(setCollectingRule, { ...of, chain: CHAIN, symbol: 'ETH', collect_min: '0.5', collect_max: '100', max_fee: '0.01' })
  await call(saveCollectingNotices, { ...of, fuel_days: 7, failed_times: 3, stuck_minutes: 5 })
  await approve((await call(setCollectingStatus, { ...of, status: 'run' })).pending)
  await fund(world, deposits, 2n * ETH)
  await look()
  const opened = await world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('transfer_order').select('id').where('org_id', '=', tx.orgId).where('wallet_id', '=', deposits.walletId).executeTakeFirstOrThrow(),
  )
  return opened.id
}

it('each transfer is told with its states, to who listens to collection and to nobody who listens to payments', async () => {
  const [collection, payments] = [
    await listen(world, 'https://collect.example/', ['collect']),
    await listen(world, 'https://pay.example/', ['withdraw', 'fuel']),
  ]
  const id = (await collect()) as never
  assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
  await broadcastOrder(world.context, world.orgId, id)
  world.chain.mine(3)
  await scan(world)
  const told = (await toldTo(world, collection)).filter((each) => each['id'] === id)
  assert.deepEqual([told[0]?.['event'], told.at(-1)?.['event'], told.at(-1)?.['address_to']], ['collect.approving', 'collect.completed', treasury.address])
  assert.deepEqual(await toldTo(world, payments), [])
})

it('what it needs of somebody is told once, and that it is in order again', async () => {
  const endpoint = await listen(world, 'https://needs.example/', ['collect'])
  const needs = async () => {
    const told = (await toldTo(world, endpoint)).filter(({ event, wallet_id: of }) => of === deposits.walletId && String(event).startsWith('collection.'))
    return told.map(({ event, status, needs: what }) => [event, status, what])
  }
  const look = () => tellWhatTimeBrings(world.context, () => false)
  const id = (await collect()) as never
  await look()
  assert.deepEqual(await needs(), [])
  world.clock.aheadMs = 600_000
  await look()
  await look()
  const stuck = ['collection.needs_attention', 1, ['stuck']]
  assert.deepEqual(await needs(), [stuck])
  assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
  await broadcastOrder(world.context, world.orgId, id)
  world.chain.mine(3)
  await scan(world)
  await look()
  assert.deepEqual(await needs(), [stuck, ['collection.in_order', 0, []]])
  world.clock.aheadMs = 0
})
