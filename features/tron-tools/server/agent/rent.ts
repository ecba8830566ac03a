import { AppError } from '@holdfast/contract'
import { standingOrdersInForce } from '@holdfast/features/standing-order/server'
import { isFinal, openMove, type Order } from '@holdfast/features/transfer/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import type { OrganisationId } from '@holdfast/units'
import { EnergyMarketError, type EnergyMarket, type EnergyQuote, type Rental } from '../market/energy-market.ts'
import { chooseRent, isAwaited, type RentReason, unitsToRent } from './choose-rent.ts'
import { type AgentNeeds, type LenderAt, NORMAL, type Passed, type Place } from './lend.ts'
import { type Agent, changeSupply, readAddressOf, rentedToday, type Supply } from './supplies.ts'

/** A payment for energy that is not signed in this time is not made any more: its price was one of a moment. */
const LIFE_MS = 10 * 60_000
const YOUNG_MS = 2 * 60_000

type Renting = { agent: Agent; supply: Supply; lack: bigint; passed: readonly Passed[] }

/**
 * Rents the energy that an address lacks: orders it and opens the payment for it, under a standing order that pays this provider alone. Answers why not, or
 * nothing if it is under way. Throws ChainError where the network does not answer.
 */
export async function rent(needs: AgentNeeds, orgId: OrganisationId, place: Place, renting: Renting): Promise<Passed | undefined> {
  const { market } = needs
  const who = market?.host ?? ''
  const not = (reason: RentReason): Passed => ({ by: 'rent', who, reason })
  if (!market) return not('rent_no_market')
  const { agent, supply, lack } = renting
  const { chain } = place.network
  const nowMs = needs.ports.clock.nowMs()
  const { payer, standing, today } = await needs.db.asOrganisation(orgId, async (tx) => ({
    payer: agent.payer_sub_wallet_id === null ? undefined : await readAddressOf(tx, chain, agent.payer_sub_wallet_id),
    standing: (await standingOrdersInForce(tx, nowMs)).map(({ intent }) => intent).filter((each) => providerOf(each, chain) !== undefined),
    today: await rentedToday(tx, chain, nowMs),
  }))
  if (!payer) return not('rent_no_payer')
  const [first] = standing
  if (!first) return not('rent_no_order')
  if (!(await place.network.node.control?.(payer.address))?.isOwn) return not('rent_permission')
  const units = unitsToRent(lack)
  const quote = await orAway(() => market.quote({ receiver: supply.address, energy: units }))
  if (!quote) return not('rent_away')
  const bounds = { max: agent.rent_max, day: agent.rent_day, today }
  const given = { units, burn: lack * supply.price, bounds }
  const fitting = standing.find((each) => providerOf(each, chain) === quote.payTo) ?? first
  const chosen = chooseRent(quote, { ...given, terms: termsOf(fitting, chain) })
  if ('reason' in chosen) return not(chosen.reason)
  const reason = await orderAndPay(needs, orgId, place, { ...renting, market, quote, standing: fitting, payer, units })
  return reason && not(reason)
}

/** Whom a standing order pays for energy on a network; undefined if it pays nobody for that. */
export const providerOf = ({ does }: StandingOrderIntent, chain: string): string | undefined =>
  does.kind === 'rent' ? does.to.find((each) => each.chain === chain)?.address : undefined

function termsOf(standing: StandingOrderIntent, chain: string) {
  const moved = standing.assets.find(({ asset }) => asset.chain === chain)
  return { payTo: providerOf(standing, chain) ?? '', atLeast: moved?.atLeast ?? 0n, atMost: moved?.atMost ?? 0n }
}

/** What the provider answers; undefined where it does not, which is no failure of the payment that waits. */
async function orAway<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof EnergyMarketError) return undefined
    throw cause
  }
}

type Paying = Renting & { market: EnergyMarket; quote: EnergyQuote; standing: StandingOrderIntent; payer: LenderAt; units: bigint }

async function orderAndPay(
  needs: AgentNeeds,
  orgId: OrganisationId,
  { network, coin }: Place,
  { market, quote, standing, payer, units, supply, lack, passed }: Paying,
): Promise<RentReason | undefined> {
  const { address: from, subWalletId } = payer
  const { price, payTo } = quote
  const nowMs = needs.ports.clock.nowMs()
  // What is not paid costs nothing, so that an order is made anew once it is not young any more.
  const reference = `${supply.id}.${Math.floor(nowMs / YOUNG_MS)}`
  const asset = { chain: network.chain, contract: null }
  const fee = (await network.node.estimateFee({ from, to: payTo, asset, amount: price }))[NORMAL].feeMax
  const most = standing.fees.find((each) => each.asset.chain === network.chain)?.max ?? 0n
  if (fee > most) return 'rent_fee_too_high'
  const ordered = await orAway(() => market.order({ receiver: supply.address, energy: units, payer: from, reference }))
  if (!ordered) return 'rent_away'
  // What is ordered is what was offered, or it is not paid.
  const isWhatWasOffered = ordered.payTo === payTo && ordered.price <= price && ordered.state === 'unpaid'
  if (!isWhatWasOffered || ordered.expiresAtMs < nowMs + LIFE_MS) return 'rent_failed'
  const paid = { from, to: payTo, memo: null, asset: coin, amount: ordered.price, feeCap: { asset: coin, amount: fee } }
  const move = { kind: 'rent' as const, standing, subWalletId, network, ...paid, lifeMs: LIFE_MS }
  try {
    // The payment and what says that it was made are one: a program that ends between them would pay twice.
    return await needs.db.asOrganisation(orgId, async (tx) => {
      const opened = await openMove(tx, needs, move)
      if (!('order' in opened)) return REASONS[opened.reason]
      const rented = { rental: ordered.id, rented: units, rent: ordered.price, rented_at: nowMs, rent_order_id: opened.order.row.id }
      await changeSupply(tx, needs, supply.id, { state: 'renting', reason: null, lacked: lack, passed: JSON.stringify(passed), ...rented })
      return undefined
    })
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    return cause.errorName === 'insufficient_balance' ? 'rent_no_coins' : 'rent_failed'
  }
}

const REASONS = { not_covered: 'rent_not_covered', limit_used: 'rent_limit_used', halted: 'rent_failed', alarm: 'rent_permission' } as const

/** Whether energy that was ordered is still waited for, and else why it does not come. The provider is told of the payment as long as it is. */
export async function awaitRented(needs: AgentNeeds, supply: Supply, order: Order): Promise<{ isAwaited: boolean; passed: Passed }> {
  const { state, row } = order
  const { market } = needs
  const who = market?.host ?? ''
  const passed = (reason: RentReason): Passed => ({ by: 'rent', who, reason })
  const look = async (): Promise<Rental | undefined> =>
    market && supply.rental !== null && row.txid !== null ? orAway(() => market.look(supply.rental ?? '', row.txid)) : undefined
  if (!isFinal(state)) {
    if (row.block_height !== null) await look()
    return { isAwaited: true, passed: passed('rent_failed') }
  }
  if (state !== 'completed') return { isAwaited: false, passed: passed('rent_failed') }
  const told = await look()
  const saysFailed = told?.state === 'failed' || told?.state === 'over'
  const waits = isAwaited({ isPaid: true, paidAtMs: Number(row.updated_at), nowMs: needs.ports.clock.nowMs(), saysFailed })
  return { isAwaited: waits, passed: passed('rent_not_delivered') }
}

/** What it would cost to rent so much energy for an address now; undefined where nobody says. */
export async function priceOfRent({ market }: Pick<AgentNeeds, 'market'>, asked: { receiver: string; energy: bigint }) {
  const quote = market && asked.energy > 0n ? await orAway(() => market.quote(asked)) : undefined
  return market && quote && { ...quote, host: market.host }
}
