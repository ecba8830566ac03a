import { ChainError } from '@holdfast/chain-core'
import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
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
import { lendsEnergyOn, type Place } from './lend.ts'
import { readAgent, readLender, type Supply } from './supplies.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>

const HOUR_MS = 3_600_000
const HOURS = 24

/** The network on which energy is lent: the first that gives it for stake. Throws `tron_no_data` if this server knows none. */
export function agentPlace(needs: Pick<ServerContext, 'networks'>): Place {
  const [place] = tronPlaces(needs)
  if (!place) throw new AppError(resourceErrors.tron_no_data)
  return place
}

/** How energy is lent, who lends by the word of the network, and what came of it in the last 24 hours. */
export async function agentView(needs: Needs, orgId: OrganisationId): Promise<OutputOf<typeof getAgent>> {
  const place = agentPlace(needs)
  const { network, coin } = place
  const nowMs = needs.ports.clock.nowMs()
  const { chain } = network
  const { agent, lender, name, standing, accounts, supplies } = await needs.db.asOrganisation(orgId, (tx) => readKept(tx, chain, nowMs))
  const told = await (lender ? askNode(place, lender.address) : undefined)
  const price = await energyPrice(place)
  const shown = (value: bigint) => formatAmount(value, coin.decimals)
  const moved = standing?.assets.find(({ asset }) => asset.chain === chain)
  return {
    chain,
    network: network.name,
    symbol: coin.symbol,
    enabled: agent?.is_on ?? false,
    auth_wallet_id: name?.wallet_id ?? null,
    auth_sub_wallet_id: agent?.sub_wallet_id ?? null,
    auth_name: name ? subWalletPath(name) : null,
    auth_address: lender?.address ?? null,
    permission_ok: told?.isOwn ?? null,
    lender: told
      ? {
          energy: { have: String(told.energy.limit > told.energy.used ? told.energy.limit - told.energy.used : 0n), limit: String(told.energy.limit) },
          staked_trx: shown(told.stake.own),
          delegated_trx: shown(told.stake.delegatedOut),
          delegatable_trx: shown(told.stake.delegatable),
        }
      : null,
    standing:
      standing && moved
        ? {
            name: standing.name,
            at_most_trx: shown(moved.atMost),
            until: Number(standing.untilMs),
          }
        : null,
    budget_day: shown(agent?.budget_day ?? 0n),
    max_trx: shown(agent?.burn_max ?? 0n),
    fallback: agent?.fallback ?? 'wait',
    accounts_on: Number(accounts.count),
    prices: price === undefined ? [] : [{ resource_type: 'energy' as const, type: 'burn' as const, price_sun: String(price) }],
    today: { ...sumsOf(supplies, shown), payments: supplies.filter((each) => each.order_id !== null).length },
    hours: Array.from({ length: HOURS }, (_, i) => {
      const at = nowMs - (nowMs % HOUR_MS) - (HOURS - 1 - i) * HOUR_MS
      const { used, covered, burned_trx } = sumsOf(
        supplies.filter((each) => Number(each.created_at) >= at && Number(each.created_at) < at + HOUR_MS),
        shown,
      )
      return { at, used, covered, burned_trx }
    }),
  }
}

/** What is kept here of how energy is lent on a network, with the loans of the last 24 hours. */
async function readKept(tx: OrganisationTx, chain: string, nowMs: number) {
  const agent = await readAgent(tx, chain)
  const named = agent && (await readNamedSubWallets(tx, [agent.sub_wallet_id])).get(agent.sub_wallet_id)
  return {
    agent,
    name: named,
    lender: agent && (await readLender(tx, chain, agent.sub_wallet_id)),
    standing: (await standingOrdersInForce(tx, nowMs)).map(({ intent }) => intent).find((each) => lendsEnergyOn(each, chain)),
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
      .where('created_at', '>', BigInt(nowMs - HOURS * HOUR_MS))
      .execute(),
  }
}

/** What of the units that payments used nobody paid for, what was burned for the others, and what the covered ones would have cost. */
export const savedBy = ({ covered, price }: Pick<Supply, 'covered' | 'price'>): bigint => (covered ?? 0n) * price

function sumsOf(supplies: readonly Supply[], shown: (value: bigint) => string) {
  const sum = (of: (each: Supply) => bigint) => supplies.reduce((all, each) => all + of(each), 0n)
  return {
    used: String(sum(({ used }) => used ?? 0n)),
    covered: String(sum(({ covered }) => covered ?? 0n)),
    burned_trx: shown(sum(({ burned }) => burned ?? 0n)),
    saved_trx: shown(sum(savedBy)),
  }
}

async function askNode({ network, stake }: Place, address: string) {
  try {
    const [control, resources] = await Promise.all([network.node.control?.(address), stake.resources(address)])
    return { isOwn: control?.isOwn ?? null, energy: resources.meters.energy, stake: resources.stakes.energy }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
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
  if (!(await readLender(tx, network.chain, subWalletId))) throw new AppError('wallet_not_found')
  const set = {
    sub_wallet_id: subWalletId,
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
