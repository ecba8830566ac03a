import { ChainError } from '@holdfast/chain-core'
import { isFinal, type Order, pokeTransfers, readOrder } from '@holdfast/features/transfer/server'
import { known, type OrderId, type OrganisationId } from '@holdfast/units'
import { type AgentNeeds, lend, type Place, takeBack } from './lend.ts'
import { tellOfWaiting } from './tell.ts'
import { fallBack, lackOf, type LoanReason } from './choose-loan.ts'
import { type Agent, beginSupply, burnedToday, changeSupply, lenderAt, promisedTo, readLender, type Supply } from './supplies.ts'

/** What somebody asked for is taken back after this time. */
export const ASKED_MS = 3_600_000

type Wanted = { needed: bigint; available: bigint; price: bigint }

/** What a transfer of a token uses by its trial, what its address has, and what a unit costs that is burned. Throws ChainError. */
export async function tryTransfer(
  { network, coin }: Place,
  wanted: Parameters<Place['network']['node']['estimateFee']>[0],
): Promise<Wanted & { feeLimit: bigint; net: bigint }> {
  const { parameters } = (await network.node.estimateFee(wanted))[1]
  const read = (name: string) => known(parameters[name], `${name} of a transfer of ${coin.symbol}`)
  const needed = read('energy')
  const price = needed === 0n ? 0n : read('feeLimitLeast') / needed
  return { needed, available: read('energyAvailable'), price, feeLimit: read('feeLimit'), net: read('bandwidth') }
}

/** Takes an approved payment as far as it goes now: has its address lent what it lacks, and lets it be signed once that is there. */
export async function attendPayment(needs: AgentNeeds, orgId: OrganisationId, place: Place, agent: Agent, orderId: OrderId): Promise<void> {
  const order = await needs.db.asOrganisation(orgId, (tx) => readOrder(tx, orderId))
  if (order?.state !== 'approved') return
  const { address_from: address, address_to: to, chain, amount } = order.row
  const wanted = await tryTransfer(place, { from: address, to, asset: order.payment.asset, amount })
  const { supply, promised } = await needs.db.asOrganisation(orgId, async (tx) => {
    const [promised, found] = await Promise.all([
      promisedTo(tx, { chain, address }, orderId),
      tx.selectFrom('tron_supply').selectAll().where('org_id', '=', tx.orgId).where('order_id', '=', orderId).executeTakeFirst(),
    ])
    const lacked = lackOf({ needed: wanted.needed, meter: { limit: wanted.available, used: 0n }, promised })
    const begun = { chain, address, order_id: orderId, needed: wanted.needed, lacked, price: wanted.price }
    return { supply: found ?? (await beginSupply(tx, needs, begun)), promised }
  })
  if (supply.state === 'ready' || supply.state === 'burning') return
  const lack = lackOf({ needed: wanted.needed, meter: { limit: wanted.available, used: 0n }, promised })
  if (lack === 0n) {
    await mark(needs, orgId, supply, { state: 'ready', reason: null })
    pokeTransfers(needs)
    return
  }
  // Who stopped it decides what goes on; only energy that came from elsewhere changes that.
  if (supply.state !== 'stopped') await supplyWith(needs, orgId, place, agent, supply, lack)
}

/** Lends what is lacking, unless it is under way, and falls back to what the organisation wants where it cannot be lent. */
async function supplyWith(needs: AgentNeeds, orgId: OrganisationId, place: Place, agent: Agent, supply: Supply, lack: bigint): Promise<void> {
  const lent = supply.lend_order_id === null ? undefined : await orderOf(needs, orgId, supply.lend_order_id)
  if (lent && !isFinal(lent.state)) return
  const refuse = async (reason: LoanReason) => {
    const nowMs = needs.ports.clock.nowMs()
    const burned = await needs.db.asOrganisation(orgId, (tx) => burnedToday(tx, place.network.chain, nowMs))
    const burning = { cost: lack * supply.price, burnMax: agent.burn_max, budgetDay: agent.budget_day, burnedToday: burned }
    const next = fallBack(agent.fallback, reason, burning)
    if (next.state !== supply.state || next.reason !== supply.reason)
      await needs.db.asOrganisation(orgId, async (tx) => {
        await changeSupply(tx, needs, supply.id, { ...next, lacked: lack })
        if (next.state !== 'burning') await tellOfWaiting(tx, needs, { address: supply.address, network: place.network.name, supplyId: supply.id })
      })
    if (next.state === 'burning') pokeTransfers(needs)
  }
  if (lent?.state === 'completed') return refuse('lent_too_little')
  const lender = await needs.db.asOrganisation(orgId, (tx) => readLender(tx, place.network.chain, agent.sub_wallet_id))
  const made = await lend(needs, orgId, place, lender, { to: supply.address, lack })
  if ('reason' in made) return refuse(made.reason)
  await mark(needs, orgId, supply, {
    state: 'lending',
    reason: null,
    lacked: lack,
    lender: made.order.row.address_from,
    stake: made.stake,
    lend_order_id: made.order.row.id,
  })
  pokeTransfers(needs)
}

/** Lends what somebody asked for, unless it is under way. */
export async function attendAsked(needs: AgentNeeds, orgId: OrganisationId, place: Place, agent: Agent, supply: Supply): Promise<void> {
  if (supply.lend_order_id === null) {
    await supplyWith(needs, orgId, place, { ...agent, fallback: 'stop' }, supply, supply.lacked)
    return
  }
  const lent = await orderOf(needs, orgId, supply.lend_order_id)
  if (!isFinal(lent.state)) return
  if (lent.state === 'completed') await mark(needs, orgId, supply, { state: 'ready', reason: null })
  else await mark(needs, orgId, supply, { state: 'stopped', reason: 'failed', lender: null, stake: null })
}

/** Keeps what a payment that is over used and burned, and takes back what was lent for it, so that the stake serves the next one. */
export async function windUp(needs: AgentNeeds, orgId: OrganisationId, place: Place, supply: Supply): Promise<void> {
  const payment = supply.order_id === null ? undefined : await orderOf(needs, orgId, supply.order_id)
  if (payment && !isFinal(payment.state)) return
  if (!payment && supply.state === 'ready' && needs.ports.clock.nowMs() - Number(supply.created_at) < ASKED_MS) return
  if (payment?.row.txid && supply.used === null) {
    const told = await place.network.node.transaction(payment.row.txid)
    if (told.state !== 'included') throw new ChainError(`the node does not know the payment ${payment.row.txid} that is final`)
    const { used, covered, burned } = told.energy ?? { used: 0n, covered: 0n, burned: 0n }
    await mark(needs, orgId, supply, { used, covered, burned })
  }
  const lent = supply.lend_order_id === null ? undefined : await orderOf(needs, orgId, supply.lend_order_id)
  if (lent && !isFinal(lent.state)) return
  const { lender: from, stake } = supply
  if (lent?.state !== 'completed' || from === null || stake === null) return mark(needs, orgId, supply, { state: 'over' })
  const returned = supply.return_order_id === null ? undefined : await orderOf(needs, orgId, supply.return_order_id)
  if (returned?.state === 'completed') return mark(needs, orgId, supply, { state: 'over', reason: null })
  if (returned && !isFinal(returned.state)) return
  const lender = await needs.db.asOrganisation(orgId, (tx) => lenderAt(tx, supply.chain, from))
  const made = lender ? await takeBack(needs, orgId, place, { lender, to: supply.address, stake }) : { reason: 'no_lender' as const }
  const next = 'order' in made ? { reason: null, return_order_id: made.order.row.id } : { reason: made.reason }
  if ('order' in made || supply.state !== 'returning' || supply.reason !== made.reason) await mark(needs, orgId, supply, { state: 'returning', ...next })
  if ('order' in made) pokeTransfers(needs)
}

const mark = (needs: AgentNeeds, orgId: OrganisationId, { id }: Supply, set: Parameters<typeof changeSupply>[3]): Promise<void> =>
  needs.db.asOrganisation(orgId, (tx) => changeSupply(tx, needs, id, set))

async function orderOf({ db }: AgentNeeds, orgId: OrganisationId, id: OrderId): Promise<Order> {
  return known(await db.asOrganisation(orgId, (tx) => readOrder(tx, id)), `the order ${id}`)
}
