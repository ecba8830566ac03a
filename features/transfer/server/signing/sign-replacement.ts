import { ChainError } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { readWalletKey } from '@holdfast/features/key/server'
import { findPaymentHalt } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { known, type OrderId, type OrganisationId } from '@holdfast/units'
import { lockedCoins, refuseTakenCoins } from '../slot/locked-coins.ts'
import { addTransaction, newestSigned, openTransaction, type OrderTransaction, storeBytes } from '../order/order-transactions.ts'
import { purposeOf } from '../order/kinds/index.ts'
import { type Order, orderedBy, readAllowing, readOrder } from '../order/read-order.ts'
import { readPrepared } from './read-prepared.ts'
import { requestSignature } from './request-signature.ts'
import type { SignNeeds, SignOutcome } from './types.ts'
import { readCarried } from '../order/carried.ts'
import { moveOrder } from '../order/move.ts'
import { isFinal, isOnItsWay } from '../order/states.ts'
import { endReplacement } from './write-outcome.ts'

/**
 * Brings a requested replacement to stored signed bytes: the same payment in the same slot for a higher fee. Its bytes are stored before
 * they are shown to a signer, and the old transaction stays as it is until this one is signed. If it cannot be made it is given up, with the reason; the
 * order goes on with what it has.
 */
export async function signReplacement(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId): Promise<SignOutcome> {
  const begun = await needs.db.asOrganisation(orgId, (tx) => beginReplacement(tx, needs, orderId))
  if (begun.kind !== 'make') return begun.kind
  const { order, open } = begun
  if (open.unsigned_tx !== null) return requestSignature(needs, orgId, orderId)
  try {
    const unsigned = await prepareReplacement(needs, orgId, order, open)
    await needs.db.asOrganisation(orgId, (tx) => storeReplacement(tx, needs, open, unsigned))
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    return needs.db.asOrganisation(orgId, async (tx) => {
      const present = await readOrder(tx, orderId, true)
      return present && openTransaction(present)?.number === open.number
        ? endReplacement(tx, needs, present, { actor: 'server', reason: cause.message })
        : 'ended'
    })
  }
  return requestSignature(needs, orgId, orderId)
}

/** What an approved order about a payment allows: the payment gets another transaction, once. The payment is always locked first. */
export async function signAllowed(needs: SignNeeds, orgId: OrganisationId, paymentId: OrderId, orderId: OrderId): Promise<SignOutcome> {
  const begun = await needs.db.asOrganisation(orgId, async (tx): Promise<'begun' | 'wait' | 'ended'> => {
    const payment = await readOrder(tx, paymentId, true)
    const order = await readOrder(tx, orderId, true)
    if (!payment || (order?.state !== 'approved' && order?.state !== 'signing')) return 'ended'
    if (isFinal(payment.state)) {
      await moveOrder(tx, needs, order, { event: 'yield', actor: 'chain' })
      return 'ended'
    }
    if (!isOnItsWay(payment)) return 'wait'
    const open = openTransaction(payment)
    if (open) return open.allowed_by === orderId ? 'begun' : 'wait'
    const { fee_cap, initiator: asked_by } = order.row
    const made = { purpose: purposeOf(order.row) === 'cancel' ? ('cancel' as const) : ('pay' as const), allowed_by: orderId, asked_by, tier: FAST, fee_cap }
    await addTransaction(tx, payment, made, needs.ports.clock.nowMs())
    await moveOrder(tx, needs, order, { event: 'prepare', actor: 'server', set: { slot: payment.row.slot } })
    return 'begun'
  })
  return begun === 'begun' ? signReplacement(needs, orgId, paymentId) : begun
}

/** People who allow more want it soon; the cap they set bounds it. */
const FAST = 2

type Begun = { kind: 'make'; order: Order; open: OrderTransaction } | { kind: 'wait' | 'ended' }

/** Whether signers would still sign it. A signature left by an earlier session takes the same slot, so giving up is safe. */
async function beginReplacement(tx: OrganisationTx, needs: SignNeeds, orderId: OrderId): Promise<Begun> {
  const order = await readOrder(tx, orderId, true)
  const open = order && openTransaction(order)
  if (!order || !open || !isOnItsWay(order)) return { kind: 'ended' }
  if (await findPaymentHalt(tx, order.row)) return { kind: 'wait' }
  const { row, state } = await readAllowing(tx, order, open)
  const isLate = row.expires_at < BigInt(needs.ports.clock.nowMs())
  const isSuperseded = (await currentPolicy(tx)).policy.version !== row.policy_version
  if (!isFinal(state) && !isLate && !isSuperseded) return { kind: 'make', order, open }
  const ended = isLate ? 'the approval has expired' : 'the policy has been replaced since the approval'
  const reason = isFinal(state) ? 'the order that allowed it has ended' : ended
  return { kind: await endReplacement(tx, needs, order, { actor: 'server', reason }) }
}

async function prepareReplacement(needs: SignNeeds, orgId: OrganisationId, order: Order, open: OrderTransaction): Promise<Uint8Array> {
  const { row } = order
  const network = needs.networks.find(row.chain)
  if (!network) throw new ChainError(`the network ${row.chain} is not configured on this server`)
  const { purpose, tier, fee_cap: feeCap } = open
  const place = { from: row.address_from, feeCap, tier: tier as 0 | 1 | 2, replaces: newestSigned(order).unsigned_tx }
  if (purpose === 'cancel') {
    if (!network.node.prepareCancel) throw new ChainError(`what waits on ${row.chain} cannot be cancelled`)
    return network.node.prepareCancel(place)
  }
  const carried = await needs.db.readOrganisation(orgId, (tx) => readCarried(tx, row))
  return network.node.prepare({
    ...orderedBy(order),
    ...place,
    slot: known(row.slot, `the slot of order ${row.id}`),
    ...(carried.length > 0 && { authorizations: carried.map(({ raw }) => raw) }),
    lockedOutpoints: await lockedCoins((act) => needs.db.asOrganisation(orgId, act), network, row),
  })
}

/** Stores unsigned bytes after the comparison with the intent that signers make: the same slot, and more to pay for it than before. */
async function storeReplacement(tx: OrganisationTx, needs: SignNeeds, made: OrderTransaction, unsigned: Uint8Array): Promise<void> {
  const order = await readOrder(tx, made.order_id, true)
  const open = order && openTransaction(order)
  // It may have been given up meanwhile, and another one begun.
  if (!order || open?.number !== made.number || open.unsigned_tx !== null || !isOnItsWay(order)) return
  const { row } = order
  const { intent } = await readAllowing(tx, order, open)
  const { codec } = needs.networks.require(row.chain)
  const effects = readPrepared(codec, order, { intent, unsigned, key: await readWalletKey(tx, row.wallet_id, order.payment.keyId) })
  if (effects.slot !== row.slot) throw new ChainError(`the node prepared slot ${effects.slot}, and what is to be replaced has slot ${row.slot}`)
  const before = codec.decode(newestSigned(order).unsigned_tx).feeMax
  if (open.purpose === 'pay' && effects.feeMax <= before)
    throw new ChainError(`the node prepared a fee of ${effects.feeMax}; what is to be replaced can pay ${before} already`)
  if (effects.inputs) await refuseTakenCoins(tx, codec, row, effects.inputs)
  await storeBytes(tx, open, unsigned)
}
