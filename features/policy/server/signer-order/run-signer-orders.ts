import { type Sweep, sweepForSigners } from '@holdfast/features/signer-link/server'
import type { Repeating } from '@holdfast/jobs'
import { bringBookUp, organisationsWithBook } from './bring-book-up.ts'
import { bringStandingUp, organisationsWithStandingOrders } from './standing-orders.ts'
import { type FollowNeeds, followSignerOrder } from './follow-signer-order.ts'
import { currentPolicy } from '../current-policy.ts'
import { spreadFreezes } from '../freezes.ts'
import { spreadStops } from '../stops.ts'
import { signerOrders } from './signer-order.ts'

const sweeps = sweepForSigners()

/** Has orders to the signers, and freezes, looked at now by this process; otherwise a process that drives them does within a second. */
export const pokeSignerOrders: typeof sweeps.poke = sweeps.poke

/** Brings freezes, stops, approved orders, the whitelist and standing orders to the signers, and ends orders that nobody can approve any more. */
export function startSignerOrders(needs: FollowNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  // A signer that comes may have been away, put back, or replaced: nobody knows what it lacks before it is asked.
  let isListDue = true
  return sweeps.start(needs, { report, onSigners: () => (isListDue = true) }, async ({ isStopped, attend }) => {
    await spreadFreezes(needs).catch(report)
    await spreadStops(needs).catch(report)
    if (isListDue) isListDue = !(await bringListsUp(needs, attend))
    for (const { org_id: orgId, id, state } of await signerOrders.unfinished(needs.db)) {
      if (isStopped()) return
      if (state === 'approved') await attend(id, async () => (await followSignerOrder(needs, orgId, id)) !== 'wait')
      else await endWhereNobodyCanApprove(needs, orgId, id)
    }
  })
}

async function bringListsUp(needs: FollowNeeds, attend: Sweep['attend']): Promise<boolean> {
  let isDone = true
  const bring = async (what: string, orgIds: readonly string[], bringUp: typeof bringBookUp) => {
    for (const orgId of orgIds) {
      let isUp = false
      await attend(`${what} ${orgId}`, async () => (isUp = await bringUp(needs, orgId)))
      isDone &&= isUp
    }
  }
  await bring('book', await organisationsWithBook(needs), bringBookUp)
  // After the whitelist, on which the destinations of standing orders may be.
  await bring('standing orders', await organisationsWithStandingOrders(needs), bringStandingUp)
  return isDone
}

/** Ends an order whose time is over, or which another policy would have to judge than the one it was requested under. */
async function endWhereNobodyCanApprove(needs: FollowNeeds, orgId: string, id: string): Promise<void> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const order = await signerOrders.read(tx, id, true)
    if (order?.row.state !== 'approving') return
    const { policy } = await currentPolicy(tx)
    if (order.row.policy_version !== policy.version) await signerOrders.move(tx, needs, order, { state: 'superseded', actor: 'server' })
    else if (order.row.expires_at < BigInt(needs.ports.clock.nowMs())) await signerOrders.move(tx, needs, order, { state: 'expired', actor: 'server' })
  })
}
