import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy } from '@holdfast/features/strategy/server'
import { type MoveNeeds, moveOrder } from './move.ts'
import { readOrder } from './read-order.ts'

/** Ends an order whose time to be approved has passed, or whose policy has been replaced: its approvals can never count. Its funds are free again. */
export async function expireOrder(tx: OrganisationTx, needs: MoveNeeds, orderId: string): Promise<void> {
  const order = await readOrder(tx, orderId, true)
  if (order?.state !== 'approving') return
  if (order.row.expires_at < BigInt(needs.ports.clock.nowMs())) {
    await moveOrder(tx, needs, order, { event: 'expire', actor: 'server' })
  } else if ((await currentPolicy(tx)).policy.version !== order.row.policy_version) {
    await moveOrder(tx, needs, order, { event: 'supersede', actor: 'server' })
  }
}
