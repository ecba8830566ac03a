import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy } from '@holdfast/features/policy/server'
import type { OrderId } from '@holdfast/units'
import { type MoveNeeds, moveOrder } from './move.ts'
import { readOrder } from './read-order.ts'

/** Why an order was closed, for its timeline: the version of the policy that ended the version it was opened under. */
export const supersededBy = (version: bigint, before: bigint): string =>
  `version ${version} of the policy took effect; the order was made under version ${before}`

/** Ends an order whose approval time has passed, or whose policy has been replaced: its approvals can never count. Its funds are free again. */
export async function expireOrder(tx: OrganisationTx, needs: MoveNeeds, orderId: OrderId): Promise<void> {
  const order = await readOrder(tx, orderId, true)
  if (order?.state !== 'approving') return
  if (order.row.expires_at < BigInt(needs.ports.clock.nowMs())) {
    await moveOrder(tx, needs, order, { event: 'expire', actor: 'server' })
  } else {
    const { version } = (await currentPolicy(tx)).policy
    if (version !== order.row.policy_version)
      await moveOrder(tx, needs, order, { event: 'supersede', actor: 'server', reason: supersededBy(version, order.row.policy_version) })
  }
}
