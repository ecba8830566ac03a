import { endOf, startOf } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { claimRequest } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { findPaymentHalt } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import type { ReplacementIntent } from '@holdfast/intent'
import { newId, type OrderId, uuidToBytes } from '@holdfast/units'
import { transferErrors } from '../../errors.ts'
import { CLOCK_TOLERANCE_MS, openedBy, type OrderRequest, readExisting, chooseRule, writeOpened } from '../opening/open-transfer.ts'
import { openTransaction } from '../order/order-transactions.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import { isOnItsWay } from '../order/states.ts'

/** The request of an order about a pending payment, whose transaction another one may replace. */
export type ReplacementRequest = OrderRequest & {
  /** The payment it is about. */
  orderId: OrderId
  action: 'speed-up' | 'cancel'
}

/**
 * Opens an order about a pending payment: to allow a higher fee than its cap, or to cancel it. People approve it as they approve the payment; until then
 * nothing happens, and the fee it allows is held. The same request again returns the order it created. Throws AppError if the payment is not on its way any
 * more, if another such order is open, or if the policy or the balance does not allow it.
 */
export async function openReplacement(
  tx: OrganisationTx,
  { ports }: Pick<ServerContext, 'ports'>,
  request: ReplacementRequest,
): Promise<{ order: Order; fresh: boolean }> {
  const nowMs = ports.clock.nowMs()
  const orderId = newId(nowMs, ports.random)
  const kind = request.action === 'cancel' ? 'cancel' : 'speed_up'
  const { fresh, resultId } = await claimRequest(tx, { key: request.key, kind, resultId: orderId, nowMs })
  if (!fresh) return { order: await readExisting(tx, resultId), fresh }

  const payment = await readOrder(tx, request.orderId, true)
  if (!payment || payment.row.replaces !== null) throw new AppError(proposalErrors.order_not_found)
  if (!isOnItsWay(payment) || payment.row.slot === null) throw new AppError('state_changed')
  if (openTransaction(payment) || (await hasOpenReplacement(tx, payment.row.id))) throw new AppError(transferErrors.replacement_open)
  if (await findPaymentHalt(tx, payment.row)) throw new AppError(transferErrors.withdrawals_suspended)
  const inForce = await currentPolicy(tx)
  const wanted: ReplacementIntent = {
    kind: 'replacement',
    genesis: inForce.fingerprint,
    orderId: uuidToBytes(orderId),
    action: request.action,
    original: payment.row.intent,
    slot: payment.row.slot,
    feeCap: request.feeCap.amount,
    remark: request.remark,
    notBeforeMs: BigInt(nowMs - CLOCK_TOLERANCE_MS),
    expiresAtMs: BigInt(nowMs + request.lifeMs),
    policyVersion: inForce.policy.version,
    policyHash: inForce.hash,
    initiator: uuidToBytes(request.initiator),
    nonce: ports.random.bytes(32),
  }
  const { intent, ruleId } = await chooseRule(tx, wanted, inForce, { language: request.language, nowMs, before: payment.row.rule_id })
  const { wallet_id, sub_wallet_id, chain, contract, symbol, amount, postage, address_from, address_to, memo } = payment.row
  const row = await tx
    .insertInto('transfer_order')
    .values({
      ...{ org_id: tx.orgId, id: orderId, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, postage, address_from, address_to, memo },
      address_to_end: endOf(address_to),
      address_to_start: startOf(address_to),
      replaces: payment.row.id,
      rule_id: ruleId,
      ...openedBy(intent, request.initiator, nowMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeOpened(tx, ports, row, { intent, inForce, initiator: request.initiator, nowMs })
  return { order: { row, state: 'approving', intent, payment: payment.payment, transactions: [] }, fresh }
}

/** Whether an order about a payment waits for people or for signers. */
export async function hasOpenReplacement(tx: OrganisationTx, orderId: OrderId): Promise<boolean> {
  const open = await tx
    .selectFrom('transfer_order')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('replaces', '=', orderId)
    .where('state', 'in', ['approving', 'approved', 'signing'])
    .executeTakeFirst()
  return open !== undefined
}
