import { ChainError } from '@holdfast/chain-core'
import { createBackoff } from '@holdfast/jobs'
import type { ServerContext } from '@holdfast/features/context'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { noteOrder } from './move.ts'
import { obstacleOf } from './obstacle.ts'
import { readOrder } from './read-order.ts'
import { isFinal, type OrderState, subStatusOf } from './states.ts'

/** The sub-status of an order with which the server cannot go on, although the chain may have it. */
export const NEEDS_ATTENTION = 'needs_attention'

const FIRST_MS = 5_000
const RETRY_MS_MAX = 10 * 60_000
/** A node gives an unusable answer now and then. After this many in a row it is reported, for an order as for anything else. */
const UNUSABLE_MAX = 3
/** The sub-status of an order with which the server cannot go on. One that raised an alarm keeps its own. */
const NOTED: Partial<Record<OrderState, string>> = {
  approved: 'build_failed',
  signing: 'co_signer_fault',
  broadcasting: NEEDS_ATTENTION,
  pending: NEEDS_ATTENTION,
  confirming: NEEDS_ATTENTION,
  completed: NEEDS_ATTENTION,
  failed: NEEDS_ATTENTION,
  replaced: NEEDS_ATTENTION,
}

type Needs = Pick<ServerContext, 'ports' | 'db'>

/** What a reader of a chain remembers of orders that could not be checked or settled, while it lives. */
export type OrderFailures = {
  isDue(orderId: OrderId): boolean
  succeed(orderId: OrderId): void
  /** True if people must be told: at once, or at the third unusable answer of a node. The order is then put off, longer each time. */
  fail(orderId: OrderId, cause: unknown): boolean
}

export function openOrderFailures({ clock }: Pick<ServerContext['ports'], 'clock'>): OrderFailures {
  const backoff = createBackoff(() => clock.monotonicMs(), FIRST_MS, RETRY_MS_MAX)
  const unusable = new Map<string, number>()
  return {
    isDue: backoff.isDue,
    succeed: (orderId) => {
      backoff.succeed(orderId)
      unusable.delete(orderId)
    },
    fail: (orderId, cause) => {
      const times = (unusable.get(orderId) ?? 0) + 1
      unusable.set(orderId, times)
      if (cause instanceof ChainError && times < UNUSABLE_MAX) return false
      backoff.fail(orderId)
      return true
    },
  }
}

/** Writes with an order why the server could not go on with it, for people to see. */
export async function noteAttention(needs: Needs, orgId: OrganisationId, orderId: OrderId, cause: unknown): Promise<void> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const order = await readOrder(tx, orderId, true)
    const subStatus = order && NOTED[order.state]
    if (!order || !subStatus) return
    const obstacle = obstacleOf(cause)
    await noteOrder(tx, needs, order, { subStatus, actor: 'server', reason: obstacle.text, obstacle })
  })
}

/** Removes that if the order was checked without a fault since. */
export async function clearAttention(needs: Needs, orgId: OrganisationId, orderId: OrderId): Promise<void> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const order = await readOrder(tx, orderId, true)
    if (order?.row.sub_status !== NEEDS_ATTENTION || isFinal(order.state)) return
    const subStatus = subStatusOf(order.state, order.state === 'confirming' ? 'include' : order.state === 'pending' ? 'accept' : 'sign')
    await noteOrder(tx, needs, order, { subStatus, actor: 'server' })
  })
}
