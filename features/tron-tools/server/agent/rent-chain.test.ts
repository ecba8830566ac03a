import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertConserved } from '@holdfast/ledger'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { feeUsage } from '../fee-usage.ts'
import {
  attend,
  began,
  carryOut,
  closeAgentWorld,
  inOrganisation,
  list,
  markets,
  mine,
  needs,
  openAgentWorld,
  pay,
  toRent,
  set,
  shop,
  stand,
  supplyOf,
  turn,
  world,
} from '../testing/agent-world.ts'
import { DELIVERY_MS } from './choose-rent.ts'
import { delegationView } from './delegations.ts'
import { agentView } from './settings.ts'

/* Energy is rented on the emulated network for a payment, of its own provider, where nobody lends. */

before(openAgentWorld)
afterEach(() => world.db.asSystem(assertConserved))
after(closeAgentWorld)

describe('the agent, where nobody lends', () => {
  it('rents within what people approved: energy is there before the payment, and nothing is burned for it', async () => {
    await turn('on')
    const { payTo } = await markets.now.quote({ receiver: shop.address, energy: 65_000n })
    await set({ by: shop, rent: { max: '10', day: '25' } })
    const id = await pay()
    await attend()
    assert.equal((await supplyOf(id)).reason, 'rent_no_order')
    await stand(toRent(payTo))
    await list(payTo)
    await began(id, 2 * 86_400_000)
    await attend()
    assert.equal((await supplyOf(id)).state, 'waiting', 'whoever is outside is not asked again at once')
    world.clock.aheadMs = 31_000
    await attend()
    const supply = await supplyOf(id)
    assert.deepEqual([supply.state, supply.reason, supply.passed.length, (supply.rented ?? 0n) > supply.lacked], ['renting', null, 1, true])
    await attend()
    assert.equal((await supplyOf(id)).rent_order_id, supply.rent_order_id, 'it is ordered once')
    assert.equal(await signOrder(world.context, world.orgId, id as never), 'wait')
    await carryOut(supply.rent_order_id ?? '')
    await attend()
    await mine(2)
    await attend()
    assert.equal((await supplyOf(id)).state, 'ready')
    await carryOut(id)
    await attend()
    const told = await inOrganisation((tx) => delegationView(tx, needs(), { address: shop.address }))
    const { rent, used, covered, burned } = await supplyOf(id)
    assert.deepEqual([told.status, burned, covered, told.rent_txid !== null], ['over', 0n, used, true])
    const view = await agentView(needs(), world.orgId as never, 'en_US')
    assert.equal(BigInt(Math.round(Number(view.rent.today_trx) * 1e6)), rent, 'it counts from when it was decided, and not from when the payment began to wait')
    assert.deepEqual([view.rent.standing?.pay_to, view.rent.standing?.day_most_trx, view.rent.market?.pay_to], [payTo, '30', payTo])
    const usage = await inOrganisation((tx) => feeUsage(tx, world.context, { start_time: 0, end_time: Date.now() + 1e6, group: 'kind' }))
    assert.equal(usage.list.find(({ key }) => key === 'rent')?.rented_trx, usage.rented_trx)
    assert.ok(Number(usage.rented_trx) > 0.1 && Number(usage.saved_trx) > 0)
  })

  it('pays a provider that delivers nothing once, tells so, and falls back as was chosen', async () => {
    await set({ by: shop, fallback: 'burn', budget: '100', most: '50', rent: { max: '10', day: '25' } })
    const honestMarket = markets.now
    // Whoever is paid says that it comes, and it never does.
    markets.now = { ...honestMarket, look: async (id) => ({ ...(await honestMarket.look(id, null)), state: 'paid' }) }
    const id = await pay()
    await attend()
    const { rent_order_id: paid, rent } = await supplyOf(id)
    assert.ok(paid !== null)
    await carryOut(paid)
    await attend()
    assert.equal((await supplyOf(id)).state, 'renting', 'it is waited for')
    world.clock.aheadMs += DELIVERY_MS + 60_000
    await attend()
    world.clock.aheadMs = 0
    const gone = await supplyOf(id)
    assert.deepEqual([gone.state, gone.reason, gone.rent], ['burning', 'rent_not_delivered', rent])
    assert.equal(await signOrder(world.context, world.orgId, id as never), 'signed')
    markets.now = honestMarket
  })
})
