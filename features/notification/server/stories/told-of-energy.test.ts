import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { TRON_CHAIN as chain } from '@holdfast/devnet/tron'
import { permissionsOf } from '@holdfast/features/session/server'
import { type Relay, relayOutbox } from '@holdfast/jobs'
import { proposals } from '../../../../apps/server/src/features.ts'
import { readInbox } from '../../../inbox/server/read-inbox.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { DELIVERY_MS } from '../../../tron-tools/server/agent/choose-rent.ts'
import {
  attend,
  carryOut,
  closeAgentWorld,
  list,
  markets,
  openAgentWorld,
  pay,
  set,
  shop,
  stand,
  supplyOf,
  toLend,
  toRent,
  turn,
  world,
} from '../../../tron-tools/server/testing/agent-world.ts'
import { unwatch, watch } from '../../../tron-tools/server/monitor.ts'
import { sampleAll } from '../../../tron-tools/server/sample.ts'
import { notificationSubscriber } from '../tell-endpoints.ts'
import { listen, toldTo } from '../testing/listening.ts'

/* Whoever is told of payments that wait for energy hears of it by webhook and in the inbox as well as by e-mail, on the emulated network. */

let relay: Relay
let endpoint: string

before(async () => {
  await openAgentWorld()
  const { ports, db, context } = { ...world, ports: world.context.ports }
  relay = relayOutbox({ ports, db, subscribers: [notificationSubscriber(context)], pollMs: 50 })
  endpoint = await listen(world, 'https://energy.example/', ['energy'])
  await turn('on')
})
afterEach(() => {
  world.clock.aheadMs = 0
})
after(async () => {
  await relay?.close()
  await closeAgentWorld()
})

const told = async (of: string) => {
  const bodies = (await toldTo(world, endpoint)).filter(({ withdraw_id: id }) => id === of)
  return bodies.map(({ event, status, reason, code }) => [event, status, reason, code])
}
const newsOf = async (permissions = permissionsOf('owner')) => {
  const reader = { personId: world.members[1].id, permissions, nowMs: world.context.ports.clock.nowMs(), networks: world.context.networks, proposals }
  const inbox = await world.db.asOrganisation(world.orgId, (tx) => readInbox(tx, reader))
  return inbox.news
}
const news = async (permissions = permissionsOf('owner')) =>
  (await newsOf(permissions)).flatMap((item) => (item.kind === 'energy' ? [[item.id, item.told, item.wallet_name, item.unread]] : []))

it('that a payment waits is told once with the reason and the code of it, and that it went on', async () => {
  await set({ fallback: 'wait' })
  const id = await pay()
  await attend()
  await attend()
  const waiting = ['energy.waiting', 1, 'no_standing_order', '200163']
  assert.deepEqual(await told(id), [waiting])
  const supply = await supplyOf(id)
  assert.deepEqual(await news(), [[supply.id, 'waits', 'Shop', true]])
  assert.deepEqual(await news(permissionsOf('nobody')), [], 'not to whoever may not see it')
  await stand(toLend())
  await attend()
  assert.deepEqual(await told(id), [waiting, ['energy.gone_on', 0, 'no_standing_order', '200163']])
  await carryOut((await supplyOf(id)).lend_order_id ?? '')
  await attend()
  await carryOut(id)
  await attend()
  await carryOut((await supplyOf(id)).return_order_id ?? '')
  await attend()
  assert.equal((await told(id)).length, 2, 'what goes on is told once')
})

it('that rented energy was paid for and did not come is told, and when the payment that wanted it is over', async () => {
  const { payTo } = await markets.now.quote({ receiver: shop.address, energy: 65_000n })
  await stand(toRent(payTo))
  await list(payTo)
  await set({ by: shop, fallback: 'burn', budget: '100', most: '50', rent: { max: '10', day: '25' } })
  const honest = markets.now
  markets.now = { ...honest, look: async (order) => ({ ...(await honest.look(order, null)), state: 'paid' }) }
  const id = await pay()
  await attend()
  await carryOut((await supplyOf(id)).rent_order_id ?? '')
  await attend()
  assert.deepEqual(await told(id), [])
  world.clock.aheadMs = DELIVERY_MS + 60_000
  await attend()
  const lost = ['energy.not_delivered', 1, 'rent_not_delivered', null]
  assert.deepEqual(await told(id), [lost])
  assert.equal((await news())[0]?.[1], 'not_delivered')
  world.clock.aheadMs = 0
  assert.equal(await signOrder(world.context, world.orgId, id as never), 'signed')
  markets.now = honest
})

it('that a watched address has less than its threshold is told once, and when it has more again or is watched no more', async () => {
  const save = (least: string) =>
    world.db.asOrganisation(world.orgId, (tx) => watch(tx, world.context, { ...of, energy_min: '0', net_min: '0', trx_min: least }))
  const of = { chain, address: shop.address }
  const low = async () => (await newsOf()).flatMap((item) => (item.kind === 'resource' ? [[item.low, item.wallet_name]] : []))
  const hear = async () => {
    await sampleAll(world.context)
    await sampleAll(world.context)
    const bodies = (await toldTo(world, endpoint)).filter(({ event }) => String(event).startsWith('resource.'))
    return bodies.map(({ event, status, address, low: what }) => [event, status, address, what])
  }
  const [isLow, isOver] = [
    ['resource.low', 1, shop.address, ['trx']],
    ['resource.over', 0, shop.address, []],
  ]
  await save('0')
  assert.deepEqual([await hear(), await low()], [[], []])
  await save('1000000')
  assert.deepEqual([await hear(), await low()], [[isLow], [[['trx'], 'Shop']]])
  await save('0')
  assert.deepEqual([await hear(), await low()], [[isLow, isOver], []])
  await save('1000000')
  await hear()
  await world.db.asOrganisation(world.orgId, (tx) => unwatch(tx, world.context, of))
  assert.deepEqual([await hear(), await low()], [[isLow, isOver, isLow, isOver], []])
})
