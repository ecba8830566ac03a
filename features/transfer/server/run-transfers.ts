import { type Sweep, sweepForSigners } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import type { Repeating } from '@holdfast/jobs'
import type { OrderId, OrganisationId, WalletId } from '@holdfast/units'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { expireOrder } from './order/expire.ts'
import { OrderMovedError } from './order/move.ts'
import { noteAttention } from './order/needs-attention.ts'
import { signOrder } from './signing/sign-order.ts'
import { asOrderState, isOnItsWay, type OrderState } from './order/states.ts'

type Needs = Pick<ServerContext, 'ports' | 'db' | 'coSigners' | 'networks' | 'settings'>
type Due = {
  orgId: OrganisationId
  orderId: OrderId
  walletId: WalletId
  payer: string
  state: OrderState
  /** Whether a slot of its address is leased to it and no bytes are signed: all others of the address wait for it, older ones too. */
  holdsSlot: boolean
}
type Drive = Pick<Sweep, 'backoff' | 'isStopped'> & { needs: Needs; report: (cause: unknown) => void }

const RETRY_MS_MAX = 20_000
const SWEEP_ORDERS_MAX = 500

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

async function dueOrders({ db, ports }: Needs): Promise<Due[]> {
  const nowMs = BigInt(ports.clock.nowMs())
  const rows = await db.readSystem((tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['org_id', 'id', 'wallet_id', 'chain', 'address_from', 'state'])
      .select((row) =>
        row
          .exists(
            row
              .selectFrom('slot_lease')
              .select('slot')
              .whereRef('slot_lease.org_id', '=', 'transfer_order.org_id')
              .whereRef('slot_lease.order_id', '=', 'transfer_order.id')
              .where('slot_lease.state', '=', 'leased'),
          )
          .as('holds_slot'),
      )
      .where('is_final', '=', false)
      // An order about another payment has its transaction there, and is sent with it.
      .where((row) => row.or([row('replaces', 'is', null), row('state', '<>', 'broadcasting')]))
      // A signed authorization waits for the transaction that carries it.
      .where((row) => row.or([row('kind', '<>', 'authorize'), row('state', '<>', 'broadcasting')]))
      .where((row) =>
        row.or([
          row('state', 'in', ['signing', 'alarmed', 'broadcasting']),
          // One that waits after its last approval holds nobody up.
          row.and([row('state', '=', 'approved'), row.or([row('signable_at', 'is', null), row('signable_at', '<=', nowMs)])]),
          row.and([
            row('state', '=', 'pending'),
            row.exists(
              row
                .selectFrom('order_transaction')
                .select('number')
                .whereRef('order_transaction.org_id', '=', 'transfer_order.org_id')
                .whereRef('order_transaction.order_id', '=', 'transfer_order.id')
                .where('raw_tx', 'is', null)
                .where('ended_at', 'is', null),
            ),
          ]),
          row.and([row('state', 'in', ['approving', 'approved']), row('expires_at', '<', nowMs)]),
          row.and([
            row('state', 'in', ['approving', 'approved']),
            row.exists(
              row
                .selectFrom('policy_version')
                .select('version')
                .whereRef('policy_version.org_id', '=', 'transfer_order.org_id')
                .whereRef('policy_version.version', '>', 'transfer_order.policy_version'),
            ),
          ]),
        ]),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(SWEEP_ORDERS_MAX)
      .execute(),
  )
  return rows.map((row) => ({
    orgId: row.org_id,
    orderId: row.id,
    walletId: row.wallet_id,
    payer: `${row.chain}|${row.address_from}`,
    state: asOrderState(row.state),
    holdsSlot: Boolean(row.holds_slot),
  }))
}

/** Drives orders of one wallet in their order. True if at least one of them progressed. */
async function driveOrders({ needs, backoff, isStopped, report }: Drive, orders: readonly Due[]): Promise<boolean> {
  // Behind an order that holds the slot of an address, or waits for one, all others of the address wait as well. The holder is driven even
  // behind an older order that was approved or driven later: it waits for nobody, and they wait for it.
  const blocked = new Set<string>()
  let advanced = false
  for (const due of orders) {
    if (isStopped()) break
    if (blocked.has(due.payer) && due.state === 'approved' && !due.holdsSlot) continue
    const outcome = await driveOrder(needs, due).catch(async (cause: unknown) => {
      report(cause)
      // An order that somebody else moved meanwhile is read again and decided anew.
      if (!(cause instanceof OrderMovedError)) await noteAttention(needs, due.orgId, due.orderId, cause).catch(report)
      return 'wait' as const
    })
    if (outcome === 'done') backoff.succeed(due.orderId)
    if (outcome === 'wait') backoff.fail(due.orderId)
    if (outcome === 'done') advanced = true
    else if (!isOnItsWay(due)) blocked.add(due.payer)
  }
  return advanced
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
