import type { OrderKindName, OrganisationTx } from '@holdfast/db'
import { isFinal, ORDER_STATES, type OrderRow, type OrderState, statusOf } from '@holdfast/features/transfer/server'
import { readCosts } from '@holdfast/features/transaction/server'
import type { Side } from '../../contract.ts'
import type { PURPOSES } from '../../webhook-contract.ts'
import { assetFields, confirmationsOf, type RecordContext } from './record-fields.ts'
import type { Step, Story } from '../story.ts'

/** What an order is for, as receivers are told: only `pay` pays somebody. */
type Purpose = (typeof PURPOSES)[number]
type ToldAs = { side: Side; event: string; purpose: Purpose }

const PAYMENT: ToldAs = { side: 'withdraw', event: 'withdraw', purpose: 'pay' }
const STAKE: ToldAs = { side: 'withdraw', event: 'stake', purpose: 'stake' }
const FUEL: ToldAs = { side: 'fuel', event: 'fuel', purpose: 'pay' }

/** Who listens to payments hears of all that people sign, but what pays nobody never comes under the events of a payment: receivers book those as paid. */
const TOLD_AS: Readonly<Record<OrderKindName, ToldAs>> = {
  withdraw: PAYMENT,
  brc20: PAYMENT,
  web3: { side: 'web3-trans', event: 'web3_trans', purpose: 'pay' },
  collect: { side: 'collect', event: 'collect', purpose: 'pay' },
  fuel: FUEL,
  rent: FUEL,
  consolidate: { side: 'withdraw', event: 'consolidation', purpose: 'consolidate' },
  stake: STAKE,
  stake_change: STAKE,
  authorize: { side: 'withdraw', event: 'authorization', purpose: 'authorize' },
  deposit_child: { side: 'withdraw', event: 'deposit_lift', purpose: 'deposit_lift' },
  speed_up: { side: 'withdraw', event: 'speed_up', purpose: 'speed_up' },
  cancel: { side: 'withdraw', event: 'cancellation', purpose: 'cancel' },
}

const IN_BLOCK: readonly OrderState[] = ['confirming', 'completed', 'failed']
const SIGNED: readonly OrderState[] = ['broadcasting', 'pending', 'dropped', ...IN_BLOCK]

/** Every state an order went through, with what was known of it in that state. Undefined if there is no such order. */
export async function orderStory(tx: OrganisationTx, context: RecordContext, orderId: string, afterSeq: bigint): Promise<Story | undefined> {
  const row = await tx.selectFrom('transfer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', orderId).executeTakeFirst()
  if (!row) return undefined
  const events = await tx
    .selectFrom('transfer_event')
    .select(['seq', 'state', 'sub_status', 'at'])
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', orderId)
    .where('seq', '>', Number(afterSeq))
    .orderBy('seq')
    .execute()
  const request = await tx.selectFrom('idempotency').select('request_id').where('org_id', '=', tx.orgId).where('result_id', '=', orderId).executeTakeFirst()
  const { side, event: about } = TOLD_AS[row.kind]
  const requestId = request?.request_id ?? null
  const cost = (await readCosts(tx, [row])).get(row.id)
  const steps = events.map((event) => stepOf(context, row, { requestId, ...event, atMs: Number(event.at) }, cost))
  const present = { requestId, seq: 0, state: row.state, sub_status: row.sub_status, atMs: Number(row.updated_at) }
  const { done } = confirmationsOf(context, row.chain, row.block_height)
  const progress = row.state === 'confirming' ? { done, step: { ...stepOf(context, row, present, cost), event: `${about}.confirmations` } } : null
  return { side, recordId: orderId, walletId: row.wallet_id, requestId, steps, progress }
}

type Moment = { requestId: string | null; seq: number; state: string; sub_status: string | null; atMs: number }

function stepOf(context: RecordContext, row: OrderRow, { requestId, seq, state: text, sub_status: subStatus, atMs }: Moment, cost?: bigint): Step {
  const state = ORDER_STATES.find((each) => each === text)
  if (!state) throw new Error(`unknown order state ${text}`)
  const status = statusOf(state)
  // A state is told with what was known in it: the row may be further by now.
  const isSigned = SIGNED.includes(state)
  const isInBlock = IN_BLOCK.includes(state)
  const asset = assetFields(context, row)
  const isAbout = row.replaces !== null
  // What a cancellation cost is told with it, and not with the payment that was cancelled.
  const feePaid = state === 'replaced' ? null : isAbout ? (cost ?? null) : row.fee_paid
  const confirmations = confirmationsOf(context, row.chain, isInBlock ? row.block_height : null)
  return {
    sourceSeq: BigInt(seq),
    marker: `${state}/${subStatus ?? ''}`,
    event: `${TOLD_AS[row.kind].event}.${state}`,
    status,
    atMs,
    fields: {
      id: row.id,
      request_id: requestId,
      wallet_id: row.wallet_id,
      sub_wallet_id: row.sub_wallet_id,
      batch_id: row.batch_id,
      status,
      sub_status: subStatus ?? '',
      purpose: TOLD_AS[row.kind].purpose,
      replaces: row.replaces,
      ...asset.fields(isAbout ? 0n : row.amount),
      address_from: row.address_from,
      address_to: isAbout ? row.address_from : row.address_to,
      memo: isAbout ? null : row.memo,
      txid: isSigned ? row.txid : null,
      tx_height: isInBlock && row.block_height !== null ? String(row.block_height) : null,
      confirmations: confirmations.done,
      need_confirmations: confirmations.need,
      fee_symbol: asset.base_symbol,
      fee: asset.coinAmount(row.fee_cap),
      real_fee: isFinal(state) && feePaid !== null ? asset.coinAmount(feePaid) : null,
      created_at: Number(row.created_at),
      updated_at: atMs,
    },
  }
}
