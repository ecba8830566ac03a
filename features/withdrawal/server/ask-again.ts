import { FEE_TIERS } from '@holdfast/chain-core'
import { AppError, type InputOf, sentenceOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { requestKeyOf } from '@holdfast/http'
import { at, formatAmount, type OrderId } from '@holdfast/units'
import { sql } from 'kysely'
import { createWithdrawal as endpoint } from '../contract.ts'
import { createWithdrawal } from './create-withdrawal.ts'
import type { MemberCaller, Needs } from './read-request.ts'

const DAY_MS = 86_400_000
/** An order that was closed longer ago is not offered any more. */
const OFFERED_MS = 30 * DAY_MS
/** So many are asked for again in one call; the next call goes on. */
const AT_ONCE = 50
const HOUR_MS = 3_600_000

/** The name under which the order of a closed one is made: a second call, or a second page, makes no second order. */
const AGAIN = 'again/'

type Closed = { id: OrderId; input: InputOf<typeof endpoint>; symbol: string; amount: string; to: string }

/** What a person asked for, that a change of the policy closed before anybody paid it, and that they did not ask for again from here. The oldest first. */
export async function closedByPolicy(tx: OrganisationTx, { networks, ports }: Needs, personId: string): Promise<Closed[]> {
  const rows = await tx
    .selectFrom('transfer_order as o')
    .select(['o.id', 'o.sub_wallet_id', 'o.chain', 'o.contract', 'o.symbol', 'o.amount', 'o.address_from', 'o.address_to', 'o.memo', 'o.remark'])
    .select(['o.fee_cap', 'o.tier', 'o.created_at', 'o.expires_at'])
    .where('o.org_id', '=', tx.orgId)
    .where('o.initiator', '=', personId as never)
    .where('o.kind', '=', 'withdraw')
    .where('o.replaces', 'is', null)
    // A line of a batch is asked for again from its batch: by both ways it would be paid twice.
    .where('o.batch_id', 'is', null)
    .where('o.state', '=', 'cancelled')
    .where('o.sub_status', '=', 'strategy_changed')
    .where('o.updated_at', '>=', BigInt(ports.clock.nowMs() - OFFERED_MS) as never)
    // A payment to several is asked for with its file, and a token that is inscribed or one of a collection by its own form.
    .where('o.postage', '=', 0n as never)
    .where(sql<boolean>`not exists (select from order_output one where one.org_id = o.org_id and one.order_id = o.id)`)
    .where(sql<boolean>`not exists (select from idempotency made where made.org_id = o.org_id and made.request_id = ${AGAIN} || o.id::text)`)
    .orderBy('o.created_at')
    .orderBy('o.id')
    .limit(AT_ONCE)
    .execute()
  return rows.flatMap((row): Closed[] => {
    const network = networks.find(row.chain)
    const asset = networks.byContract(row.chain, row.contract)
    const coin = networks.byContract(row.chain, '')
    if (!network || !asset || !coin || isOwnForm(network, asset)) return []
    const amount = formatAmount(row.amount, asset.decimals)
    const hours = Math.round(Number(row.expires_at - row.created_at) / HOUR_MS)
    const input = {
      ...{ request_id: `${AGAIN}${row.id}`, sub_wallet_id: row.sub_wallet_id, chain: row.chain, symbol: asset.symbol },
      ...{ from: row.address_from, address_to: row.address_to, amount, max_fee: formatAmount(row.fee_cap, coin.decimals) },
      ...{ fee_tier: at(FEE_TIERS, row.tier), gross: '0' as const, memo: row.memo ?? '', remark: row.remark },
      ...{ expire_hours: Math.min(168, Math.max(1, hours)), ack: '' },
    } as InputOf<typeof endpoint>
    return [{ id: row.id, input, symbol: asset.symbol, amount, to: row.address_to }]
  })
}

/** A token of a collection has a form that names it. */
const isOwnForm = ({ assets }: Network, { contract }: NetworkAsset): boolean => !assets.some((each) => each.contract === contract)

type Asked = { asked: { id: string; withdraw_id: string }[]; refused: { id: string; symbol: string; amount: string; address_to: string; msg: string }[] }

/**
 * Asks for every such payment once more, as it was: each is a new order that is checked anew and waits for approvals of its own. What is refused
 * now, or needs a warning that has to be acknowledged, is named with the reason, and nothing of it is made.
 */
export async function askAgain(needs: Needs, caller: Omit<MemberCaller, 'request'>): Promise<Asked> {
  const closed = await needs.db.asOrganisation(caller.orgId, (tx) => closedByPolicy(tx, needs, caller.personId))
  const answer: Asked = { asked: [], refused: [] }
  for (const { id, input, symbol, amount, to } of closed) {
    const request = requestKeyOf(endpoint, caller.personId, input)
    try {
      const { order } = await createWithdrawal(needs, { ...caller, request }, input)
      answer.asked.push({ id, withdraw_id: order.row.id })
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      answer.refused.push({ id, symbol, amount, address_to: to, msg: sentenceOf(cause, caller.language) })
    }
  }
  return answer
}
