import { AppError, answerPage, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { ownCoin } from '@holdfast/features/network/server'
import { formatWorth } from '@holdfast/features/price/server'
import { asOrderState, canTakeBack, readOrder, statesOfStatus, statusOf, takeBack } from '@holdfast/features/transfer/server'
import { cancellationShape } from '@holdfast/features/withdrawal/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { formatAmount, type OrderId, uuidToBytes } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'
import * as contract from '../contract.ts'
import { demandWallet } from './config-routes.ts'
import { readConfig } from './configs.ts'
import { type WorthOf, worthOf } from './worth.ts'

const DAY_MS = 86_400_000

type Shown = Omit<OutputOf<typeof contract.getRun>, 'outputs'>

/** What was collected by contract. */
export function runEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(contract.listRuns, ({ orgId }, { wallet_id, id, symbol, status, txid, start_time, end_time, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        await demandWallet(tx, wallet_id)
        if (id !== undefined) await readConfig(tx, id)
        const conditions = [
          sql`c.wallet_id = ${wallet_id}::uuid`,
          ...(id === undefined ? [] : [sql`c.id = ${id}::uuid`]),
          ...(symbol === undefined ? [] : [sql`coalesce(token.symbol, o.symbol) = ${symbol}`]),
          ...(status === undefined ? [] : [sql`o.state = any(${statesOfStatus(status)}::text[])`]),
          ...(txid === undefined || txid === '' ? [] : [sql`o.txid = ${txid}`]),
          ...(start_time === undefined ? [] : [sql`o.created_at >= ${start_time}::int8`]),
          ...(end_time === undefined ? [] : [sql`o.created_at < ${end_time}::int8`]),
        ]
        const { rows: counted } = await sql<{ count: string }>`select count(*) as count ${runs(tx, conditions)}`.execute(tx)
        const rows = await readRuns(tx, conditions, { limit: page_size, offset: (page_no - 1) * page_size })
        const worth = await worthOfRuns(tx, context, rows)
        return answerPage({ page_no, page_size }, Number(counted[0]?.count ?? 0), await Promise.all(rows.map((row) => runView(tx, context, row, worth))))
      }),
    ),
    handle(contract.getRun, ({ orgId }, { id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const [row] = await readRuns(tx, [sql`o.id = ${id}::uuid`], { limit: 1, offset: 0 })
        if (!row) throw new AppError('resource_not_found')
        const view = await runView(tx, context, row, await worthOfRuns(tx, context, [row]))
        return { ...view, outputs: await readOutputs(tx, context, row) }
      }),
    ),
    handle(contract.getRunStatistics, ({ orgId }, { wallet_id, period }) =>
      db.asOrganisation(orgId, async (tx) => {
        await demandWallet(tx, wallet_id)
        const first = Math.floor(ports.clock.nowMs() / DAY_MS) - Number(period) + 1
        const conditions = [sql`c.wallet_id = ${wallet_id}::uuid`, sql`o.state in ('completed', 'failed')`, sql`o.created_at >= ${first * DAY_MS}::int8`]
        const rows = await readRuns(tx, conditions, { limit: 100_000, offset: 0 }, sql`(${RUNS} or ${CALLS})`)
        return statisticsOf(context, rows, await worthOfRuns(tx, context, rows), { first, days: Number(period) })
      }),
    ),
    handle(contract.cancelRun, ({ orgId, personId }, { id, remark }) =>
      db.asOrganisation(orgId, async (tx) => {
        const [row] = await readRuns(tx, [sql`o.id = ${id}::uuid`], { limit: 1, offset: 0 })
        const order = row && (await readOrder(tx, row.id, true))
        if (!order) throw new AppError('resource_not_found')
        if (!(await canTakeBack(tx, order.row))) throw new AppError('state_changed')
        const statement = { intentHash: order.row.intent_hash, person: uuidToBytes(personId), remark, atMs: BigInt(ports.clock.nowMs()) }
        const log = [{ type: 'cancellation' as const, body: encode(cancellationShape, statement) }]
        const ended = await takeBack(tx, context, order, { actor: personId, reason: remark, log })
        return { status: statusOf(ended.state), sub_status: ended.row.sub_status ?? '' }
      }),
    ),
  ]
}

type Row = {
  id: OrderId
  config_id: string
  config_name: string
  kind: string
  chain: string
  contract: string
  amount: string
  taken: string
  from_count: string
  address_to: string
  fee_paid: string | null
  txid: string | null
  state: string
  sub_status: string | null
  created_at: string
}

/** The orders by which collectors collect, and those that send coins for the fees of allowances. */
const RUNS = sql`((o.kind = 'collect' and c.collect_order_id = o.standing_order_id) or (o.kind = 'fuel' and c.fuel_order_id = o.standing_order_id))`
/** The calls by which addresses allow collectors to take, or by which what they signed takes effect: nothing is collected by them, and they cost fees. */
const CALLS = sql`(o.kind = 'web3' and (c.allow_order_id = o.standing_order_id or (c.collect_order_id = o.standing_order_id
  and exists (select from order_carried carried where carried.org_id = o.org_id and carried.order_id = o.id))))`

/** Such orders of collectors, as the end of a query. */
const runs = (tx: OrganisationTx, conditions: readonly RawBuilder<unknown>[], of = RUNS) => sql`
  from transfer_order o
    join collection_config c on c.org_id = o.org_id and ${of}
    left join lateral (select max(part.contract) as contract, count(*) as from_count, count(*) filter (where ${WAS_TAKEN}) as taken_count,
        sum(part.amount) as amount, coalesce(sum(part.amount) filter (where ${WAS_TAKEN}), 0) as taken
      from order_part part where part.org_id = o.org_id and part.order_id = o.id) parts on true
    left join collection_token token on token.org_id = c.org_id and token.config_id = c.id and token.contract = parts.contract
  where o.org_id = ${tx.orgId} and o.replaces is null and ${sql.join(conditions, sql` and `)}`

/** Whether a block says that the collector took a part. */
const WAS_TAKEN = sql`exists (select from token_pull pull where pull.org_id = part.org_id and pull.chain = part.chain and pull.txid = o.txid
  and pull.address = part.address and pull.contract = part.contract and pull.reversed_at is null)`

type Window = { limit: number; offset: number }

async function readRuns(tx: OrganisationTx, conditions: readonly RawBuilder<unknown>[], { limit, offset }: Window, of = RUNS): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select o.id, c.id as config_id, c.name as config_name, o.kind, o.chain, coalesce(parts.contract, o.contract) as contract,
        coalesce(parts.amount, o.amount) as amount, coalesce(case when parts.contract is null then o.amount else parts.taken end, 0) as taken,
        case when parts.contract is null then 1 when o.state = 'completed' then parts.taken_count else parts.from_count end as from_count,
        case when o.kind = 'collect' then c.target_address else o.address_to end as address_to,
        o.fee_paid, o.txid, o.state, o.sub_status, o.created_at
      ${runs(tx, conditions, of)} order by o.created_at desc, o.id limit ${limit} offset ${offset}`.execute(tx)
  return rows
}

async function readOutputs(tx: OrganisationTx, { networks }: ServerContext, { id, chain, contract: of }: Row) {
  const { rows } = await sql<{ sub_wallet_id: string; name: string; address: string; amount: string; state: 'held' | 'taken' | 'left' }>`
    select part.sub_wallet_id, sub_wallet.name, part.address, part.amount,
        case when ${WAS_TAKEN} then 'taken' when part.freed_at is null then 'held' else 'left' end as state
      from order_part part
      join transfer_order o on o.org_id = part.org_id and o.id = part.order_id
      join sub_wallet on sub_wallet.org_id = part.org_id and sub_wallet.id = part.sub_wallet_id
      where part.org_id = ${tx.orgId} and part.order_id = ${id} order by part.place`.execute(tx)
  const decimals = networks.byContract(chain, of)?.decimals ?? 0
  return rows.map(({ name, amount, ...row }) => ({ ...row, sub_wallet_name: name, amount: formatAmount(BigInt(amount), decimals) }))
}

const worthOfRuns = (tx: OrganisationTx, context: ServerContext, rows: readonly Row[]): Promise<WorthOf> =>
  worthOf(
    tx,
    context,
    rows.flatMap(({ chain, contract: of }) =>
      [context.networks.byContract(chain, of), context.networks.byContract(chain, '')].filter((each) => each !== undefined),
    ),
  )

/** What a run collected, or is about to, and what its fee is worth; undefined where a price is missing, or nothing is paid yet. */
function valueOf({ networks }: ServerContext, row: Row, worth: WorthOf): { value: bigint | undefined; fee: bigint | undefined } {
  const [asset, coin] = [networks.byContract(row.chain, row.contract), networks.byContract(row.chain, '')]
  const amount = BigInt(row.state === 'completed' ? row.taken : row.amount)
  return { value: asset && worth(asset, amount), fee: coin && row.fee_paid !== null ? worth(coin, BigInt(row.fee_paid)) : undefined }
}

const shareOf = (fee: bigint | undefined, value: bigint | undefined): number | null =>
  value && fee !== undefined ? Number((fee * 10_000n) / value) / 100 : null

async function runView(tx: OrganisationTx, context: ServerContext, row: Row, worth: WorthOf): Promise<Shown> {
  const { networks } = context
  const network = networks.find(row.chain)
  const asset = networks.byContract(row.chain, row.contract)
  const coin = network && ownCoin(network)
  const { value, fee } = valueOf(context, row, worth)
  const isCollection = row.kind === 'collect'
  return {
    ...{ id: row.id, config_id: row.config_id, config_name: row.config_name, trans_type: isCollection ? 10 : 11, network: network?.name ?? row.chain },
    ...{ symbol: asset?.symbol ?? row.contract, amount: formatAmount(BigInt(row.state === 'completed' ? row.taken : row.amount), asset?.decimals ?? 0) },
    ...{ usd: value === undefined ? null : formatWorth(value), from_count: Number(row.from_count), address_to: row.address_to },
    ...{ fee: row.fee_paid === null ? null : formatAmount(BigInt(row.fee_paid), coin?.decimals ?? 0), fee_symbol: coin?.symbol ?? '' },
    ...{ fee_pct: isCollection ? shareOf(fee, value) : null, txid: row.txid },
    ...{ status: statusOf(asOrderState(row.state)), sub_status: row.sub_status ?? '', created_at: Number(row.created_at) },
    can_cancel: await canTakeBack(tx, { id: row.id, state: row.state }),
  }
}

/** What was collected each day, and what was paid for it: also fees of what failed, of allowances, and of sending coins for those, which are not collected. */
function statisticsOf(context: ServerContext, rows: readonly Row[], worth: WorthOf, { first, days }: { first: number; days: number }) {
  const sumOf = (some: readonly Row[]) => {
    const values = some.map((row) => ({ row, ...valueOf(context, row, worth) }))
    const collected = values.filter(({ row }) => row.kind === 'collect' && row.state === 'completed')
    return {
      count: collected.reduce((sum, { row }) => sum + Number(row.from_count), 0),
      value: collected.reduce((sum, { value = 0n }) => sum + value, 0n),
      fee: values.reduce((sum, { fee = 0n }) => sum + fee, 0n),
      isKnown: collected.every(({ value }) => value !== undefined) && values.every(({ row, fee }) => row.fee_paid === null || fee !== undefined),
    }
  }
  const all = sumOf(rows)
  return {
    count: all.count,
    value: all.isKnown ? formatWorth(all.value) : null,
    fee: all.isKnown ? formatWorth(all.fee) : null,
    fee_pct: all.isKnown ? shareOf(all.fee, all.value) : null,
    days: Array.from({ length: days }, (_, i) => {
      const { count, value, fee, isKnown } = sumOf(rows.filter(({ created_at: at }) => Math.floor(Number(at) / DAY_MS) === first + i))
      return { day: (first + i) * DAY_MS, count, value: formatWorth(value), fee: formatWorth(fee), fee_pct: isKnown ? shareOf(fee, value) : null }
    }),
  }
}
