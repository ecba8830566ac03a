import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy } from '@holdfast/features/policy/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import type { OrderId, PersonId } from '@holdfast/units'
import { transferErrors } from '../../errors.ts'
import { type MoveNeeds, moveOrder } from '../order/move.ts'
import { type Order, readOrder } from '../order/read-order.ts'

/**
 * Resumes an order that raised an alarm, after a person has looked: its stored bytes are shown to the signers again, never
 * others. A repeated call answers the same. Throws `order_not_found`, `state_changed` if it raised no alarm, and
 * `resume_refused` if no signer would sign it any more: such an order ends by what the chain shows, or by its time.
 */
export async function resumeOrder(tx: OrganisationTx, needs: MoveNeeds, orderId: OrderId, personId: PersonId): Promise<Order> {
  const order = await readOrder(tx, orderId, true)
  if (!order) throw new AppError(proposalErrors.order_not_found)
  if (order.state === 'signing') return order
  if (order.state !== 'alarmed') throw new AppError('state_changed')
  const isLate = order.row.expires_at < BigInt(needs.ports.clock.nowMs())
  if (isLate || (await currentPolicy(tx)).policy.version !== order.row.policy_version) throw new AppError(transferErrors.resume_refused)
  return moveOrder(tx, needs, order, { event: 'resume', actor: personId })
}
