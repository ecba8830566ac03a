import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { assertConserved } from '@holdfast/ledger'
import { formatAmount, known } from '@holdfast/units'
import {
  askOwner,
  attend,
  began,
  carryOut,
  closeAgentWorld,
  honest,
  inOrganisation,
  needs,
  openAgentWorld,
  pay,
  set,
  shop,
  supplyOf,
  treasury,
  tron,
  turn,
  world,
} from '../testing/agent-world.ts'
import { feeUsage } from '../fee-usage.ts'
import { savedBy } from './saved-by.ts'
import { agentView } from './settings.ts'
import { burnedToday } from './supplies.ts'

/* Payments burn what they lack on the emulated network, within the budget of 24 hours. */

const DAY_MS = 86_400_000
const TRX = 1_000_000n

before(async () => {
  await openAgentWorld()
  await turn('on')
})
beforeEach(() => void (world.network.node = honest))
afterEach(() => world.db.asSystem(assertConserved))
after(closeAgentWorld)

const nowMs = () => world.context.ports.clock.nowMs()
const burned = () => inOrganisation((tx) => burnedToday(tx, world.network.chain, nowMs()))

const view = () => agentView(needs(), world.orgId as never, 'en_US')
const shown = async () => (await view()).today
const burnedByHour = async () => (await view()).hours.reduce((sum, each) => sum + Number(each.burned_trx), 0)

/** Energy that an address has of its own. */
function withEnergy(available: bigint): void {
  const estimateFee: typeof honest.estimateFee = async (wanted) => {
    const tiers = await honest.estimateFee(wanted)
    return tiers.map((tier) => ({ ...tier, parameters: { ...tier.parameters, energyAvailable: available } })) as never
  }
  world.network.node = { ...honest, estimateFee }
}

/** What a payment of the shop uses. */
async function energyOfPayment(): Promise<bigint> {
  const asset = { chain: world.network.chain, contract: tron.token.contract }
  const { parameters } = (await honest.estimateFee({ from: shop.address, to: treasury.address, asset, amount: 5n * TRX }))[1]
  return known(parameters['energy'], 'the energy of a payment')
}

describe('what payments burn', () => {
  it('counts from when it is decided and until a day after, however long the payment had waited', async () => {
    await set({ by: shop, fallback: 'burn', budget: '0', most: '50' })
    const id = await pay()
    await attend()
    assert.equal((await supplyOf(id)).reason, 'budget_used')
    await began(id, DAY_MS + 1)
    await set({ by: shop, fallback: 'burn', budget: '100', most: '50' })
    await attend()
    const { state, lacked, price } = await supplyOf(id)
    assert.equal(state, 'burning')
    assert.equal(await burned(), lacked * price, 'what it may burn counts now')
    assert.equal((await shown()).burned_trx, formatAmount(lacked * price, 6), 'people see what counts')
    const next = await pay()
    await set({ by: shop, fallback: 'burn', budget: String(Number(lacked * price + 1n) / Number(TRX)), most: '50' })
    await attend()
    assert.equal((await supplyOf(next)).reason, 'budget_used', 'nothing is left for another that day')

    await carryOut(id)
    await attend()
    const over = await supplyOf(id)
    assert.equal(over.state, 'over')
    assert.ok((over.burned ?? 0n) > 0n)
    assert.equal(await burned(), over.burned, 'what it burned counts')
    const { payments, used, burned_trx: burnedTrx, ...today } = await shown()
    assert.deepEqual([payments, used, burnedTrx], [1, String(over.used), formatAmount(over.burned ?? 0n, 6)])
    assert.deepEqual([today.covered, today.saved_trx], [String(over.covered), formatAmount(savedBy(over), 6)])
    assert.equal(await burnedByHour(), Number(burnedTrx))
    const lastHour = { start_time: nowMs() - 3_600_000, end_time: nowMs() + 1, group: 'day' as const }
    assert.equal((await inOrganisation((tx) => feeUsage(tx, world.context, lastHour))).saved_trx, today.saved_trx)
    world.clock.aheadMs += DAY_MS + 60_000
    assert.equal(await burned(), 0n)
    assert.deepEqual(await shown(), { payments: 0, used: '0', covered: '0', burned_trx: '0', rented_trx: '0', saved_trx: '0' })
    world.clock.aheadMs = 0
    await askOwner(`update transfer_order set state = 'cancelled', is_final = true where id = $1`, [next])
    await attend()
  })

  it('leaves less for the next payment of the address, also within one look', async () => {
    await set({ by: shop, fallback: 'burn', budget: '1000', most: '1000' })
    const [before, first, second] = [await burned(), await pay(), await pay()]
    const needed = await energyOfPayment()
    withEnergy(needed - 5_000n)
    await attend()
    const [one, two] = [await supplyOf(first), await supplyOf(second)]
    assert.deepEqual([one.state, one.lacked], ['burning', 5_000n])
    assert.deepEqual([two.state, two.lacked], ['burning', needed])
    assert.equal(await burned(), before + (one.lacked + two.lacked) * one.price)
  })

  it('takes nothing of the energy any more once a payment is over, and nothing of the budget when the network never took it', async () => {
    withEnergy(0n)
    const open = await askOwner<{ order_id: string }>(`select order_id from tron_supply where state = 'burning'`)
    assert.equal(open.length, 2)
    await askOwner(`update transfer_order set state = 'dropped', is_final = true, txid = repeat('ab', 32) where id = any($1)`, [
      open.map((row) => row.order_id),
    ])
    await attend()
    for (const { order_id: id } of open) assert.equal((await supplyOf(id)).state, 'over')
    const id = await pay()
    const needed = await energyOfPayment()
    withEnergy(needed)
    await attend()
    assert.equal((await supplyOf(id)).state, 'ready')
  })
})
