import { ChainError, leftOf } from '@holdfast/chain-core'
import { AppError, type InputOf, type Language, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { standingOrdersInForce } from '@holdfast/features/standing-order/server'
import { readNamedSubWallets, subWalletPath } from '@holdfast/features/wallet/server'
import { amountOf } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { formatAmount, type OrganisationId, type PersonId, type SubWalletId } from '@holdfast/units'
import type { getAgent, saveAgent } from '../../agent-contract.ts'
import { tronPlaces } from '../tron-places.ts'
import { type AgentNeeds, type LenderAt, lendsEnergyOn, type Place } from './lend.ts'
import { priceOfRent, providerOf } from './rent.ts'
import { savedBy } from './saved-by.ts'
import { burnedToday, readAddressOf, readAgent, readLenders, rentedToday, type Supply } from './supplies.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'> & Pick<AgentNeeds, 'market'>

const HOUR_MS = 3_600_000
const HOURS = 24
/** What a transfer of a token uses, about. */
const TRANSFER_UNITS = 65_000n

/** The network on which energy is lent: the first that gives it for stake. Throws `tron_no_data` if this server knows none. */
export function agentPlace(needs: Pick<ServerContext, 'networks'>): Place {
  const [place] = tronPlaces(needs)
  if (!place) throw new AppError(resourceErrors.tron_no_data)
  return place
}

/** How energy is lent and rented, who lends by the word of the network, and what came of it in the last 24 hours. */
export async function agentView(needs: Needs, orgId: OrganisationId, language: Language): Promise<OutputOf<typeof getAgent>> {
  const place = agentPlace(needs)
  const { network, coin } = place
  const nowMs = needs.ports.clock.nowMs()
  const { chain } = network
  const kept = await needs.db.asOrganisation(orgId, (tx) => readKept(tx, chain, nowMs))
  const { agent, standing, accounts, supplies } = kept
  const [lenders, payers, price, offer] = await Promise.all([
    Promise.all(kept.lenders.map((each) => lenderView(place, kept.names, each))),
    Promise.all(kept.payers.map((each) => lenderView(place, kept.names, each))),
    energyPrice(place),
    offerOf(needs, kept.lenders[0]?.address),
  ])
  const [first] = lenders
  const shown = (value: bigint) => formatAmount(value, coin.decimals)
  const moved = standing?.assets.find(({ asset }) => asset.chain === chain)
  return {
    chain,
    network: network.name,
    symbol: coin.symbol,
    enabled: agent?.is_on ?? false,
    auth_wallet_id: first?.wallet_id ?? null,
    auth_sub_wallet_id: agent?.sub_wallet_id ?? null,
    auth_name: first?.name ?? null,
    auth_address: first?.address ?? null,
    permission_ok: first?.permission_ok ?? null,
    lender: first?.told ?? null,
    lenders: lenders.map(({ told, ...each }) => ({
      ...each,
      energy: told?.energy ?? null,
      staked_trx: told?.staked_trx ?? null,
      delegated_trx: told?.delegated_trx ?? null,
    })),
    rent: rentView(kept, { chain, offer, payer: payers[0], shown, language }),
    standing: standing && moved ? { name: standing.name, at_most_trx: shown(moved.atMost), until: Number(standing.untilMs) } : null,
    budget_day: shown(agent?.budget_day ?? 0n),
    max_trx: shown(agent?.burn_max ?? 0n),
    fallback: agent?.fallback ?? 'wait',
    accounts_on: Number(accounts.count),
    prices: [
      ...(price === undefined ? [] : [{ resource_type: 'energy' as const, type: 'burn' as const, price_sun: String(price) }]),
      ...(offer === undefined ? [] : [{ resource_type: 'energy' as const, type: 'rent' as const, price_sun: String(offer.price / offer.energy) }]),
    ],
    today: {
      ...sumsOf(supplies, shown),
      ...{ payments: supplies.length, saved_trx: shown(supplies.reduce((sum, each) => sum + savedBy(each), 0n)) },
      // As budgets count it.
      ...{ burned_trx: shown(kept.burned), rented_trx: shown(kept.rented) },
    },
    hours: Array.from({ length: HOURS }, (_, i) => {
      const at = nowMs - (nowMs % HOUR_MS) - (HOURS - 1 - i) * HOUR_MS
      const read = supplies.filter((each) => Number(each.burned_at) >= at && Number(each.burned_at) < at + HOUR_MS)
      return { at, ...sumsOf(read, shown) }
    }),
  }
}

/** What is asked now for the energy of one transfer; undefined where nobody rents it out, or nothing is known that it could be rented for. */
const offerOf = (needs: Needs, receiver: string | undefined) => (receiver === undefined ? undefined : priceOfRent(needs, { receiver, energy: TRANSFER_UNITS }))

type Offer = NonNullable<Awaited<ReturnType<typeof priceOfRent>>>
type Kept = Awaited<ReturnType<typeof readKept>>
type Shown = (value: bigint) => string
type Rented = { chain: string; offer: Offer | undefined; payer: Awaited<ReturnType<typeof lenderView>> | undefined; shown: Shown; language: Language }

function rentView({ agent, renting, rented }: Kept, { chain, offer, payer, shown, language }: Rented): OutputOf<typeof getAgent>['rent'] {
  const paid = renting?.assets.find(({ asset }) => asset.chain === chain)
  const [day] = renting?.limits.flatMap(({ amounts }) => amounts).filter((each) => each.chain === chain) ?? []
  const { told: _, ...named } = payer ?? { told: null }
  return {
    enabled: agent?.rents ?? false,
    market: offer ? { host: offer.host, label: offer.labels[language], pay_to: offer.payTo, hours: offer.hours } : null,
    payer: payer ? (named as Omit<NonNullable<typeof payer>, 'told'>) : null,
    max_trx: shown(agent?.rent_max ?? 0n),
    budget_day: shown(agent?.rent_day ?? 0n),
    today_trx: shown(rented),
    standing:
      renting && paid
        ? {
            name: renting.name,
            pay_to: providerOf(renting, chain) ?? '',
            at_most_trx: shown(paid.atMost),
            day_most_trx: day ? shown(day.max) : null,
            until: Number(renting.untilMs),
          }
        : null,
  }
}

/** What is kept here of how energy is lent on a network, with the payments of which it was read in the last 24 hours what they used. */
async function readKept(tx: OrganisationTx, chain: string, nowMs: number) {
  const agent = await readAgent(tx, chain)
  const lenders = agent ? await readLenders(tx, agent) : []
  const payer = agent?.payer_sub_wallet_id == null ? undefined : await readAddressOf(tx, chain, agent.payer_sub_wallet_id)
  const payers = payer ? [payer] : []
  const standing = (await standingOrdersInForce(tx, nowMs)).map(({ intent }) => intent)
  return {
    agent,
    lenders,
    payers,
    names: await readNamedSubWallets(tx, [...new Set([...lenders, ...payers].map(({ subWalletId }) => subWalletId))]),
    standing: standing.find((each) => lendsEnergyOn(each, chain)),
    renting: standing.find((each) => providerOf(each, chain) !== undefined),
    burned: await burnedToday(tx, chain, nowMs),
    rented: await rentedToday(tx, chain, nowMs),
    accounts: await tx
      .selectFrom('tron_account')
      .select((row) => row.fn.countAll<bigint>().as('count'))
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('is_on', '=', true)
      .executeTakeFirstOrThrow(),
    supplies: await tx
      .selectFrom('tron_supply')
      .selectAll()
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('burned_at', '>', BigInt(nowMs - HOURS * HOUR_MS))
      .execute(),
  }
}

function sumsOf(supplies: readonly Supply[], shown: (value: bigint) => string) {
  const sum = (of: (each: Supply) => bigint) => supplies.reduce((all, each) => all + of(each), 0n)
  return {
    used: String(sum(({ used }) => used ?? 0n)),
    covered: String(sum(({ covered }) => covered ?? 0n)),
    burned_trx: shown(sum(({ burned }) => burned ?? 0n)),
  }
}

/** An own address that lends or pays, as the network tells it; `told` is null where it does not. */
async function lenderView({ network, stake, coin }: Place, names: Kept['names'], { address, subWalletId }: LenderAt) {
  const named = names.get(subWalletId)
  const shown = (value: bigint) => formatAmount(value, coin.decimals)
  const place = { wallet_id: named?.wallet_id ?? '', sub_wallet_id: subWalletId as string, name: named ? subWalletPath(named) : '', address }
  try {
    const [control, { meters, stakes }] = await Promise.all([network.node.control?.(address), stake.resources(address)])
    const told = {
      energy: { have: String(leftOf(meters.energy)), limit: String(meters.energy.limit) },
      staked_trx: shown(stakes.energy.own),
      delegated_trx: shown(stakes.energy.delegatedOut),
      delegatable_trx: shown(stakes.energy.delegatable),
    }
    return { ...place, permission_ok: control?.isOwn ?? null, told }
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    return { ...place, permission_ok: null, told: null }
  }
}

async function energyPrice({ stake }: Place): Promise<bigint | undefined> {
  try {
    return await stake.energyPrice()
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/** Sets who lends, and what else is done. Throws `wallet_not_found` if the sub-wallet has no address on the network. */
export async function keepAgent(tx: OrganisationTx, needs: Needs, personId: PersonId, input: InputOf<typeof saveAgent>): Promise<void> {
  const { network, coin } = agentPlace(needs)
  const subWalletId = input.auth_sub_wallet_id as SubWalletId
  const before = await readAgent(tx, network.chain)
  const further = [...new Set(input.further_lenders ?? [])].filter((each) => each !== subWalletId)
  const payer = (input.payer_sub_wallet_id ?? before?.payer_sub_wallet_id ?? null) as SubWalletId | null
  for (const each of [subWalletId, ...further, ...(payer === null ? [] : [payer])])
    if (!(await readAddressOf(tx, network.chain, each as SubWalletId))) throw new AppError('wallet_not_found')
  const rentOf = (typed: string | undefined, kept: bigint | undefined) => (typed === undefined ? (kept ?? 0n) : amountOf(typed, coin))
  const set = {
    sub_wallet_id: subWalletId,
    further_lenders: further,
    rents: (input.rents ?? before?.rents ?? false) && payer !== null,
    payer_sub_wallet_id: payer,
    rent_day: rentOf(input.rent_budget_day, before?.rent_day),
    rent_max: rentOf(input.rent_max_trx, before?.rent_max),
    fallback: input.fallback,
    budget_day: amountOf(input.budget_day, coin),
    burn_max: amountOf(input.max_trx, coin),
    updated_by: personId,
    updated_at: needs.ports.clock.nowMs(),
  }
  await tx
    .insertInto('tron_agent')
    .values({ org_id: tx.orgId, chain: network.chain, is_on: false, ...set })
    .onConflict((conflict) => conflict.columns(['org_id', 'chain']).doUpdateSet(set))
    .execute()
  await announce(tx, needs.ports, 'tron.changed', {})
}

/** Switches lending on or off. Throws `tron_no_data` before anybody said who lends. */
export async function turnAgent(tx: OrganisationTx, needs: Needs, personId: PersonId, isOn: boolean): Promise<void> {
  const { network } = agentPlace(needs)
  const { numUpdatedRows } = await tx
    .updateTable('tron_agent')
    .set({ is_on: isOn, updated_by: personId, updated_at: needs.ports.clock.nowMs() })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', network.chain)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError(resourceErrors.tron_no_data)
  await announce(tx, needs.ports, 'tron.changed', {})
}
