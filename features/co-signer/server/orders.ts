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
import { namedSubWallets } from '@holdfast/features/wallet/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import { bytesToUuid, formatAmount, known, newId } from '@holdfast/units'
import { coSignerErrors } from '../errors.ts'
import { fuelledChains, most, type Plan } from './plan.ts'

export type OrderName = 'sweep' | 'fuel'
type Draft = InputOf<typeof proposeStandingOrder>['draft']
type Needs = Pick<ServerContext, 'networks' | 'ports' | 'settings'>

/** Where a standing order of a plan stands: the version that signers follow, whether somebody stopped it, and the version that waits. */
export type Standing = { inForce: StandingOrderInForce | undefined; isStopped: boolean; isOver: boolean; waiting: Waiting | undefined }
type Waiting = { trade_no: string; approval_url: string }

/** What is set and not approved. */
export type Unapproved = { what: 'sub_wallets' | 'scope' | 'coin' | 'fee' | 'fuel' | 'limits' | 'time'; name: string }

const ids = (plan: Plan) => ({ sweep: plan.orders.sweep, fuel: plan.orders.fuel })

/** Where both standing orders of a plan stand. */
export async function standingsOf(tx: OrganisationTx, context: Pick<ServerContext, 'ports' | 'settings'>, plan: Plan): Promise<Record<OrderName, Standing>> {
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
  return { sweep: of(ids(plan).sweep), fuel: of(ids(plan).fuel) }
}

/** What is missing before a plan can be put before those who approve. */
export function missingOf(plan: Plan): ('collect_wallet' | 'scope' | 'coin_rules' | 'fuel_wallet')[] {
  const { collect, fuel, scope, rules } = plan
  return [
    ...(collect ? [] : ['collect_wallet' as const]),
    ...(scope.mode === 'part' && scope.subWalletIds.length === 0 ? ['scope' as const] : []),
    ...(rules.some(({ isOn }) => isOn) ? [] : ['coin_rules' as const]),
    ...(fuelledChains(plan).length > 0 && !fuel ? ['fuel_wallet' as const] : []),
  ]
}

/** The standing orders that a plan asks for, as a person would draft them; undefined of one that it does not need. Throws AppError. */
export async function draftsOf(
  tx: OrganisationTx,
  { networks }: Pick<Needs, 'networks'>,
  walletId: string,
  plan: Plan,
): Promise<Record<OrderName, Draft | undefined>> {
  const { collect, fuel, scope, transfers, days } = plan
  const rules = plan.rules.filter(({ isOn }) => isOn)
  if (!collect || rules.length === 0) return { sweep: undefined, fuel: undefined }
  const wallet = await tx
    .selectFrom('wallet')
    .select((row) => row.fn.coalesce('alias', 'name').as('name'))
    .where('org_id', '=', tx.orgId)
    .where('id', '=', walletId as never)
    .executeTakeFirstOrThrow()
  const coinOf = (chain: string) => known(networks.byContract(chain, ''), `the coin of ${chain}`)
  const assetOf = (chain: string, contract: string) => known(networks.byContract(chain, contract), `${contract} on ${chain}`)
  const chains = [...new Set(rules.map(({ chain }) => chain))]
  const whole = { wallet_id: walletId, sub_wallet_id: null }
  const parts = (subWalletIds: readonly string[]) => subWalletIds.map((id) => ({ wallet_id: walletId, sub_wallet_id: id }))
  const shared = { never: [], transfers, days }
  const sweep: Draft = {
    ...shared,
    id: plan.orders.sweep,
    kind: 'sweep',
    name: `${wallet.name}: collect`.slice(0, 100),
    sources: scope.mode === 'part' ? parts(scope.subWalletIds) : [whole],
    targets: [{ kind: 'own', wallet_id: collect.walletId, sub_wallet_id: collect.subWalletId }],
    assets: rules.map(({ chain, contract, symbol, collectMin, singleMin, collectMax }) => {
      const { decimals } = assetOf(chain, contract)
      const least = singleMin !== null && BigInt(singleMin) < BigInt(collectMin) ? singleMin : collectMin
      return { chain, symbol, at_least: formatAmount(BigInt(least), decimals), at_most: formatAmount(BigInt(collectMax), decimals) }
    }),
    fees: chains.map((chain) => {
      const own = rules.filter((rule) => rule.chain === chain)
      const max = formatAmount(most(own.map(({ maxFee }) => BigInt(maxFee))), coinOf(chain).decimals)
      return { chain, max, max_share: Math.max(...own.map(({ maxFeeShare }) => maxFeeShare)) / 100 }
    }),
  }
  const fuelled = fuelledChains(plan)
  if (!fuel || fuelled.length === 0) return { sweep, fuel: undefined }
  return {
    sweep,
    fuel: {
      ...shared,
      id: plan.orders.fuel,
      kind: 'fuel',
      name: `${wallet.name}: fees`.slice(0, 100),
      sources: [{ wallet_id: fuel.walletId, sub_wallet_id: fuel.subWalletId }],
      targets: (await fuelledPlaces(tx, walletId, plan)).map((each) => ({ kind: 'own' as const, ...each })),
      assets: fuelled.map(({ chain, limit }) => {
        const { symbol, decimals } = coinOf(chain)
        return { chain, symbol, at_least: formatAmount(1n, decimals), at_most: formatAmount(limit, decimals) }
      }),
      fees: fuelled.map(({ chain, maxFee }) => ({ chain, max: formatAmount(maxFee, coinOf(chain).decimals), max_share: 100 })),
    },
  }
}

/** A standing order names at most so many places. */
const PLACES_MAX = 64

/** Which sub-wallets get coins for fees. Whoever pays them is not among them, and signers know no exception: then each is named. */
async function fuelledPlaces(tx: OrganisationTx, walletId: string, { fuel, scope }: Plan): Promise<{ wallet_id: string; sub_wallet_id: string | null }[]> {
  if (scope.mode === 'all' && fuel?.walletId !== walletId) return [{ wallet_id: walletId, sub_wallet_id: null }]
  const rows = await namedSubWallets(tx)
    .where('sub_wallet.wallet_id', '=', walletId as never)
    .execute()
  const isIn = (id: string) => id !== fuel?.subWalletId && (scope.mode === 'all' || scope.subWalletIds.includes(id) === (scope.mode === 'part'))
  const found = rows.filter(({ sub_wallet_id: id }) => isIn(id)).map(({ sub_wallet_id: id }) => ({ wallet_id: walletId, sub_wallet_id: id }))
  if (found.length > PLACES_MAX) throw new AppError(coSignerErrors.collecting_many_parts)
  return found
}

const nameOf = (asset: { symbol: string }) => asset.symbol
type Place = StandingOrderIntent['sources'][number]
const isBeneath = (place: Place, wide: Place) =>
  equalBytes(place.keyId, wide.keyId) && wide.path.length <= place.path.length && wide.path.every((each, i) => each === place.path[i])
const isWithin = (places: readonly Place[], wide: readonly Place[]) => places.every((each) => wide.some((from) => isBeneath(each, from)))

/** What of the terms a standing order does not let happen; empty if it covers them. */
export function uncovered(terms: StandingOrderTerms, inForce: StandingOrderIntent | undefined): Unapproved[] {
  if (!inForce) return [{ what: terms.does.kind === 'fuel' ? 'fuel' : 'sub_wallets', name: '' }]
  const found: Unapproved[] = []
  const isTarget = (): boolean => {
    const { does } = terms
    if (does.kind === 'fuel') return inForce.does.kind === 'fuel' && isWithin(does.to, inForce.does.to)
    if (does.kind !== 'sweep') return false
    const targets = inForce.does.kind === 'sweep' ? inForce.does.to : []
    const keyOf = (each: (typeof does.to)[number]) =>
      each.kind === 'own' ? `${each.chain} ${bytesHex(each.keyId)}/${each.path.join('/')}` : `${each.chain} ${each.address} ${each.memo ?? ''}`
    return does.to.every((each) => targets.some((target) => keyOf(target) === keyOf(each)))
  }
  if (!isTarget()) found.push({ what: terms.does.kind === 'fuel' ? 'fuel' : 'sub_wallets', name: '' })
  if (!isWithin(terms.sources, inForce.sources)) found.push({ what: 'scope', name: '' })
  for (const { asset, atLeast, atMost } of terms.assets) {
    const allowed = inForce.assets.find((each) => each.asset.chain === asset.chain && each.asset.contract === asset.contract)
    if (!allowed || allowed.atLeast > atLeast || allowed.atMost < atMost)
      found.push({ what: terms.does.kind === 'fuel' ? 'fuel' : 'coin', name: nameOf(asset) })
  }
  for (const { asset, max, maxShare } of terms.fees) {
    const allowed = inForce.fees.find((each) => each.asset.chain === asset.chain)
    if (!allowed || allowed.max < max || allowed.maxShare < maxShare) found.push({ what: 'fee', name: nameOf(asset) })
  }
  const countOf = ({ limits }: Pick<StandingOrderIntent, 'limits'>) => limits.find(({ each }) => each === 'rule')?.maxCount ?? 0n
  if (countOf(terms) > countOf(inForce)) found.push({ what: 'limits', name: '' })
  return found
}

const bytesHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** What of a plan is not approved: of a standing order that is stopped or over, that it is. Needs a plan that misses nothing. */
export async function unapprovedOf(
  tx: OrganisationTx,
  context: Needs,
  walletId: string,
  plan: Plan,
  standings: Record<OrderName, Standing>,
): Promise<Record<OrderName, Unapproved[]>> {
  const drafts = await draftsOf(tx, context, walletId, plan)
  const of = async (name: OrderName): Promise<Unapproved[]> => {
    const draft = drafts[name]
    if (!draft) return []
    const { inForce, isStopped, isOver } = standings[name]
    const found = uncovered(await readTerms(tx, context, draft), inForce?.intent)
    return inForce && (isStopped || isOver) ? [...found, { what: 'time', name: '' }] : found
  }
  return { sweep: await of('sweep'), fuel: await of('fuel') }
}

/** Puts what a plan still needs before those who approve; what waits already is not asked for again. Answers the plan's orders, by their ids. */
export async function proposeOrders(
  tx: OrganisationTx,
  context: Needs,
  walletId: string,
  plan: Plan,
  asked: { personId: string; language: Language; remark: string; demandSecondFactor: () => Promise<void> },
): Promise<{ orders: Plan['orders']; pending: (Waiting & { kind: OrderName })[] }> {
  const standings = await standingsOf(tx, context, plan)
  const drafts = await draftsOf(tx, context, walletId, plan)
  const needed = await unapprovedOf(tx, context, walletId, plan, standings)
  const orders = { ...plan.orders }
  const pending: (Waiting & { kind: OrderName })[] = []
  for (const kind of ['sweep', 'fuel'] as const) {
    const { waiting } = standings[kind]
    const draft = drafts[kind]
    if (waiting) pending.push({ ...waiting, kind })
    else if (draft && needed[kind].length > 0) {
      const id = orders[kind] ?? newId(context.ports.clock.nowMs(), context.ports.random)
      const terms = await readTerms(tx, context, { ...draft, id })
      const { order } = await propose(tx, context, { ...asked, key: null, terms })
      orders[kind] = id
      pending.push({ kind, trade_no: order.row.id, approval_url: approvalUrl(context, order.row.intent_hash) })
    }
  }
  return { orders, pending }
}
