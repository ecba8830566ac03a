import { AppError, answerPage, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { ownCoin } from '@holdfast/features/network/server'
import { formatWorth, latestPrices, priceKey, worthAt } from '@holdfast/features/price/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { COIN_PARTS } from '@holdfast/features/utxo/contract'
import { readCoinParts } from '@holdfast/features/utxo/server'
import { formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import * as contract from '../contract.ts'
import { coSignerErrors } from '../errors.ts'
import { askedWith, changePlan, type Plan, readPlan } from './plan.ts'
import { lookOf } from './setup-routes.ts'

type Held = OutputOf<typeof contract.listCollectingFunds>['list'][number]

/** What can be done here about a reason; about every other one nothing can, or nothing has to. */
const ACTIONS: Readonly<Record<string, Held['action']>> = {
  below_threshold: 'collect_now',
  scheduled: 'collect_now',
  left: 'follow_rule',
  paused: 'run',
  switched_off: 'switch_on',
  out_of_scope: 'include',
  black_address: 'unblock',
  no_fee_coins: 'set_rule',
  fee_too_high: 'set_rule',
  fee_share: 'set_rule',
  limit_used: 'run',
  not_covered: 'run',
}

/** What waits to be collected and why, and what people say about single addresses. */
export function fundsEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  return [
    handle(contract.listCollectingFunds, ({ orgId }, { wallet_id, symbol, reason, sub_wallet_id, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const matching = waiting(tx, plan)
        const stat = await matching
          .select(['reason', 'chain', 'contract'])
          .select((row) => [row.fn.countAll<bigint>().as('count'), row.fn.sum<string>('amount').as('sum')])
          .groupBy(['reason', 'chain', 'contract'])
          .execute()
        const contracts = symbol === undefined ? undefined : plan.rules.filter((rule) => rule.symbol === symbol)
        let shown = matching
        if (reason !== undefined) shown = shown.where('reason', '=', reason)
        if (sub_wallet_id !== undefined) shown = shown.where('sub_wallet_id', '=', sub_wallet_id)
        if (contracts !== undefined) {
          shown = shown.where(({ or, and, eb }) => or(contracts.map(({ chain, contract: of }) => and([eb('chain', '=', chain), eb('contract', '=', of)]))))
        }
        const { count } = await shown.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
        const rows = await shown
          .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'standing_reason.org_id').onRef('sub_wallet.id', '=', 'sub_wallet_id'))
          .select(HELD)
          .select(feeCoins)
          .orderBy('amount', 'desc')
          .orderBy('address')
          .limit(page_size)
          .offset((page_no - 1) * page_size)
          .execute()
        const worth = await worthIn(tx, context, [...stat, ...rows])
        const list: Held[] = []
        for (const row of rows) list.push(await withParts(tx, context, heldView(context, row, worth)))
        const sums = stat.map((row) => worth(row.chain, row.contract, BigInt(row.sum)))
        const known = sums.filter((value) => value !== undefined)
        const reasons = [...new Set(stat.map((row) => row.reason ?? ''))].map((each) => ({
          reason: each,
          count: stat.filter((row) => row.reason === each).reduce((sum, row) => sum + Number(row.count), 0),
        }))
        const waitingUsd = known.length < sums.length ? null : formatWorth(known.reduce((sum, value) => sum + value, 0n))
        return { ...answerPage({ page_no, page_size }, Number(count), list), stat: { waiting_usd: waitingUsd, reasons } }
      }),
    ),
    handle(contract.getCollectingFunds, ({ orgId }, { wallet_id, chain, symbol, address }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const asset = networks.asset(chain, symbol)
        const row = await waiting(tx, plan)
          .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'standing_reason.org_id').onRef('sub_wallet.id', '=', 'sub_wallet_id'))
          .select(HELD)
          .select(feeCoins)
          .where('chain', '=', chain)
          .where('contract', '=', asset?.contract ?? '')
          .where('address', '=', address)
          .executeTakeFirst()
        return row && asset ? withParts(tx, context, heldView(context, row, await worthIn(tx, context, [row]))) : null
      }),
    ),
    handle(contract.collectNow, ({ orgId, personId }, { wallet_id, ids }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan: before } = await readPlan(tx, wallet_id)
        const wanted = ids.map(placeOfId)
        const rows = await waiting(tx, before)
          .select(['chain', 'contract', 'address'])
          .where(
            'address',
            'in',
            wanted.map(({ address }) => address),
          )
          .execute()
        const found = wanted.filter((each) =>
          rows.some(({ chain, contract: of, address }) => chain === each.chain && of === each.contract && address === each.address),
        )
        if (found.length === 0) return { asked: 0 }
        const change = { walletId: wallet_id, requesterId: personId, action: 'collect_now' as const }
        await changePlan(tx, context, change, (plan) => ({ ...plan, asked: askedWith(plan.asked, found, 'now') }))
        return { asked: found.length }
      }),
    ),
    handle(contract.scanAll, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        await readPlan(tx, wallet_id)
        // Looks follow each other all the time: the one that begins after now is the answer.
        return { task_id: String(ports.clock.nowMs()) }
      }),
    ),
    handle(contract.getScan, ({ orgId }, { wallet_id, task_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const [looked, { count }, { moving }] = await Promise.all([
          lookOf(tx, plan.orders.sweep),
          waiting(tx, plan)
            .select((row) => row.fn.countAll<bigint>().as('count'))
            .executeTakeFirstOrThrow(),
          tx
            .selectFrom('transfer_order')
            .select((row) => row.fn.countAll<bigint>().as('moving'))
            .where('org_id', '=', tx.orgId)
            .where('standing_order_id', '=', plan.orders.sweep)
            .where('is_final', '=', false)
            .executeTakeFirstOrThrow(),
        ])
        return { done: looked !== null && looked >= Number(task_id), looked_at: looked, waiting: Number(count), moving: Number(moving) }
      }),
    ),
    handle(contract.listCollectingDeposits, ({ orgId }, { wallet_id, symbol, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const rules = plan.rules.filter((rule) => symbol === undefined || rule.symbol === symbol)
        if (rules.length === 0) return answerPage({ page_no, page_size }, 0, [])
        const found = deposits(tx, wallet_id, rules)
        const { count } = await found.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
        const rows = await found
          .select(['d.id', 'd.chain', 'd.contract', 'd.symbol', 'd.amount', 'd.address', 'd.txid', 'd.credited_at', 's.name'])
          .orderBy('d.credited_at', 'desc')
          .orderBy('d.id')
          .limit(page_size)
          .offset((page_no - 1) * page_size)
          .execute()
        const list = rows.map(({ id, chain, contract: of, symbol: name, amount, address, txid, credited_at: at, name: sub }) => ({
          ...{ id, chain, network: networks.find(chain)?.name ?? chain, symbol: name, address, sub_wallet_name: sub, txid, credited_at: Number(at) },
          amount: formatAmount(amount, networks.byContract(chain, of)?.decimals ?? 0),
          said: plan.asked.find((each) => each.chain === chain && each.contract === of && each.address === address)?.what ?? ('rule' as const),
        }))
        return answerPage({ page_no, page_size }, Number(count), list)
      }),
    ),
    handle(contract.modifyDeposit, ({ orgId, personId }, { wallet_id, id, credit_status, remark }) =>
      db.asOrganisation(orgId, async (tx) => {
        const [deposit] = await depositsOf(tx, wallet_id, [id])
        if (!deposit) throw new AppError('resource_not_found')
        const change = { walletId: wallet_id, requesterId: personId, action: 'deposit' as const, remark }
        await changePlan(tx, context, change, (plan) => ({ ...plan, asked: askedWith(plan.asked, [deposit], credit_status) }))
        return {}
      }),
    ),
    handle(contract.mergeDeposits, ({ orgId, personId }, { wallet_id, ids, remark }) =>
      db.asOrganisation(orgId, async (tx) => {
        const distinct = [...new Set(ids)]
        const found = await depositsOf(tx, wallet_id, distinct)
        const [first] = found
        if (!first || found.length < distinct.length) throw new AppError('resource_not_found')
        const isSame = (each: typeof first) => each.address === first.address && each.chain === first.chain && each.contract === first.contract
        if (!found.every(isSame)) throw new AppError(coSignerErrors.collecting_not_one_address)
        const change = { walletId: wallet_id, requesterId: personId, action: 'merge' as const, remark }
        await changePlan(tx, context, change, (plan) => ({ ...plan, asked: askedWith(plan.asked, [first], 'now') }))
        const amount = found.reduce((sum, each) => sum + each.amount, 0n)
        const decimals = networks.byContract(first.chain, first.contract)?.decimals ?? 0
        return { deposits: found.length, amount: formatAmount(amount, decimals), symbol: first.symbol }
      }),
    ),
  ]
}

const HELD = ['chain', 'contract', 'address', 'sub_wallet_id', 'amount', 'reason', 'detail', 'at', 'sub_wallet.name'] as const
/** What the address of a row has of the network's own coin. */
const feeCoins = sql<string | null>`(select coin.available from address_balance coin where coin.org_id = standing_reason.org_id
  and coin.chain = standing_reason.chain and coin.address = standing_reason.address and coin.contract = '')`.as('fee_coins')
type HeldRow = {
  fee_coins: string | null
  chain: string
  contract: string
  address: string
  sub_wallet_id: string
  amount: bigint
  reason: string | null
  detail: string | null
  at: bigint
  name: string
}

/** Every address that has something to collect and is not being moved, under a plan's standing order. */
function waiting(tx: OrganisationTx, { orders }: Plan) {
  return tx
    .selectFrom('standing_reason')
    .where('standing_reason.org_id', '=', tx.orgId)
    .where('standing_order_id', '=', orders.sweep)
    .where('reason', 'is not', null)
}

export type WorthOf = (chain: string, contract: string, amount: bigint) => bigint | undefined

/** What amounts of some coins are worth in millionths of a dollar, by the prices of now; undefined where no price is known. */
export async function worthIn(tx: OrganisationTx, { networks, ports }: ServerContext, coins: readonly { chain: string; contract: string }[]): Promise<WorthOf> {
  const assets = [...new Map(coins.map(({ chain, contract: of }) => [`${chain} ${of}`, { chain, contract: of === '' ? null : of }])).values()]
  const prices = await latestPrices(tx, assets, ports.clock.nowMs(), 'USD')
  return (chain, of, amount) => {
    const quote = prices.get(priceKey({ chain, contract: of === '' ? null : of }))
    const asset = networks.byContract(chain, of)
    return quote && asset && worthAt(amount, asset.decimals, quote.price)
  }
}

/** Reasons whose detail counts the network's own coin. */
const COIN_DETAILS: ReadonlySet<string> = new Set(['no_fee_coins', 'fee_too_high'])

function heldView({ networks }: ServerContext, row: HeldRow, worth: WorthOf): Omit<Held, 'parts'> {
  const { chain, contract: of, address, sub_wallet_id, amount, reason, detail, at, name } = row
  const asset = networks.byContract(chain, of)
  const network = networks.find(chain)
  const counted = COIN_DETAILS.has(reason ?? '') && network ? ownCoin(network) : asset
  const coin = network && ownCoin(network)
  const value = worth(chain, of, amount)
  return {
    fee_coins: of === '' || !coin ? null : { amount: formatAmount(BigInt(row.fee_coins ?? 0), coin.decimals), symbol: coin.symbol },
    ...{ id: `${chain} ${of} ${address}`, chain, network: network?.name ?? chain, address, sub_wallet_id, sub_wallet_name: name },
    ...{ symbol: asset?.symbol ?? of, balance: formatAmount(amount, asset?.decimals ?? 0), usd: value === undefined ? null : formatWorth(value) },
    reason: reason ?? '',
    detail: detail === null || reason === 'scheduled' || !counted ? null : `${formatAmount(BigInt(detail), counted.decimals)} ${counted.symbol}`,
    action: ACTIONS[reason ?? ''] ?? 'none',
    next_try_at: reason === 'scheduled' ? Number(detail) : null,
    at: Number(at),
  }
}

/** A row with what the address has in which coins, where its network has coins. */
async function withParts(tx: OrganisationTx, context: ServerContext, held: Omit<Held, 'parts'>): Promise<Held> {
  const { id, chain, address } = held
  const network = context.networks.find(chain)
  if (!network?.node.coins || placeOfId(id).contract !== '') return { ...held, parts: null }
  const all = await readCoinParts(tx, context, { chain, address })
  const { decimals } = ownCoin(network)
  return { ...held, parts: COIN_PARTS.filter((part) => all[part] > 0n).map((part) => ({ part, amount: formatAmount(all[part], decimals) })) }
}

/** The place that an id of a row names: network, coin and address, with spaces between them. */
function placeOfId(id: string): { chain: string; contract: string; address: string } {
  const [chain = '', of = '', address = ''] = id.split(' ')
  return { chain, contract: of, address }
}

/** Credited deposits of some coins at addresses of a wallet that still have something of the coin. */
function deposits(tx: OrganisationTx, walletId: string, rules: readonly { chain: string; contract: string }[]) {
  return tx
    .selectFrom('deposit as d')
    .innerJoin('sub_wallet as s', (join) => join.onRef('s.org_id', '=', 'd.org_id').onRef('s.id', '=', 'd.sub_wallet_id'))
    .innerJoin('address_balance as held', (join) =>
      join
        .onRef('held.org_id', '=', 'd.org_id')
        .onRef('held.chain', '=', 'd.chain')
        .onRef('held.address', '=', 'd.address')
        .onRef('held.contract', '=', 'd.contract'),
    )
    .where('d.org_id', '=', tx.orgId)
    .where('s.wallet_id', '=', walletId as never)
    .where('d.state', '=', 'credited')
    .where(sql<boolean>`held.available > 0`)
    .where(({ or, and, eb }) => or(rules.map(({ chain, contract: of }) => and([eb('d.chain', '=', chain), eb('d.contract', '=', of)]))))
}

async function depositsOf(tx: OrganisationTx, walletId: string, ids: readonly string[]) {
  return tx
    .selectFrom('deposit as d')
    .innerJoin('sub_wallet as s', (join) => join.onRef('s.org_id', '=', 'd.org_id').onRef('s.id', '=', 'd.sub_wallet_id'))
    .select(['d.chain', 'd.contract', 'd.address', 'd.amount', 'd.symbol'])
    .where('d.org_id', '=', tx.orgId)
    .where('s.wallet_id', '=', walletId as never)
    .where('d.id', 'in', ids)
    .execute()
}
