import type { OrganisationTx } from '@holdfast/db'
import { isUnclear } from './choose-parties.ts'
import { endLease } from '../slot/lease-slot.ts'
import { type Move, type MoveNeeds, moveOrder } from '../order/move.ts'
import type { Order, OrderRow } from '../order/read-order.ts'
import { readAttempts } from './read-attempts.ts'
import { canMove, asOrderState } from '../order/states.ts'

/** Whether an order can be taken back: no signed bytes of it exist, and none can exist that nobody gave us. */
export async function canTakeBack(tx: OrganisationTx, { id, state }: Pick<OrderRow, 'id' | 'state'>): Promise<boolean> {
  if (!canMove(asOrderState(state), 'cancel')) return false
  return state === 'approving' || !(await readAttempts(tx, id)).some(isUnclear)
}

/** Takes an order back that `canTakeBack`: its funds and its place on the chain are free again. A session that its signers have not begun ends without them. */
export async function takeBack(tx: OrganisationTx, needs: MoveNeeds, order: Order, move: Omit<Move, 'event'>): Promise<Order> {
  await endLease(tx, order.row, 'released', needs.ports.clock.nowMs())
  return moveOrder(tx, needs, order, { event: 'cancel', ...move })
}
