import { FEE_TIERS } from '@holdfast/chain-core'
import { AppError, type InputOf, type OutputOf, sentenceOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { assetsOf, ownCoin } from '@holdfast/features/network/server'
import { requestKeyOf } from '@holdfast/http'
import { at, formatAmount, known, last, type OrderId } from '@holdfast/units'
import { sql } from 'kysely'
import { type askAgain as asking, createWithdrawal as endpoint, type listClosedByPolicy as listing } from '../contract.ts'
import { createWithdrawal } from './create-withdrawal.ts'
import type { MemberCaller, Needs } from './read-request.ts'

const DAY_MS = 86_400_000
/** An order that was closed longer ago is not offered any more. */
const OFFERED_MS = 30 * DAY_MS
/** So many are listed, and asked for again in one call; a call after the last of them goes on. */
const AT_ONCE = 50
const HOUR_MS = 3_600_000

/** The name under which the order of a closed one is made: a second call, or a second page, makes no second order. */
const AGAIN = 'again/'

type Closed = { id: OrderId; input: InputOf<typeof endpoint>; symbol: string; amount: string; to: string }

/** What a person asked for, that a change of the policy closed before anybody paid it, and that they did not ask for again from here. */
const closedBy = (tx: OrganisationTx, { networks, ports }: Needs, personId: string) => {
  // A payment to several is asked for with its file, and a token that is inscribed or one of a collection by its own form.
  const sent = networks.list().flatMap((network) => assetsOf(network, tx.orgId).map(({ contract }) => ({ chain: network.chain, contract: contract ?? '' })))
  const [chains, contracts] = [sent.map(({ chain }) => chain), sent.map(({ contract }) => contract)]
  return (
    tx
      .selectFrom('transfer_order as o')
      .where('o.org_id', '=', tx.orgId)
      .where('o.initiator', '=', personId as never)
      .where('o.kind', '=', 'withdraw')
      .where('o.replaces', 'is', null)
      // A line of a batch is asked for again from its batch: by both ways it would be paid twice.
      .where('o.batch_id', 'is', null)
      .where('o.state', '=', 'cancelled')
      .where('o.sub_status', '=', 'strategy_changed')
      .where('o.updated_at', '>=', BigInt(ports.clock.nowMs() - OFFERED_MS) as never)
      .where('o.postage', '=', 0n as never)
      .where(sql<boolean>`(o.chain, o.contract) in (select * from unnest(${chains}::text[], ${contracts}::text[]))`)
      .where(sql<boolean>`not exists (select from order_output one where one.org_id = o.org_id and one.order_id = o.id)`)
      .where(sql<boolean>`not exists (select from idempotency made where made.org_id = o.org_id and made.request_id = ${AGAIN} || o.id::text)`)
  )
}

/** The first of these after an order, in the order of their ids, which is about that of their times. */
async function closedByPolicy(tx: OrganisationTx, needs: Needs, personId: string, after?: string): Promise<Closed[]> {
  const { networks } = needs
  const rows = await closedBy(tx, needs, personId)
    .select(['o.id', 'o.sub_wallet_id', 'o.chain', 'o.contract', 'o.symbol', 'o.amount', 'o.address_from', 'o.address_to', 'o.memo', 'o.remark'])
    .select(['o.fee_cap', 'o.tier', 'o.created_at', 'o.expires_at'])
    .$if(after !== undefined, (query) => query.where('o.id', '>', after as OrderId))
    .orderBy('o.id')
    .limit(AT_ONCE)
    .execute()
  return rows.map((row): Closed => {
    const asset = known(networks.byContract(row.chain, row.contract), `the asset ${row.contract} of ${row.chain}`)
    const amount = formatAmount(row.amount, asset.decimals)
    const hours = Math.round(Number(row.expires_at - row.created_at) / HOUR_MS)
    const input = {
      ...{ request_id: `${AGAIN}${row.id}`, sub_wallet_id: row.sub_wallet_id, chain: row.chain, symbol: asset.symbol },
      ...{ from: row.address_from, address_to: row.address_to, amount, max_fee: formatAmount(row.fee_cap, ownCoin(networks.require(row.chain)).decimals) },
      ...{ fee_tier: at(FEE_TIERS, row.tier), gross: '0' as const, memo: row.memo ?? '', remark: row.remark },
      ...{ expire_hours: Math.min(168, Math.max(1, hours)), ack: '' },
    } as InputOf<typeof endpoint>
    return { id: row.id, input, symbol: asset.symbol, amount, to: row.address_to }
  })
}

/** The first of them, and how many they are. */
export async function listClosedByPolicy(tx: OrganisationTx, needs: Needs, personId: string): Promise<OutputOf<typeof listing>> {
  const closed = await closedByPolicy(tx, needs, personId)
  const { total } = await closedBy(tx, needs, personId)
    .select((row) => row.fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  return { list: closed.map(({ id, symbol, amount, to }) => ({ id, symbol, amount, address_to: to })), total: Number(total) }
}

/**
 * Asks for such payments after an order once more, each as it was: each is a new order that is checked anew and waits for approvals of its own. What is refused
 * now, or needs a warning that has to be acknowledged, is named with the reason, and nothing of it is made.
 */
export async function askAgain(needs: Needs, caller: Omit<MemberCaller, 'request'>, after?: string): Promise<OutputOf<typeof asking>> {
  const closed = await needs.db.asOrganisation(caller.orgId, (tx) => closedByPolicy(tx, needs, caller.personId, after))
  const answer: OutputOf<typeof asking> = { asked: [], refused: [], next: closed.length < AT_ONCE ? null : last(closed).id }
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
