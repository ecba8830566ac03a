import type { OrganisationTx } from '@holdfast/db'
import { readWalletKey } from '@holdfast/features/key/server'
import { findPaymentHalt, type Network, type PaymentHalt } from '@holdfast/features/network/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { ChainError, type FeeTierIndex } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import type { TransactionIntent } from '@holdfast/intent'
import { asksForScreening } from '@holdfast/policy'
import type { OrderId, OrganisationId } from '@holdfast/units'
import { awaitsResources } from './await-resources.ts'
import { awaitsScreening } from './await-screening.ts'
import { boundParties, isUnclear } from './choose-parties.ts'
import { inscribable } from '../slot/brc20-holding.ts'
import { readCarried, type SignedCarried } from '../order/carried.ts'
import { endLease, isLeased, leaseSlot, leastSlot } from '../slot/lease-slot.ts'
import { isDepositPending } from '../order/cpfp-orders.ts'
import { supersededBy } from '../order/expire.ts'
import { coinsOfOrder, lockedCoins, refuseTakenCoins } from '../slot/locked-coins.ts'
import { moveOrder, noteOrder } from '../order/move.ts'
import { isOnItsWay } from '../order/states.ts'
import { type Obstacle, obstacleOf } from '../order/obstacle.ts'
import { subjectKind } from '../order/kinds/index.ts'
import { type Order, orderedBy, readOrder } from '../order/read-order.ts'
import { readAttempts } from './read-attempts.ts'
import { readPrepared } from './read-prepared.ts'
import { addTransaction, openTransaction, storeBytes } from '../order/order-transactions.ts'
import { requestSignature, witnessLog } from './request-signature.ts'
import { signAllowed, signReplacement } from './sign-replacement.ts'
import type { SignNeeds, SignOutcome } from './types.ts'
import { waitOut } from './wait-out-delay.ts'

/** Time reserved for signers and the broadcast before bytes end by themselves. */
const SIGNING_MS = 5 * 60_000

/**
 * Brings an order that has its quorum to stored signed bytes, from wherever it stands: slot, unsigned bytes, session. Each
 * of these is written before the next begins, so a server that dies anywhere goes on from there with the same slot and the
 * same bytes.
 */
export async function signOrder(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId): Promise<SignOutcome> {
  const { order, inForce, around } = await giveUpWhereTooLate(needs, orgId, orderId)
  if (order && order.row.replaces !== null) return signAllowed(needs, orgId, order.row.replaces, orderId)
  if (order && isOnItsWay(order)) return signReplacement(needs, orgId, orderId)
  if (order?.state !== 'signing' && order?.state !== 'approved') return order?.state === 'alarmed' ? 'wait' : 'ended'
  if (!around) throw new Error(`what is around order ${orderId} was not read`)
  if (around.halt) return wait(needs, orgId, orderId, around.halt)
  const waited = order.state === 'approved' ? await waitOut(needs, orgId, order, inForce) : 'ready'
  if (waited !== 'ready') return waited
  const { policy } = inForce
  const isUnscreened = asksForScreening(policy) && (await needs.db.asOrganisation(orgId, (tx) => awaitsScreening(tx, policy, order, needs.ports.clock.nowMs())))
  // Before it has a slot: others of its address need not wait for a screener.
  if (isUnscreened) return wait(needs, orgId, orderId, { subStatus: 'waiting_screening' })
  if (order.state === 'signing' && !(await needs.db.asOrganisation(orgId, (tx) => isStale(tx, needs, order)))) return requestSignature(needs, orgId, orderId)
  // The order and its approvals are logged already, so the signers witness the log while the bytes are made.
  const witnessed = witnessLog(needs, orgId, inForce)
  witnessed.catch(() => {})
  const prepared = await prepareOrder(needs, orgId, order, around)
  return prepared === 'prepared' ? requestSignature(needs, orgId, orderId, witnessed) : prepared
}

/**
 * Ends an order whose time is over or whose policy has been replaced, so that no signer would sign it any more, and a CPFP whose deposit is not pending
 * any more. Its slot is free for the next order if no signer was ever told to begin. If a signature may exist that was never given to us, the order
 * raises an alarm instead: its funds stay held, and its slot bound, until the chain shows what became of the slot.
 */
async function giveUpWhereTooLate(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId): Promise<Seen> {
  // Most are not late: only a late one must be locked, which costs a write to the disk.
  const seen = await needs.db.readOrganisationInTurns(orgId, async (tx) => {
    const { ending, ...seen } = await readEnding(tx, needs, orderId)
    return ending ? undefined : withAround(tx, seen)
  })
  if (seen) return seen
  return needs.db.asOrganisation(orgId, async (tx) => {
    const { order, inForce, ending } = await readEnding(tx, needs, orderId, true)
    return withAround(tx, { order: order && ending ? await end(tx, needs, order, ending) : order, inForce })
  })
}

/** The reason why an unsigned order must end, if any. */
type Ending = { isLate: boolean; isSuperseded: boolean; version: bigint }
type Seen = { order: Order | undefined; inForce: PolicyInForce; around?: Around }
/** What may keep an order from being signed, and what its bytes are made of beside itself. */
type Around = { halt: PaymentHalt | undefined; isWithoutResources: boolean; coins: string[]; carried: SignedCarried[] }

async function withAround(tx: OrganisationTx, { order, inForce }: Seen): Promise<Seen> {
  if (order?.state !== 'approved' && order?.state !== 'signing') return { order, inForce }
  const { row } = order
  const [halt, isWithoutResources, coins, carried] = await Promise.all([
    findPaymentHalt(tx, row),
    awaitsResources(tx, order),
    coinsOfOrder(tx, row.id),
    readCarried(tx, row),
  ])
  return { order, inForce, around: { halt, isWithoutResources, coins, carried } }
}

async function readEnding(tx: OrganisationTx, { ports }: SignNeeds, orderId: OrderId, lock = false): Promise<Seen & { ending?: Ending }> {
  const [order, inForce] = await Promise.all([readOrder(tx, orderId, lock), currentPolicy(tx)])
  const { policy } = inForce
  if (order?.state !== 'approved' && order?.state !== 'signing' && order?.state !== 'alarmed') return { order, inForce }
  // An order about a payment whose transaction is being made ends together with that, which the payment has.
  if (order.row.replaces !== null && order.state === 'signing') return { order, inForce }
  const isLate = order.row.expires_at < BigInt(ports.clock.nowMs())
  const isSuperseded = policy.version !== order.row.policy_version
  const cpfp = order.row.replaces === null ? subjectKind(order.payment).cpfpFor?.(order.payment) : undefined
  const isPointless = cpfp !== undefined && !(await isDepositPending(tx, order.row.chain, cpfp))
  return isLate || isSuperseded || isPointless ? { order, inForce, ending: { isLate, isSuperseded, version: policy.version } } : { order, inForce }
}

async function end(tx: OrganisationTx, needs: SignNeeds, order: Order, { isLate, isSuperseded, version }: Ending): Promise<Order> {
  const isPointless = !isLate && !isSuperseded
  const attempts = await readAttempts(tx, order.row.id)
  // A CPFP pays nobody else: if it may be signed already, sending it is better than raising an alarm.
  if (attempts.some(isUnclear) && isPointless) return order
  if (attempts.some(isUnclear))
    return order.state === 'alarmed' ? order : moveOrder(tx, needs, order, { event: 'alarm', actor: 'server', subStatus: 'signature_unclear' })
  const moved = await moveOrder(tx, needs, order, {
    event: isSuperseded || isPointless ? ('supersede' as const) : ('time_out' as const),
    actor: 'server',
    ...(isSuperseded && { reason: supersededBy(version, order.row.policy_version) }),
    ...(isPointless && { subStatus: 'deposit_not_waiting' }),
  })
  await endLease(tx, order.row, 'released', needs.ports.clock.nowMs())
  return moved
}

/**
 * Whether stored bytes end by themselves so soon that a signature over them would arrive too late, and no signer can have bound the order
 * to them. Only then others may replace them: if a signature may exist, the chain has to show that their time has passed.
 */
async function isStale(tx: OrganisationTx, { networks, ports }: SignNeeds, order: Order): Promise<boolean> {
  const { row } = order
  const codec = networks.find(row.chain)?.codec
  const unsigned = openTransaction(order)?.unsigned_tx
  if (!codec || !unsigned) return false
  const { validUntilMs } = codec.decode(unsigned)
  if (validUntilMs === undefined || validUntilMs - BigInt(SIGNING_MS) > BigInt(ports.clock.nowMs())) return false
  return boundParties(await readAttempts(tx, row.id)).size === 0
}

/** Finds the slot, has the unsigned bytes made, and stores both. If the order has to wait, the reason is written with it. */
async function prepareOrder(needs: SignNeeds, orgId: OrganisationId, order: Order, around: Around): Promise<'prepared' | 'wait' | 'queued'> {
  const { row, payment } = order
  const { coins, carried } = around
  const network = needs.networks.find(row.chain)
  if (!network) return wait(needs, orgId, row.id, { subStatus: 'node_unavailable', reason: `the network ${row.chain} is not configured on this server` })
  try {
    if (around.isWithoutResources) return wait(needs, orgId, row.id, { subStatus: 'waiting_resources' })
    await demandInscribable(needs, orgId, network, order)
    // The coins are not about the slot, which the node is asked for meanwhile.
    const [leased, lockedOutpoints] = await Promise.all([
      slotFor(needs, orgId, order, network),
      lockedCoins((act) => needs.db.asOrganisation(orgId, act), network, { ...row, inscribes: subjectKind(payment).inscribes }),
    ])
    if (leased === 'queued') {
      await wait(needs, orgId, row.id, { subStatus: 'queued_nonce' })
      return 'queued'
    }
    const unsigned = await network.node.prepare({
      ...orderedBy(order),
      feeCap: row.fee_cap,
      slot: leased ?? ownNumber(payment),
      tier: row.tier as FeeTierIndex,
      lockedOutpoints,
      coins,
      ...(carried.length > 0 && { authorizations: carried.map(({ raw }) => raw) }),
    })
    await needs.db.asOrganisation(orgId, (tx) => storeUnsigned(tx, needs, order, leased, unsigned))
    return 'prepared'
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    // Without bytes the slot must not keep others of this address waiting.
    await needs.db.asOrganisation(orgId, async (tx) => {
      const present = await readOrder(tx, row.id, true)
      if (present?.state === 'approved') await endLease(tx, row, 'released', needs.ports.clock.nowMs())
    })
    return wait(needs, orgId, row.id, { subStatus: 'build_failed', reason: cause.message, obstacle: obstacleOf(cause) })
  }
}

/** Throws ChainError if an order would inscribe more of a token than is available by now: an inscription above that counts for nothing. */
async function demandInscribable({ db }: SignNeeds, orgId: OrganisationId, network: Network, { row, payment }: Order): Promise<void> {
  if (!subjectKind(payment).inscribes) return
  const most = await inscribable({ db }, orgId, network, { address: row.address_from, contract: row.contract, orderId: row.id })
  if (row.amount > most) throw new ChainError(`the amount is not available to be inscribed any more, or not yet: other inscriptions have set it aside`)
}

/** The slot leased to an order if the chain counts slots; undefined if the bytes will determine it, so that no order waits for another one. */
async function slotFor(needs: SignNeeds, orgId: OrganisationId, { row }: Order, network: Network): Promise<bigint | 'queued' | undefined> {
  if (!isLeased(network.codec.slotRule)) return undefined
  const lease = (floor: bigint, isSure: boolean) => needs.db.asOrganisation(orgId, (tx) => leaseSlot(tx, row, floor, needs.ports.clock.nowMs(), isSure))
  const floor = await network.node.nextSlot(row.address_from)
  const first = await lease(floor, false)
  const leased = first.kind === 'ahead' ? await lease(await leastSlot(network, row.address_from, floor), true) : first
  return leased.kind === 'slot' ? leased.slot : 'queued'
}

const ownNumber = ({ nonce }: TransactionIntent): bigint => BigInt(`0x${toHex(nonce)}`)

/** Stores unsigned bytes after the same comparison with the intent that signers make; bytes they would refuse are never shown to them. */
async function storeUnsigned(tx: OrganisationTx, needs: SignNeeds, before: Order, leased: bigint | undefined, unsigned: Uint8Array): Promise<void> {
  // An order is of the same wallet and key for ever.
  const [order, key] = await Promise.all([readOrder(tx, before.row.id, true), readWalletKey(tx, before.row.wallet_id, before.payment.keyId)])
  const isAwaited = order?.state === 'approved' || (order?.state === 'signing' && (await isStale(tx, needs, order)))
  if (!order || !isAwaited) return
  const { row, intent } = order
  const codec = needs.networks.require(row.chain).codec
  const effects = readPrepared(codec, order, { intent, unsigned, key })
  const { slot } = effects
  if (effects.inputs) await refuseTakenCoins(tx, codec, row, effects.inputs)
  else if (leased === undefined) await refuseSharedSlot(tx, row, slot)
  else if (slot !== leased) throw new ChainError(`the node prepared slot ${slot} instead of ${leased}`)
  const open = openTransaction(order)
  const first = { purpose: 'pay' as const, allowed_by: null, asked_by: null, tier: row.tier, fee_cap: row.fee_cap, unsigned_tx: unsigned }
  if (open) await storeBytes(tx, open, unsigned)
  else await addTransaction(tx, order, first, needs.ports.clock.nowMs())
  await moveOrder(tx, needs, order, { event: 'prepare', actor: 'server', set: { slot } })
}

/** One transaction would pay two orders with one slot, and the second never. Made again later, the bytes differ. */
async function refuseSharedSlot(tx: OrganisationTx, row: Order['row'], slot: bigint): Promise<void> {
  const other = await tx
    .selectFrom('transfer_order')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', row.chain)
    .where('address_from', '=', row.address_from)
    .where('slot', '=', slot)
    .where('id', '<>', row.id)
    .executeTakeFirst()
  if (other) throw new ChainError(`the node prepared the bytes of order ${other.id} once more`)
}

type Waiting = { subStatus: string; reason?: string; obstacle?: Obstacle }

async function wait(needs: SignNeeds, orgId: OrganisationId, orderId: OrderId, note: Waiting): Promise<'wait'> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const order = await readOrder(tx, orderId, true)
    if (order?.state === 'approved' || order?.state === 'signing') await noteOrder(tx, needs, order, { ...note, actor: 'server' })
  })
  return 'wait'
}
