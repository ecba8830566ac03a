import { AppError, answerPage, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networksOfWallet, ownCoin } from '@holdfast/features/network/server'
import type { ServerServices } from '@holdfast/features/server-feature'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { openAuthorizations } from '@holdfast/features/transfer/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { formatAmount, known } from '@holdfast/units'
import { sql } from 'kysely'
import * as contract from '../contract.ts'
import { collectionErrors } from '../errors.ts'
import { changeConfig, type Config, configs, readConfig, readTokens, writeConfig } from './configs.ts'
import { orderNames, proposeOrders, readStandings, type Standings, unapprovedOf } from './orders.ts'

type View = OutputOf<typeof contract.getCollector>

/** Drafting collectors, publishing, pausing and taking them out. */
export function configEndpoints(context: ServerContext, { session }: Pick<ServerServices, 'session'>): HandledEndpoint[] {
  const { db, networks, ports } = context
  return [
    handle(contract.listCollectors, ({ orgId }, { wallet_id, chain, status, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        await demandWallet(tx, wallet_id)
        const rows = await configs(tx).where('wallet_id', '=', wallet_id).limit(1000).execute()
        const standings = await readStandings(tx, context)
        const views = await Promise.all(rows.filter((row) => chain === undefined || row.chain === chain).map((row) => viewOf(tx, context, row, standings)))
        const found = views.filter((view) => status === undefined || view.status === status)
        return answerPage({ page_no, page_size }, found.length, found.slice((page_no - 1) * page_size, page_no * page_size))
      }),
    ),
    handle(contract.getCollector, ({ orgId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => viewOf(tx, context, await readConfig(tx, id), await readStandings(tx, context))),
    ),
    handle(contract.saveCollector, ({ orgId, personId }, given) =>
      db.asOrganisation(orgId, async (tx) => {
        await demandWallet(tx, given.wallet_id)
        await session.demandSecondFactorWhereSet(tx, personId, given.google_code)
        const { id, contract_address } = await writeConfig(tx, context, given, personId)
        return { id, contract_address }
      }),
    ),
    handle(contract.publishCollector, ({ orgId, personId, language }, { id, remark, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        const config = await readConfig(tx, id)
        const demandSecondFactor = () => session.demandSecondFactorWhereSet(tx, personId, google_code)
        const pending = await proposeOrders(tx, context, config, { personId, language, remark, demandSecondFactor })
        return { pending, txid: config.publish_txid }
      }),
    ),
    handle(contract.setCollectorStatus, ({ orgId }, { id, status, revoke }) =>
      db.asOrganisation(orgId, async (tx) => {
        const config = await readConfig(tx, id)
        await changeConfig(tx, context, config, { is_paused: status === 'pause', is_revoking: status === 'pause' && revoke })
        return {}
      }),
    ),
    handle(contract.deleteCollector, ({ orgId, personId }, { id, google_code }) =>
      db.asOrganisation(orgId, async (tx) => {
        const config = await readConfig(tx, id)
        await session.demandSecondFactorWhereSet(tx, personId, google_code)
        if ((await allowanceCount(tx, config.id)) > 0) throw new AppError(collectionErrors.collector_allowed)
        if (await isDelegatedTo(tx, config)) throw new AppError(collectionErrors.collector_delegated)
        await changeConfig(tx, context, config, { deleted_at: BigInt(Math.max(ports.clock.nowMs(), Number(config.created_at))), is_paused: true })
        return {}
      }),
    ),
    handle(contract.listCollectorChains, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        await demandWallet(tx, wallet_id)
        const offered = await networksOfWallet(tx, networks, wallet_id)
        return {
          list: offered.map((network) => ({
            ...{ chain: network.chain, network: network.name, symbol: ownCoin(network).symbol },
            supported: network.family === 'evm' && network.node.contracts !== undefined,
            delegates: network.node.contracts?.delegateOf !== undefined,
          })),
        }
      }),
    ),
  ]
}

/** Throws `wallet_not_found`. */
export async function demandWallet(tx: OrganisationTx, walletId: string): Promise<void> {
  const found = await tx
    .selectFrom('wallet')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('id', '=', walletId as never)
    .executeTakeFirst()
  if (!found) throw new AppError('wallet_not_found')
}

/** How many addresses are known to let a collector take something. */
async function allowanceCount(tx: OrganisationTx, configId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('collection_allowance')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('org_id', '=', tx.orgId)
    .where('config_id', '=', configId)
    .where('allowance', '>', 0n)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the code of a collector's contract runs in the name of an address, or may from when what the address signed is carried. */
async function isDelegatedTo(tx: OrganisationTx, { id, contract_address: contract, allow_order_id: authorizing }: Config): Promise<boolean> {
  if (authorizing !== null && (await openAuthorizations(tx, authorizing)).length > 0) return true
  const found = await tx
    .selectFrom('collection_delegate')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('config_id', '=', id)
    .where('delegate', '=', contract)
    .executeTakeFirst()
  return found !== undefined
}

async function viewOf(tx: OrganisationTx, context: ServerContext, config: Config, standings: Standings): Promise<View> {
  const { networks } = context
  const tokens = await readTokens(tx, [config.id])
  const of = standings(config)
  const [unapproved, names, auth, held] = await Promise.all([
    unapprovedOf(tx, context, config, tokens, of),
    readNamedSubWallets(tx, [config.target_sub_wallet_id, config.payer_sub_wallet_id]),
    readAuth(tx, config),
    readPayer(tx, config),
  ])
  const coin = known(networks.byContract(config.chain, ''), `the coin of ${config.chain}`)
  const placeOf = (id: string, address: string) => ({
    wallet_id: names.get(id)?.wallet_id ?? '',
    sub_wallet_id: id,
    sub_wallet_name: names.get(id)?.sub_wallet_name ?? '',
    address,
  })
  const until = orderNames(config)
    .flatMap((name) => of(name).inForce?.intent.untilMs ?? [])
    .toSorted((a, b) => (a < b ? -1 : 1))[0]
  return {
    ...{ id: config.id, wallet_id: config.wallet_id, name: config.name, chain: config.chain, network: networks.find(config.chain)?.name ?? config.chain },
    ...{
      way: config.way,
      contract_address: config.contract_address,
      publish_txid: config.publish_txid,
      status: statusOf(config, of),
      revoking: config.is_revoking,
    },
    target: placeOf(config.target_sub_wallet_id, config.target_address),
    payer: placeOf(config.payer_sub_wallet_id, held.address),
    tokens: tokens.filter(({ is_on: isOn }) => isOn).length,
    auth,
    ...{ gas_balance: formatAmount(held.balance, coin.decimals), gas_symbol: coin.symbol, fee_max: formatAmount(config.fee_max, coin.decimals) },
    ...{ transactions: config.transactions, days: config.days, until: until === undefined ? null : Number(until) },
    unapproved,
    pending: orderNames(config).flatMap((kind) => {
      const { waiting } = of(kind)
      return waiting ? [{ ...waiting, kind }] : []
    }),
    orders: { collect: config.collect_order_id, allow: config.allow_order_id },
    created_at: Number(config.created_at),
  }
}

function statusOf(config: Config, of: ReturnType<Standings>): View['status'] {
  if (config.collect_order_id === null) return 'draft'
  const standing = orderNames(config).map(of)
  if (standing.some(({ isStopped, isOver }) => isStopped || isOver)) return 'stopped'
  if (config.is_paused) return 'paused'
  // Coins for fees may still wait: what is allowed already is collected without them.
  const isUnapproved = standing.slice(0, 2).some(({ inForce }) => inForce === undefined)
  return config.published_at === null || isUnapproved ? 'publishing' : 'running'
}

/** Addresses that have something to collect, and how many of them let the collector take it. */
async function readAuth(tx: OrganisationTx, config: Config): Promise<View['auth']> {
  const { rows } = await sql<{ total: string; done: string }>`
    select count(*) as total, count(*) filter (where kept.allowance >= token.threshold or lets.delegate = ${config.contract_address}) as done
      from collection_token token
      join address_balance held on held.org_id = token.org_id and held.chain = ${config.chain} and held.contract = token.contract
        and held.available >= token.threshold
      join address own on own.org_id = held.org_id and own.chain = held.chain and own.address = held.address
      join sub_wallet on sub_wallet.org_id = own.org_id and sub_wallet.id = own.sub_wallet_id
      left join collection_allowance kept on kept.org_id = token.org_id and kept.config_id = token.config_id and kept.contract = token.contract
        and kept.address = held.address
      left join collection_delegate lets on lets.org_id = token.org_id and lets.config_id = token.config_id and lets.address = held.address
      where token.org_id = ${tx.orgId} and token.config_id = ${config.id} and token.is_on and sub_wallet.wallet_id = ${config.wallet_id}
        and own.sub_wallet_id not in (${config.target_sub_wallet_id}::uuid, ${config.payer_sub_wallet_id}::uuid)`.execute(tx)
  return { total: Number(rows[0]?.total ?? 0), done: Number(rows[0]?.done ?? 0) }
}

/** The address that pays, and what it has of the network's own coin. */
async function readPayer(tx: OrganisationTx, { payer_sub_wallet_id: id, chain }: Config): Promise<{ address: string; balance: bigint }> {
  const row = await tx
    .selectFrom('address')
    .leftJoin('address_balance as held', (join) =>
      join
        .onRef('held.org_id', '=', 'address.org_id')
        .onRef('held.chain', '=', 'address.chain')
        .onRef('held.address', '=', 'address.address')
        .on('held.contract', '=', ''),
    )
    .select(['address.address', 'held.available'])
    .where('address.org_id', '=', tx.orgId)
    .where('address.sub_wallet_id', '=', id as never)
    .where('address.chain', '=', chain)
    .where('address.number', '=', 0)
    .executeTakeFirst()
  return { address: row?.address ?? '', balance: BigInt(row?.available ?? 0n) }
}
