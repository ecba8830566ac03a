import { ChainError } from '@holdfast/chain-core'
import { isFinal, type Order, pokeTransfers, readOrder } from '@holdfast/features/transfer/server'
import { announce } from '@holdfast/jobs'
import { known, type OrderId, type OrganisationId } from '@holdfast/units'
import { type AgentNeeds, type Keep, lend, type Passed, type Place, takeBack } from './lend.ts'
import { awaitRented, rent } from './rent.ts'
import { tellOfLostRent, tellOfWaiting } from './tell.ts'
import { fallBack, isPermission, lackOf } from './choose-loan.ts'
import { LOST_RENT } from './choose-rent.ts'
import { type Agent, beginSupply, burnedToday, changeSupply, lenderAt, promisedTo, readLenders, type Supply } from './supplies.ts'

/** What somebody asked for is taken back after this time. */
export const ASKED_MS = 3_600_000
/** Whoever rents energy out is asked again after this time. */
const ASK_AGAIN_MS = 30_000

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
    const found = await tx.selectFrom('tron_supply').selectAll().where('org_id', '=', tx.orgId).where('order_id', '=', orderId).executeTakeFirst()
    const promised = await promisedTo(tx, { chain, address }, orderId, found)
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

/** Lends or rents what is lacking, unless it is under way, and falls back to what the organisation wants where neither can be. */
async function supplyWith(needs: AgentNeeds, orgId: OrganisationId, place: Place, agent: Agent, supply: Supply, lack: bigint): Promise<void> {
  const lent = supply.lend_order_id === null ? undefined : await orderOf(needs, orgId, supply.lend_order_id)
  if (lent && !isFinal(lent.state)) return
  const isFresh = needs.ports.clock.nowMs() - Number(supply.updated_at) < ASK_AGAIN_MS
  if (isFresh && supply.passed.at(-1)?.by === 'rent') return
  const giveUp = (passed: readonly Passed[]) => goWithout(needs, orgId, place, agent, supply, { lack, passed })
  if (supply.rent_order_id !== null) {
    // Energy is rented once for a payment: whoever did not deliver is not paid again.
    const { isAwaited, passed } = await awaitRented(needs, supply, await orderOf(needs, orgId, supply.rent_order_id))
    return isAwaited ? undefined : giveUp([...(supply.passed as Passed[]).filter(({ by }) => by === 'lend'), passed])
  }
  const tried = lent?.state === 'completed' ? tooLittle(supply) : await lendTo(needs, orgId, place, agent, supply, lack)
  if (tried.isLent) return
  if (!agent.rents || supply.order_id === null || tried.passed.some(({ reason }) => isPermission(reason))) return giveUp(tried.passed)
  const refused = await rent(needs, orgId, place, { agent, supply, lack, passed: tried.passed })
  if (refused) return giveUp([...tried.passed, refused])
  pokeTransfers(needs)
}

const tooLittle = ({ lender }: Supply) => ({ passed: [{ by: 'lend' as const, who: lender ?? '', reason: 'lent_too_little' as const }], isLent: false })

async function lendTo(needs: AgentNeeds, orgId: OrganisationId, place: Place, agent: Agent, supply: Supply, lack: bigint) {
  const lenders = await needs.db.asOrganisation(orgId, (tx) => readLenders(tx, agent))
  const keep = (stake: bigint, passed: readonly Passed[]): Keep => {
    return (tx, { row }) => {
      const lending = { state: 'lending' as const, reason: null, lacked: lack, lender: row.address_from, stake, lend_order_id: row.id }
      return changeSupply(tx, needs, supply.id, { ...lending, passed: JSON.stringify(passed) })
    }
  }
  const made = await lend(needs, orgId, place, lenders, { to: supply.address, lack, keep })
  if (made.isLent) pokeTransfers(needs)
  return made
}

/** Burns, waits or stops, and tells who is told of it; the last who was passed over says why. */
async function goWithout(
  needs: AgentNeeds,
  orgId: OrganisationId,
  place: Place,
  agent: Agent,
  supply: Supply,
  { lack, passed }: { lack: bigint; passed: readonly Passed[] },
): Promise<void> {
  const { reason } = known(passed.find((each) => isPermission(each.reason)) ?? passed.at(-1), 'who was passed over')
  const nowMs = needs.ports.clock.nowMs()
  const burned = await needs.db.asOrganisation(orgId, (tx) => burnedToday(tx, place.network.chain, nowMs))
  const burning = { cost: lack * supply.price, burnMax: agent.burn_max, budgetDay: agent.budget_day, burnedToday: burned }
  const next = fallBack(agent.fallback, reason, burning)
  const isNews = next.state !== supply.state || next.reason !== supply.reason
  // What is asked of somebody outside is asked again after a while, and not at every look.
  if (!isNews && passed.at(-1)?.by !== 'rent') return
  const isLost = reason === LOST_RENT
  const isTold = isNews && (isLost || next.state !== 'burning')
  // What was never paid is no rent.
  const unpaid = reason === 'rent_failed' && supply.rent_order_id !== null ? { rent: null, rented: null, rented_at: null } : {}
  await needs.db.asOrganisation(orgId, async (tx) => {
    const told = isTold && { told_at: nowMs, told_reason: isLost ? reason : next.reason }
    await changeSupply(tx, needs, supply.id, { ...next, ...unpaid, ...told, lacked: lack, passed: JSON.stringify(passed) })
    if (!isTold) return
    const about = { address: supply.address, network: place.network.name, supplyId: supply.id }
    await (isLost ? tellOfLostRent : tellOfWaiting)(tx, needs, about)
    await announce(tx, needs.ports, 'todo.changed', { supply_id: supply.id })
  })
  if (next.state === 'burning') pokeTransfers(needs)
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
  // A payment that the network never took used nothing: there is no receipt to wait for.
  const isInBlock = payment?.state === 'completed' || payment?.state === 'failed'
  if (isInBlock && payment.row.txid && supply.used === null) {
    const told = await place.network.node.transaction(payment.row.txid)
    if (told.state !== 'included') throw new ChainError(`the node does not know the payment ${payment.row.txid} that is final`)
    const { used, covered, burned } = told.energy ?? { used: 0n, covered: 0n, burned: 0n }
    await mark(needs, orgId, supply, { used, covered, burned, burned_at: needs.ports.clock.nowMs() })
  }
  const lent = supply.lend_order_id === null ? undefined : await orderOf(needs, orgId, supply.lend_order_id)
  const paid = supply.rent_order_id === null ? undefined : await orderOf(needs, orgId, supply.rent_order_id)
  if ((lent && !isFinal(lent.state)) || (paid && !isFinal(paid.state))) return
  if (paid && paid.state !== 'completed' && supply.rent !== null) await mark(needs, orgId, supply, { rent: null, rented: null, rented_at: null })
  const { lender: from, stake } = supply
  if (lent?.state !== 'completed' || from === null || stake === null) return mark(needs, orgId, supply, { state: 'over' })
  const returned = supply.return_order_id === null ? undefined : await orderOf(needs, orgId, supply.return_order_id)
  if (returned?.state === 'completed') return mark(needs, orgId, supply, { state: 'over', reason: null })
  if (returned && !isFinal(returned.state)) return
  const lender = await needs.db.asOrganisation(orgId, (tx) => lenderAt(tx, supply.chain, from))
  const keep: Keep = (tx, { row }) => changeSupply(tx, needs, supply.id, { state: 'returning', reason: null, return_order_id: row.id })
  const made = lender ? await takeBack(needs, orgId, place, { lender, to: supply.address, stake, keep }) : { reason: 'no_lender' as const }
  if ('order' in made) return pokeTransfers(needs)
  if (supply.state !== 'returning' || supply.reason !== made.reason) await mark(needs, orgId, supply, { state: 'returning', reason: made.reason })
}

const mark = (needs: AgentNeeds, orgId: OrganisationId, { id }: Supply, set: Parameters<typeof changeSupply>[3]): Promise<void> =>
  needs.db.asOrganisation(orgId, (tx) => changeSupply(tx, needs, id, set))

async function orderOf({ db }: AgentNeeds, orgId: OrganisationId, id: OrderId): Promise<Order> {
  return known(await db.asOrganisation(orgId, (tx) => readOrder(tx, id)), `the order ${id}`)
}
