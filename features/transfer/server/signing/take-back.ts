import type { OrganisationTx } from '@holdfast/db'
import { isUnclear } from './choose-parties.ts'
import { endLease } from '../slot/lease-slot.ts'
import { type Move, type MoveNeeds, moveOrder } from '../order/move.ts'
import type { Order, OrderRow } from '../order/read-order.ts'
import { readTransactions } from '../order/order-transactions.ts'
import { readAttempts } from './read-attempts.ts'
import { canMove, asOrderState } from '../order/states.ts'

/**
 * Whether an order can be taken back: no signed bytes of it exist, and none can exist that nobody gave us. An order about a payment has its transaction,
 * and the attempts to sign it, among those of the payment.
 */
export async function canTakeBack(tx: OrganisationTx, { id, state, replaces = null }: Pick<OrderRow, 'id' | 'state'> & Partial<OrderRow>): Promise<boolean> {
  if (!canMove(asOrderState(state), 'cancel')) return false
  if (replaces === null) return state === 'approving' || !(await readAttempts(tx, id)).some(isUnclear)
  const allowed = (await readTransactions(tx, replaces)).filter((each) => each.allowed_by === id).map(({ number }) => number)
  return !(await readAttempts(tx, replaces)).some((each) => allowed.includes(each.transaction_number) && isUnclear(each))
}

/**
 * Takes an order back that `canTakeBack`: its funds and its place on the chain are free again. A session that its signers have not begun ends without them.
 * The caller has locked the payment that the order is about, if any, and then the order, before it asked whether it can be taken back.
 */
export async function takeBack(tx: OrganisationTx, needs: MoveNeeds, order: Order, move: Omit<Move, 'event'>): Promise<Order> {
  await endLease(tx, order.row, 'released', needs.ports.clock.nowMs())
  return moveOrder(tx, needs, order, { event: 'cancel', ...move })
}
