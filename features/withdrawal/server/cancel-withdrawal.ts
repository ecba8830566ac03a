import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { bytes, encode, struct, text, uint } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { canTakeBack, type Order, readOrder, takeBack } from '@holdfast/features/transfer/server'
import { type OrderId, type RequesterId, uuidToBytes } from '@holdfast/units'

/** What the log says of an order that was taken back. `person` is who asked for it, which a machine may have. */
export const cancellationShape = struct('holdfast/cancellation/v1', { intentHash: bytes(32), person: bytes(16), remark: text(800), atMs: uint() })

/**
 * Takes an order back while it waits for approval, or later while no signer was told to begin, such as one whose bytes cannot be made; its funds are
 * free again. A repeated call answers the same. Throws `state_changed` once a signature may exist.
 */
export async function cancelWithdrawal(
  tx: OrganisationTx,
  needs: Pick<ServerContext, 'ports'>,
  input: { orderId: OrderId; requesterId: RequesterId; remark: string },
): Promise<Order> {
  // A payment is locked before the orders about it.
  const about = tx.selectFrom('transfer_order').select('replaces').where('org_id', '=', tx.orgId).where('id', '=', input.orderId)
  await tx.selectFrom('transfer_order').select('id').where('org_id', '=', tx.orgId).where('id', '=', about).forNoKeyUpdate().execute()
  const order = await readOrder(tx, input.orderId, true)
  if (!order) throw new AppError(proposalErrors.order_not_found)
  // Others reject it; only the requester can take it back.
  if (order.row.initiator !== input.requesterId) throw new AppError('not_permitted', { details: { permission: 'withdraw.cancel' } })
  if (order.state === 'cancelled') return order
  if (!(await canTakeBack(tx, order.row))) throw new AppError('state_changed')
  const { requesterId, remark } = input
  const body = encode(cancellationShape, {
    intentHash: order.row.intent_hash,
    person: uuidToBytes(requesterId),
    remark,
    atMs: BigInt(needs.ports.clock.nowMs()),
  })
  return takeBack(tx, needs, order, { actor: requesterId, reason: remark, log: [{ type: 'cancellation', body }] })
}
