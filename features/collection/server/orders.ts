import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import {
  followedStandingOrders,
  proposeStandingOrder as propose,
  signerOrderOf,
  type StandingOrderInForce,
  type StandingOrderTerms,
  standingStops,
} from '@holdfast/features/policy/server'
import type { proposeStandingOrder } from '@holdfast/features/standing-order/contract'
import { readTerms, stopOf } from '@holdfast/features/standing-order/server'
import { namedSubWallets, readNamedSubWallets } from '@holdfast/features/wallet/server'
import { callsCollector, type StandingOrderIntent } from '@holdfast/intent'
import { bytesToUuid, formatAmount, known, newId } from '@holdfast/units'
import { collectionErrors } from '../errors.ts'
import { changeConfig, type Config, readTokens, type Token } from './configs.ts'

type Draft = InputOf<typeof proposeStandingOrder>['draft']
type Needs = Pick<ServerContext, 'networks' | 'ports' | 'settings'>

/**
 * What a collector rests on: by allowances its calls, the allowances of the addresses, and the coins with which those pay for them; by delegation its calls and
 * the authorizations of the addresses, which cost those nothing.
 */
const NAMES = { allowance: ['collect', 'allow', 'fuel'], delegation: ['take', 'authorize'] } as const
export type OrderName = (typeof NAMES)[Config['way']][number]
export const orderNames = ({ way }: Pick<Config, 'way'>): readonly OrderName[] => NAMES[way]

type Waiting = { trade_no: string; approval_url: string }

/** Where a standing order stands: the version that signers follow, whether it is stopped or over, and the version that waits. */
export type Standing = { inForce: StandingOrderInForce | undefined; isStopped: boolean; isOver: boolean; waiting: Waiting | undefined }
export type Standings = (config: Config) => (name: OrderName) => Standing

/** The ids of a collector's standing orders; null of one that nobody has asked for. */
export const orderIds = (config: Pick<Config, 'collect_order_id' | 'allow_order_id' | 'fuel_order_id'>): Record<OrderName, string | null> => ({
  collect: config.collect_order_id,
  take: config.collect_order_id,
  allow: config.allow_order_id,
  authorize: config.allow_order_id,
  fuel: config.fuel_order_id,
})

/** Where the standing orders of any collector stand. */
export async function readStandings(tx: OrganisationTx, context: Pick<ServerContext, 'ports' | 'settings'>): Promise<Standings> {
  const nowMs = BigInt(context.ports.clock.nowMs())
  const [followed, stops, open] = await Promise.all([
    followedStandingOrders(tx),
    standingStops(tx),
    tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('kind', '=', 'standing_order').where('is_final', '=', false).execute(),
  ])
  const proposed = open.map(signerOrderOf)
  const of = (id: string | null): Standing => {
    const inForce = followed.find(({ intent }) => bytesToUuid(intent.id) === id)
    const next = proposed.find(({ intent }) => intent.kind === 'standingOrder' && bytesToUuid(intent.id) === id)
    return {
      inForce,
      isStopped: inForce !== undefined && stopOf(stops, inForce) !== undefined,
      isOver: inForce !== undefined && inForce.intent.untilMs <= nowMs,
      waiting: next && { trade_no: next.row.id, approval_url: approvalUrl(context, next.row.intent_hash) },
    }
  }
  return (config) => (name) => of(orderIds(config)[name])
}

/** A standing order names at most so many places. */
const PLACES_MAX = 64

/** From which sub-wallets a collector takes: all of its wallet but those that pay or receive, each by its name where one of them is of the same wallet. */
async function sourcesOf(tx: OrganisationTx, config: Config): Promise<Draft['sources']> {
  const rows = await namedSubWallets(tx)
    .where('sub_wallet.wallet_id', '=', config.wallet_id as never)
    .execute()
  const apart = [config.target_sub_wallet_id, config.payer_sub_wallet_id]
  if (!rows.some(({ sub_wallet_id: id }) => apart.includes(id))) return [{ wallet_id: config.wallet_id, sub_wallet_id: null }]
  const rest = rows.filter(({ sub_wallet_id: id }) => !apart.includes(id))
  if (rest.length === 0) throw new AppError(collectionErrors.collector_same_payer)
  if (rest.length > PLACES_MAX) throw new AppError(collectionErrors.collector_many_parts)
  return rest.map(({ sub_wallet_id: id }) => ({ wallet_id: config.wallet_id, sub_wallet_id: id }))
}

/** The standing orders that a collector asks for, as a person would draft them. Throws AppError where it takes no token, or from nobody. */
async function draftsOf(
  tx: OrganisationTx,
  { networks }: Pick<Needs, 'networks'>,
  config: Config,
  tokens: readonly Token[],
): Promise<Record<OrderName, Draft>> {
  const { chain } = config
  const taken = tokens.filter(({ is_on: isOn }) => isOn)
  if (taken.length === 0) throw new AppError(collectionErrors.collector_no_tokens)
  const coin = known(networks.byContract(chain, ''), `the coin of ${chain}`)
  const names = await readNamedSubWallets(tx, [config.target_sub_wallet_id, config.payer_sub_wallet_id])
  const placeOf = (id: string) => ({ wallet_id: known(names.get(id), `sub-wallet ${id}`).wallet_id, sub_wallet_id: id })
  const [sources, payer] = [await sourcesOf(tx, config), placeOf(config.payer_sub_wallet_id)]
  const target = { kind: 'own' as const, ...placeOf(config.target_sub_wallet_id) }
  const feeMax = formatAmount(config.fee_max, coin.decimals)
  const assets = taken.map(({ contract, threshold, most }) => {
    const { symbol, decimals } = known(networks.byContract(chain, contract), `${contract} on ${chain}`)
    return { chain, symbol, at_least: formatAmount(threshold, decimals), at_most: formatAmount(most, decimals) }
  })
  const shared = { never: [], transfers: config.transactions, days: config.days, fees: [{ chain, max: feeMax, max_share: 100 }] }
  const nameOf = (what: string) => `${config.name}: ${what}`.slice(0, 100)
  const { collect_order_id: collecting, allow_order_id: allowing } = config
  const calls = { ...shared, id: collecting, name: nameOf('collect'), sources: [payer], targets: [target], assets }
  // Nothing bounds what runs in the name of an address, so no amount is asked for; whoever carries an authorization pays for it.
  const everything = [{ chain, symbol: coin.symbol, at_least: '0', at_most: '0' }]
  return {
    collect: { ...calls, kind: 'collect' },
    take: { ...calls, kind: 'take' },
    allow: { ...shared, id: allowing, kind: 'allow', name: nameOf('allow'), sources, targets: [target], assets },
    authorize: { ...shared, id: allowing, kind: 'authorize', name: nameOf('authorize'), sources, targets: [target], assets: everything, fees: [] },
    fuel: {
      ...{ ...shared, id: config.fuel_order_id, kind: 'fuel', name: nameOf('fees'), sources: [payer] },
      targets: sources.map((each) => ({ kind: 'own' as const, ...each })),
      assets: [{ chain, symbol: coin.symbol, at_least: formatAmount(1n, coin.decimals), at_most: formatAmount(config.fee_max * 2n, coin.decimals) }],
    },
  }
}

type Place = StandingOrderIntent['sources'][number]
const isBeneath = (place: Pick<Place, 'keyId' | 'path'>, wide: Pick<Place, 'keyId' | 'path'>) =>
  equalBytes(place.keyId, wide.keyId) && wide.path.length <= place.path.length && wide.path.every((each, i) => each === place.path[i])
const isWithin = (places: readonly Place[], wide: readonly Place[]) => places.every((each) => wide.some((from) => isBeneath(each, from)))

/** Whether what gets coins, or whose contract takes tokens, is among what people approved. */
function isThere(wanted: StandingOrderTerms['does'], given: StandingOrderTerms['does']): boolean {
  if (wanted.kind === 'fuel') return given.kind === 'fuel' && isWithin(wanted.to, given.to)
  if (!callsCollector(wanted)) return false
  const targets = callsCollector(given) && given.kind === wanted.kind ? given.to : []
  return wanted.to.every((each) => targets.some((to) => to.chain === each.chain && isBeneath(each, to) && isBeneath(to, each)))
}

/** Whether a standing order in force lets happen all that the terms ask for. */
function isCovered(terms: StandingOrderTerms, inForce: StandingOrderIntent): boolean {
  const countOf = ({ limits }: Pick<StandingOrderIntent, 'limits'>) => limits.find(({ each }) => each === 'rule')?.maxCount ?? 0n
  return (
    isThere(terms.does, inForce.does) &&
    isWithin(terms.sources, inForce.sources) &&
    terms.assets.every(({ asset, atLeast, atMost }) =>
      inForce.assets.some(
        (each) => each.asset.chain === asset.chain && each.asset.contract === asset.contract && each.atLeast <= atLeast && each.atMost >= atMost,
      ),
    ) &&
    terms.fees.every(({ asset, max }) => inForce.fees.some((each) => each.asset.chain === asset.chain && each.max >= max)) &&
    countOf(terms) <= countOf(inForce)
  )
}

/** What of a collector needs an approval, or another one: all of it, where nothing is set that could be approved. */
export async function unapprovedOf(
  tx: OrganisationTx,
  context: Needs,
  config: Config,
  tokens: readonly Token[],
  standings: ReturnType<Standings>,
): Promise<OrderName[]> {
  const drafts = await draftsOf(tx, context, config, tokens).catch((cause: unknown) => {
    if (cause instanceof AppError) return undefined
    throw cause
  })
  if (!drafts) return [...orderNames(config)]
  const found: OrderName[] = []
  for (const name of orderNames(config)) {
    const { inForce, isStopped, isOver } = standings(name)
    if (!inForce || isStopped || isOver || !isCovered(await readTerms(tx, context, drafts[name]), inForce.intent)) found.push(name)
  }
  return found
}

type Asked = { personId: string; language: Language; remark: string; demandSecondFactor: () => Promise<void> }

/** Puts what a collector still needs before those who approve; what waits already is not asked for again. Throws AppError where there is nothing to approve. */
export async function proposeOrders(tx: OrganisationTx, context: Needs, config: Config, asked: Asked): Promise<(Waiting & { kind: OrderName })[]> {
  const tokens = await readTokens(tx, [config.id])
  const standings = (await readStandings(tx, context))(config)
  const drafts = await draftsOf(tx, context, config, tokens)
  const needed = await unapprovedOf(tx, context, config, tokens, standings)
  const ids = orderIds(config)
  const pending: (Waiting & { kind: OrderName })[] = []
  for (const kind of orderNames(config)) {
    const { waiting } = standings(kind)
    if (waiting) pending.push({ ...waiting, kind })
    else if (needed.includes(kind)) {
      const id = ids[kind] ?? newId(context.ports.clock.nowMs(), context.ports.random)
      const { order } = await propose(tx, context, { ...asked, key: null, terms: await readTerms(tx, context, { ...drafts[kind], id }) })
      ids[kind] = id
      pending.push({ kind, trade_no: order.row.id, approval_url: approvalUrl(context, order.row.intent_hash) })
    }
  }
  await changeConfig(tx, context, config, {
    collect_order_id: config.way === 'delegation' ? ids.take : ids.collect,
    allow_order_id: config.way === 'delegation' ? ids.authorize : ids.allow,
    fuel_order_id: ids.fuel,
    is_paused: false,
    is_revoking: false,
  })
  return pending
}
