import { type Sweep, sweepForSigners } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import type { Repeating } from '@holdfast/jobs'
import { type Due, dueOrders } from './due-orders.ts'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { expireOrder } from './order/expire.ts'
import { OrderMovedError } from './order/move.ts'
import { noteAttention } from './order/needs-attention.ts'
import { signOrder } from './signing/sign-order.ts'
import { isOnItsWay } from './order/states.ts'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'networks' | 'settings'>
type Drive = Pick<Sweep, 'backoff' | 'isStopped'> & { needs: Needs; report: (cause: unknown) => void }

const RETRY_MS_MAX = 20_000
/** So many orders of a wallet are taken further before it is asked again which come first: what a person asked for meanwhile waits for no more. */
const DRIVEN_AT_ONCE = 10

const sweeps = sweepForSigners()

/** Has this process look at orders now, if it drives orders at all; otherwise another process does within a second. */
export const pokeTransfers: typeof sweeps.poke = sweeps.poke

/**
 * Drives every order that is not final and does not wait for people or for the chain, until stopped. Orders of one wallet are
 * signed one after the other, since a key takes part in one session at a time.
 */
export function startTransfers(needs: Needs, report: (cause: unknown) => void = () => {}): Repeating {
  const busy = new Map<string, Promise<void>>()
  const work = sweeps.start(needs, { report, retryMsMax: RETRY_MS_MAX }, async ({ isStopped, backoff, poke }) => {
    const byWallet = Map.groupBy(
      (await dueOrders(needs)).filter(({ orderId }) => backoff.isDue(orderId)),
      ({ walletId }) => walletId,
    )
    for (const [walletId, orders] of byWallet) {
      if (busy.has(walletId)) continue
      busy.set(
        walletId,
        driveOrders({ needs, backoff, isStopped, report }, orders).then((advanced) => {
          busy.delete(walletId)
          // Orders approved meanwhile wait for no timer.
          if (advanced) poke()
        }),
      )
    }
  })
  return {
    poke: work.poke,
    stop: async () => {
      await work.stop()
      await Promise.all(busy.values())
    },
  }
}

/** Drives orders of one wallet in their order, until some of them have progressed. True if at least one has. */
async function driveOrders({ needs, backoff, isStopped, report }: Drive, orders: readonly Due[]): Promise<boolean> {
  // Behind an order that holds the slot of an address, or waits for one, all others of the address wait as well. The holder is driven even
  // behind an older order that was approved or driven later: it waits for nobody, and they wait for it.
  const blocked = new Set<string>()
  let advanced = 0
  for (const due of orders) {
    if (isStopped() || advanced === DRIVEN_AT_ONCE) break
    if (blocked.has(due.payer) && due.state === 'approved' && !due.holdsSlot) continue
    const outcome = await driveOrder(needs, due).catch(async (cause: unknown) => {
      report(cause)
      // An order that somebody else moved meanwhile is read again and decided anew.
      if (!(cause instanceof OrderMovedError)) await noteAttention(needs, due.orgId, due.orderId, cause).catch(report)
      return 'wait' as const
    })
    if (outcome === 'done') backoff.succeed(due.orderId)
    if (outcome === 'wait') backoff.fail(due.orderId)
    if (outcome === 'done') advanced++
    else if (!isOnItsWay(due)) blocked.add(due.payer)
  }
  return advanced > 0
}

/** Takes one order as far as it goes now: `wait` if it must be tried again later, `queued` if it comes after another one. */
async function driveOrder(needs: Needs, { orgId, orderId, state }: Due): Promise<'done' | 'wait' | 'queued'> {
  if (state === 'approving') {
    await needs.db.asOrganisation(orgId, (tx) => expireOrder(tx, needs, orderId))
    return 'done'
  }
  const outcome = await signOrder(needs, orgId, orderId)
  if (!isOnItsWay({ state }) && outcome !== 'signed') return outcome === 'ended' ? 'done' : outcome
  // A pending transaction is sent whatever becomes of its replacement.
  const isSent = await broadcastOrder(needs, orgId, orderId)
  return isSent && outcome !== 'wait' ? 'done' : 'wait'
}
