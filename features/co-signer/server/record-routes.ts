import { AppError, answerPage, type InputOf, type Language, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { type Network, ownCoin } from '@holdfast/features/network/server'
import { formatWorth } from '@holdfast/features/price/server'
import { asOrderState, canTakeBack, type NotRaised, pokeTransfers, raiseFee, readOrder, statusOf, takeBack } from '@holdfast/features/transfer/server'
import { cancellationShape } from '@holdfast/features/withdrawal/server'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { formatAmount, type OrderId, uuidToBytes } from '@holdfast/units'
import * as contract from '../contract.ts'
import { coSignerErrors } from '../errors.ts'
import { worthIn, type WorthOf } from './funds-routes.ts'
import { askedWith, changePlan, type Plan, readPlan } from './plan.ts'

const DAY_MS = 86_400_000

type NotRaisedNow = 'at_cap' | 'not_waiting' | 'not_supported' | 'raising' | 'late'

const NOT_RAISED: Record<Language, Record<NotRaisedNow, string>> = {
  en_US: {
    at_cap: 'it offers already the highest fee that it may cost',
    not_waiting: 'it does not wait for a block',
    not_supported: 'its network replaces nothing',
    raising: 'its fee is being raised already',
    late: 'its time is over, or the policy has changed since',
  },
  zh_CN: {
    at_cap: '手续费已达该笔转账的上限',
    not_waiting: '该笔转账不在等待出块',
    not_supported: '该网络不支持替换交易',
    raising: '正在提高手续费',
    late: '已超过有效期，或策略已变更',
  },
}

function whyOf(obstacle: NotRaised): NotRaisedNow {
  if (obstacle === 'at_cap' || obstacle === 'late' || obstacle === 'not_supported') return obstacle
  return obstacle === 'being_replaced' ? 'raising' : 'not_waiting'
}

type Shown = OutputOf<typeof contract.getCollectingRecord>

/** What was collected and sent for fees. */
export function recordEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, ports } = context
  return [
    handle(contract.listCollectingRecords, ({ orgId }, { wallet_id, type, symbol, txid, start_time, end_time, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        let found = records(tx, plan)
        if (type !== undefined) found = found.where('o.kind', '=', type === '10' ? 'collect' : 'fuel')
        if (symbol !== undefined) found = found.where('o.symbol', '=', symbol)
        if (txid !== undefined && txid !== '') found = found.where('o.txid', '=', txid)
        if (start_time !== undefined) found = found.where('o.created_at', '>=', BigInt(start_time))
        if (end_time !== undefined) found = found.where('o.created_at', '<', BigInt(end_time))
        const { count } = await found.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
        const rows = await found
          .select(RECORD)
          .orderBy('o.created_at', 'desc')
          .orderBy('o.id')
          .limit(page_size)
          .offset((page_no - 1) * page_size)
          .execute()
        const worth = await worthIn(tx, context, withCoins(rows))
        return answerPage({ page_no, page_size }, Number(count), await Promise.all(rows.map((row) => recordView(tx, context, row, worth))))
      }),
    ),
    handle(contract.getCollectingRecord, ({ orgId }, { wallet_id, id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const row = await records(tx, (await readPlan(tx, wallet_id)).plan)
          .select(RECORD)
          .where('o.id', '=', id as OrderId)
          .executeTakeFirst()
        if (!row) throw new AppError('resource_not_found')
        return recordView(tx, context, row, await worthIn(tx, context, withCoins([row])))
      }),
    ),
    handle(contract.cancelCollectingRecord, ({ orgId, personId }, { wallet_id, id, remark }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan: before } = await readPlan(tx, wallet_id)
        const row = await records(tx, before)
          .select('o.id')
          .where('o.id', '=', id as OrderId)
          .executeTakeFirst()
        const order = row && (await readOrder(tx, row.id, true))
        if (!order) throw new AppError('resource_not_found')
        if (!(await canTakeBack(tx, order.row))) throw new AppError('state_changed')
        const { chain, contract: of, address_from: address, intent_hash: intentHash } = order.row
        const body = encode(cancellationShape, {
          ...{ intentHash, person: uuidToBytes(personId), remark, atMs: BigInt(ports.clock.nowMs()) },
        })
        const ended = await takeBack(tx, context, order, { actor: personId, reason: remark, log: [{ type: 'cancellation', body }] })
        // Otherwise the next look would open it again.
        const change = { walletId: wallet_id, requesterId: personId, action: 'cancelled' as const, remark }
        await changePlan(tx, context, change, (plan) => ({ ...plan, asked: askedWith(plan.asked, [{ chain, contract: of, address }], 'leave') }))
        return { status: statusOf(ended.state), sub_status: ended.row.sub_status ?? '' }
      }),
    ),
    handle(contract.speedUpCollectingRecord, (caller, input) => speedUpRecord(context, caller, input)),
    handle(contract.getCollectingStatistics, ({ orgId }, { wallet_id, period }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan } = await readPlan(tx, wallet_id)
        const today = Math.floor(ports.clock.nowMs() / DAY_MS)
        const first = today - Number(period) + 1
        const rows = await records(tx, plan)
          .select(['o.kind', 'o.chain', 'o.contract', 'o.amount', 'o.fee_paid', 'o.created_at'])
          .where('o.state', '=', 'completed')
          .where('o.created_at', '>=', BigInt(first * DAY_MS))
          .execute()
        const worth = await worthIn(tx, context, withCoins(rows))
        const days = Array.from({ length: Number(period) }, (_, i) => {
          const own = rows.filter(({ created_at: at }) => Math.floor(Number(at) / DAY_MS) === first + i)
          return { day: (first + i) * DAY_MS, ...sumOf(own, worth), own }
        })
        const { count, value, fee } = sumOf(rows, worth)
        const isKnown = areKnown(rows, worth)
        return {
          count,
          value: isKnown ? formatWorth(value) : null,
          fee: isKnown ? formatWorth(fee) : null,
          fee_pct: isKnown ? shareOf(fee, value) : null,
          days: days.map(({ own, ...each }) => ({
            ...{ ...each, value: formatWorth(each.value), fee: formatWorth(each.fee) },
            fee_pct: areKnown(own, worth) ? shareOf(each.fee, each.value) : null,
          })),
        }
      }),
    ),
  ]
}

/** Raises the fee of a transfer that waits. Throws `collecting_not_raised` with the reason. */
async function speedUpRecord(
  context: ServerContext,
  { orgId, personId, language }: Pick<MemberContext, 'orgId' | 'personId' | 'language'>,
  { wallet_id, id, remark }: InputOf<typeof contract.speedUpCollectingRecord>,
) {
  const outcome = await context.db.asOrganisation(orgId, async (tx) => {
    const row = await records(tx, (await readPlan(tx, wallet_id)).plan)
      .select('o.id')
      .where('o.id', '=', id as OrderId)
      .executeTakeFirst()
    if (!row) throw new AppError('resource_not_found')
    return raiseFee(tx, context, row.id, { askedBy: personId, reason: remark })
  })
  if (!('raised' in outcome)) throw new AppError(coSignerErrors.collecting_not_raised, { details: { reason: NOT_RAISED[language][whyOf(outcome.obstacle)] } })
  pokeTransfers(context)
  const { state, row } = outcome.raised
  return { status: statusOf(state), sub_status: row.sub_status ?? '' }
}

type Moved = { kind: string; chain: string; contract: string; amount: bigint; fee_paid: bigint | null }

/** How many addresses were collected, what that was worth, and all fees: also those of sending coins for fees, which are not collected themselves. */
function sumOf(rows: readonly Moved[], worth: WorthOf): { count: number; value: bigint; fee: bigint } {
  const collected = rows.filter(({ kind }) => kind === 'collect')
  const add = (sum: bigint, value: bigint | undefined) => sum + (value ?? 0n)
  return {
    count: collected.length,
    value: collected.reduce((sum, row) => add(sum, worth(row.chain, row.contract, row.amount)), 0n),
    fee: rows.reduce((sum, row) => add(sum, worth(row.chain, '', row.fee_paid ?? 0n)), 0n),
  }
}

const areKnown = (rows: readonly Moved[], worth: WorthOf) => rows.every(({ chain, contract: of }) => worth(chain, of, 1n) !== undefined)
/** Fees in percent of what was moved, to two places; null of nothing. */
const shareOf = (fee: bigint, value: bigint) => (value > 0n ? Number((fee * 10_000n) / value) / 100 : null)

const withCoins = (rows: readonly { chain: string; contract: string }[]) =>
  rows.flatMap(({ chain, contract: of }) => [
    { chain, contract: of },
    { chain, contract: '' },
  ])

const RECORD = [
  ...(['o.id', 'o.kind', 'o.chain', 'o.contract', 'o.symbol', 'o.amount', 'o.address_from', 'o.address_to', 'o.fee_paid', 'o.txid'] as const),
  ...(['o.state', 'o.sub_status', 'o.fee_cap', 'o.created_at', 's.name'] as const),
] as const

function records(tx: OrganisationTx, { orders }: Plan) {
  const ids = [orders.sweep, orders.fuel].filter((id) => id !== null)
  return tx
    .selectFrom('transfer_order as o')
    .innerJoin('sub_wallet as s', (join) => join.onRef('s.org_id', '=', 'o.org_id').onRef('s.id', '=', 'o.sub_wallet_id'))
    .where('o.org_id', '=', tx.orgId)
    .where('o.replaces', 'is', null)
    .where('o.standing_order_id', 'in', ids.length === 0 ? [null] : ids)
}

type RecordRow = Moved & {
  id: OrderId
  symbol: string
  address_from: string
  address_to: string
  txid: string | null
  fee_cap: bigint
  state: string
  sub_status: string | null
  created_at: bigint
  name: string
}

async function recordView(tx: OrganisationTx, { networks }: ServerContext, row: RecordRow, worth: WorthOf): Promise<Shown> {
  const { id, kind, chain, contract: of, symbol, amount, address_from, address_to, fee_paid: paid, txid, state, sub_status, created_at: at, name } = row
  const network = networks.find(chain)
  const coin = network && ownCoin(network)
  const value = worth(chain, of, amount)
  const fee = paid === null ? undefined : worth(chain, '', paid)
  return {
    ...{ id, trans_type: kind === 'collect' ? 10 : 11, chain, network: network?.name ?? chain, symbol },
    ...{ amount: formatAmount(amount, networks.byContract(chain, of)?.decimals ?? 0), usd: value === undefined ? null : formatWorth(value) },
    ...{ address_from, address_to, sub_wallet_name: name, txid },
    ...{ fee: paid === null ? null : formatAmount(paid, coin?.decimals ?? 0), fee_symbol: coin?.symbol ?? '' },
    fee_pct: value !== undefined && fee !== undefined ? shareOf(fee, value) : null,
    ...(await leftOf(tx, row, network)),
    ...{ status: statusOf(asOrderState(state)), sub_status: sub_status ?? '', created_at: Number(at) },
    can_speed_up: row.state === 'pending',
    can_cancel: await canTakeBack(tx, { id, state }),
  }
}

/**
 * What stayed at the paying address of a transfer of the network's own coin, once that is known. Where the network has coins, also how many of them it joined, by
 * its own bytes.
 */
async function leftOf(tx: OrganisationTx, row: RecordRow, network: Network | undefined): Promise<Pick<Shown, 'joined' | 'stays'>> {
  const nothing = { joined: null, stays: null }
  const { id, kind, contract: of, txid, fee_paid: paid, fee_cap: cap } = row
  if (!network || of !== '') return nothing
  const stays = (what: 'change' | 'fee_room', amount: bigint) => (amount > 0n ? { what, amount: formatAmount(amount, ownCoin(network).decimals) } : null)
  if (!network.node.coins) return { ...nothing, stays: kind === 'collect' && paid !== null ? stays('fee_room', cap - paid) : null }
  const made = await tx
    .selectFrom('order_transaction')
    .select('unsigned_tx')
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', id)
    .where('txid', '=', txid)
    .executeTakeFirst()
  if (!made?.unsigned_tx) return nothing
  const { inputs = [], change = [] } = network.codec.decode(made.unsigned_tx)
  return {
    joined: inputs.length,
    stays: stays(
      'change',
      change.reduce((sum, { amount }) => sum + amount, 0n),
    ),
  }
}
