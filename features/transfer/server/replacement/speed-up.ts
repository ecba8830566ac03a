import { ChainError, FEE_TIERS } from '@holdfast/chain-core'
import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { amountOf, claimRequest, type RequestKey } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Network } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { at, formatAmount, known, type OrderId, type OrganisationId, type PersonId, type RequesterId } from '@holdfast/units'
import type { REPLACEMENT_OBSTACLES, speedUp as endpoint } from '../../contract.ts'
import { transferErrors } from '../../errors.ts'
import { isLeased } from '../slot/lease-slot.ts'
import { lockedCoins } from '../slot/locked-coins.ts'
import { readCarried } from '../order/carried.ts'
import { noteOrder } from '../order/move.ts'
import { hasOpenReplacement, openReplacement } from './open-replacement.ts'
import { addTransaction, newestSigned, openTransaction } from '../order/order-transactions.ts'
import { subjectKind } from '../order/kinds/index.ts'
import { type Order, orderedBy, readOrder } from '../order/read-order.ts'
import { isOnItsWay } from '../order/states.ts'

export type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
export type Caller = { orgId: OrganisationId; requesterId: RequesterId; language: Language }
export type Obstacle = (typeof REPLACEMENT_OBSTACLES)[number]

/** How long people have to approve a higher cap, a cancellation, or a CPFP. */
export const LIFE_MS = 24 * 3_600_000
/** Whoever raises a fee wants it soon; the cap bounds it. */
const FAST = FEE_TIERS.indexOf('fast')
/** No fee is so high; the chain's own limits bound a request without a cap. */
export const NO_CAP = 2n ** 200n

/** The reason why a payment cannot be replaced, or undefined. */
async function obstacleTo(tx: OrganisationTx, order: Order, network: Network | undefined): Promise<Obstacle | undefined> {
  if (order.row.replaces !== null) return 'is_replacement'
  if (order.state === 'confirming') return 'in_block'
  if (!isOnItsWay(order)) return 'not_on_its_way'
  // An authorization is no transaction, so that no fee decides about it.
  if (!network?.node.prepareCancel || subjectKind(order.payment).isCarried) return 'not_supported'
  if (subjectKind(order.payment).inscribes) return 'inscribes'
  return openTransaction(order) || (await hasOpenReplacement(tx, order.row.id)) ? 'being_replaced' : undefined
}

/** An order that speeds a deposit up returns everything, so there is nothing to cancel. */
const isCancellable = ({ payment }: Order): boolean => subjectKind(payment).cpfpFor === undefined

/** Whether signers would sign other bytes under the approvals that the payment has. */
async function isInTime(tx: OrganisationTx, { row }: Order, nowMs: number): Promise<boolean> {
  return row.expires_at >= BigInt(nowMs) && (await currentPolicy(tx)).policy.version === row.policy_version
}

/** What replacing a payment costs, by bytes that the network's node prepares and nobody signs. */
export async function speedUpInfo({ db, ports, networks }: Needs, { orgId }: Pick<Caller, 'orgId'>, orderId: OrderId) {
  const nowMs = ports.clock.nowMs()
  const { order, obstacle, inTime } = await db.asOrganisation(orgId, async (tx) => {
    const found = await readOrder(tx, orderId)
    if (!found) throw new AppError(proposalErrors.order_not_found)
    return { order: found, obstacle: await obstacleTo(tx, found, networks.find(found.row.chain)), inTime: await isInTime(tx, found, nowMs) }
  })
  const network = networks.find(order.row.chain)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !coin) throw new AppError(networkErrors.node_configuration)
  const shown = (amount: bigint) => formatAmount(amount, coin.decimals)
  const { codec } = network
  const old = obstacle === undefined ? newestSigned(order) : undefined
  const fees = old && (await feesOf({ db, network, orgId }, order, old.unsigned_tx))
  const reason = obstacle ?? (fees ? null : ('no_estimate' as const))
  const oldFee = old ? codec.decode(old.unsigned_tx).feeMax : 0n
  const cap = order.row.fee_cap
  return {
    can: reason === null,
    reason,
    method: network.node.prepareCancel === undefined ? null : isLeased(codec.slotRule) ? ('nonce' as const) : ('RBF' as const),
    cancel_supported: reason === null && isCancellable(order),
    fee_symbol: coin.symbol,
    cap: shown(cap),
    old: old
      ? {
          txid: old.txid,
          fee: shown(oldFee),
          nonce: isLeased(codec.slotRule) ? String(order.row.slot) : null,
          age_s: Math.max(0, Math.floor((nowMs - Number(old.signed_at)) / 1000)),
        }
      : null,
    min: fees ? shown(at(fees.tiers, 0)) : null,
    left: old ? shown(cap > oldFee ? cap - oldFee : 0n) : null,
    in_time: inTime,
    tiers: (fees?.tiers ?? []).map((fee, i) => ({ tier: at(FEE_TIERS, i), fee: shown(fee), needs_approval: fee > cap || !inTime })),
    cancel_fee: fees?.cancel === undefined ? null : shown(fees.cancel),
  }
}

type Asked = Pick<Needs, 'db'> & { network: Network; orgId: OrganisationId }

/** What each tier and a cancellation can cost at most, by the same bytes that would be signed; undefined if the node makes none. */
async function feesOf({ db, network, orgId }: Asked, order: Order, replaces: Uint8Array) {
  const { node, codec } = network
  const place = { from: order.row.address_from, feeCap: NO_CAP, replaces }
  const feeMax = (unsigned: Uint8Array) => codec.decode(unsigned).feeMax
  try {
    const lockedOutpoints = await lockedCoins((act) => db.asOrganisation(orgId, act), network, order.row)
    const carried = await db.readOrganisation(orgId, (tx) => readCarried(tx, order.row))
    const along = carried.length > 0 && { authorizations: carried.map(({ raw }) => raw) }
    const wanted = { ...orderedBy(order), ...place, slot: known(order.row.slot, `the slot of order ${order.row.id}`), lockedOutpoints, ...along }
    const [cancel, tiers] = await Promise.all([
      isCancellable(order) ? node.prepareCancel?.({ ...place, tier: 2 }) : undefined,
      Promise.all(([0, 1, 2] as const).map((tier) => node.prepare({ ...wanted, tier }))),
    ])
    return { cancel: cancel && feeMax(cancel), tiers: tiers.map(feeMax) }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/**
 * Raises the fee of a payment within what its approval allows, which needs nobody else, or opens an order for people to approve: a higher cap, or to cancel it.
 * A machine does so for what it asked for itself. The same request again answers the same. Throws AppError.
 */
export async function speedUp(
  needs: Needs,
  caller: Caller & { request: RequestKey; isMachine: boolean },
  input: InputOf<typeof endpoint>,
): Promise<{ order: Order; needsApproval: boolean }> {
  const { ports, networks } = needs
  const { request: key, requesterId, isMachine } = caller
  return needs.db.asOrganisation(caller.orgId, async (tx) => {
    const order = await readOrder(tx, input.trans_id, true)
    if (!order || (isMachine && order.row.initiator !== requesterId)) throw new AppError(proposalErrors.order_not_found)
    const network = networks.find(order.row.chain)
    const coin = network?.assets.find((each) => each.contract === null)
    if (!network || !coin) throw new AppError(networkErrors.node_configuration)
    const feeCap = amountOf(input.max_fee, coin)
    const known = await tx.selectFrom('idempotency').select('result_id').where('org_id', '=', tx.orgId).where('request_id', '=', key.id).executeTakeFirst()
    const isOfCoins = !isLeased(network.codec.slotRule)
    const obstacle = known ? undefined : await obstacleTo(tx, order, network)
    if (obstacle) throw impossible(obstacle, caller.language, isOfCoins)
    const nowMs = ports.clock.nowMs()
    const isCancel = input.cancel === '1'
    if (isCancel && !isCancellable(order)) throw impossible('not_supported', caller.language, isOfCoins)
    const isAllowed = !isCancel && feeCap <= order.row.fee_cap && (await isInTime(tx, order, nowMs))
    if (known ? known.result_id === order.row.id : isAllowed) {
      const { fresh } = await claimRequest(tx, { key, kind: 'speed_up_now', resultId: order.row.id, nowMs })
      if (!fresh) return { order, needsApproval: false }
      const tier = FEE_TIERS.indexOf(input.tier)
      return { order: await beginRaise(tx, { ports }, order, { askedBy: requesterId, isMachine, tier, feeCap, reason: input.remark }), needsApproval: false }
    }
    const action = isCancel ? ('cancel' as const) : ('speed-up' as const)
    const request = { key, remark: input.remark, lifeMs: LIFE_MS }
    const about = { orderId: order.row.id, action, feeCap: { asset: coin, amount: feeCap } }
    const opened = await openReplacement(tx, { ports }, { ...request, ...about, initiator: requesterId, language: caller.language })
    return { order: opened.order, needsApproval: true }
  })
}

/** `askedBy`: a person or a machine; null where nobody asked. */
type Raise = { askedBy: RequesterId | null; isMachine: boolean; tier: number; feeCap: bigint; reason: string }

async function beginRaise(
  tx: OrganisationTx,
  { ports }: Pick<Needs, 'ports'>,
  order: Order,
  { askedBy, isMachine, tier, feeCap, reason }: Raise,
): Promise<Order> {
  // Which machine it was, the timeline has: transactions name people.
  const person = isMachine ? null : askedBy
  await addTransaction(tx, order, { purpose: 'pay', allowed_by: null, asked_by: person, tier, fee_cap: feeCap }, ports.clock.nowMs())
  return noteOrder(tx, { ports }, order, { subStatus: 'speeding_up', actor: askedBy ?? 'server', reason })
}

/** Why the fee of a payment is not raised: it cannot be replaced, its time is over, or it offers already all that it may cost. */
export type NotRaised = Obstacle | 'late' | 'at_cap'

/**
 * Has a payment signed once more for a higher fee, within what it may cost at most, which needs nobody's approval; what still bounds it, signers judge by their
 * own copy. `askedBy` is null where nobody asked. Answers why not, with nothing written.
 */
export async function raiseFee(
  tx: OrganisationTx,
  needs: Pick<Needs, 'ports' | 'networks'>,
  orderId: OrderId,
  { askedBy, reason }: { askedBy: PersonId | null; reason: string },
): Promise<{ raised: Order } | { obstacle: NotRaised }> {
  const order = await readOrder(tx, orderId, true)
  if (!order) throw new AppError(proposalErrors.order_not_found)
  const obstacle = await whyNotRaised(tx, needs, order)
  if (obstacle) return { obstacle }
  return { raised: await beginRaise(tx, needs, order, { askedBy, isMachine: false, tier: FAST, feeCap: order.row.fee_cap, reason }) }
}

/** Why the fee of a payment would not be raised now; undefined if it would. */
export async function whyNotRaised(tx: OrganisationTx, { ports, networks }: Pick<Needs, 'ports' | 'networks'>, order: Order): Promise<NotRaised | undefined> {
  const network = networks.find(order.row.chain)
  const obstacle = await obstacleTo(tx, order, network)
  if (!network || obstacle) return obstacle ?? 'not_supported'
  if (!(await isInTime(tx, order, ports.clock.nowMs()))) return 'late'
  return network.codec.decode(newestSigned(order).unsigned_tx).feeMax >= order.row.fee_cap ? 'at_cap' : undefined
}

/** The refusal of a replacement, in words; one of its own on chains of coins, such as Bitcoin. */
export function impossible(obstacle: Obstacle, language: Language, isOfCoins: boolean): AppError {
  if (obstacle === 'being_replaced') return new AppError(transferErrors.replacement_open)
  const details = { reason: WORDS[language][obstacle] }
  return isOfCoins ? new AppError(transferErrors.btc_acceleration_error, { details }) : new AppError(transferErrors.replacement_impossible, { details })
}

const WORDS: Record<Language, Record<Exclude<Obstacle, 'being_replaced'>, string>> = {
  en_US: {
    not_on_its_way: 'it is not on its way to a block',
    in_block: 'a block holds it already',
    not_supported: 'its network replaces nothing; it is paid, or its time passes',
    is_replacement: 'it is itself about another payment',
    inscribes: 'it is several transactions that make an inscription and send it, and a block may have the first of them; each pays the fee that was chosen',
    no_estimate: 'the network tells no fee now',
    pays_enough: 'it pays the usual fees already',
    too_small: 'it holds too little: a coin so small may carry an inscription, or cannot bear the fee',
  },
  zh_CN: {
    not_on_its_way: '它不在等待出块',
    in_block: '它已在区块中',
    not_supported: '该网络不支持替换，它会被支付，或过期失效',
    is_replacement: '它本身就是针对另一笔付款的订单',
    inscribes: '它由制作并转出铭文的多笔交易组成，其中第一笔可能已在区块中；每笔都按所选费率支付手续费',
    no_estimate: '网络当前无法给出手续费',
    pays_enough: '它的手续费已达到通常水平',
    too_small: '金额过小：这样小的币可能携带铭文，或不足以承担手续费',
  },
}
