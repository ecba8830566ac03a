import type { Resource } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { findControlAlarm, findPaymentHalt, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { ENDS_DELEGATION, type StandingOrderIntent } from '@holdfast/intent'
import { lockSubWallets } from '@holdfast/ledger'
import { faultUnderStanding, needsOfStanding, type OwnPlace, type StandingFacts, standingRuleId } from '@holdfast/policy'
import { bytesToUuid, known, newId, type OrderId, type PersonId, type SubWalletId } from '@holdfast/units'
import { carriedFacts, demandNoOther, writeCarried } from '../order/carried.ts'
import type { Money, Ordered } from '../order/kinds/index.ts'
import { moveOrder, writeOpening } from '../order/move.ts'
import { holdForOrder } from '../order/order-money.ts'
import { holdParts, type Part } from '../order/order-parts.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import { destinationsOf, ownPlaces } from './known-destinations.ts'
import { insertOrder, intentOf, logOpening, readPayer } from './open-transfer.ts'
import { hasRoom } from './outcome-by-limits.ts'

/** What every order under a standing order states. */
type Under = {
  standing: StandingOrderIntent
  subWalletId: SubWalletId
  network: Network
  from: string
  /** The most that it may cost, in the network's own coin. */
  feeCap: Money
  lifeMs: number
  /** Of a scheduled payment: when it is due, which says what date it pays, and until when it may be made. */
  due?: { atMs: bigint; lastMs: bigint }
}

/** A transfer that a standing order asks for, or a delegation (`lends`). `memo` as the chain carries it along. */
export type Move = Under & { to: string; memo: string | null; asset: NetworkAsset; amount: bigint } & (
    | { kind: 'collect' | 'fuel' | 'rent' | 'withdraw' }
    | { kind: 'stake_change'; lends: { action: 'delegate' | 'undelegate'; resource: Resource } }
  )

/**
 * A call that a standing order asks for, of the collector or about it. `target`: the own address to which that contract moves. `parts`: what a collection takes
 * of which addresses, held until the chain has said what it took. `carries`: the orders whose signed authorizations go along.
 */
export type CollectorCall = Under & {
  target: string
  contract: string
  data: Uint8Array
  signature: string | null
  parts: readonly Part[]
  carries?: readonly OrderId[]
}

/**
 * That the code of a contract of ours runs in the name of `from` once another transaction carries this; of nobody (`delegate` null), that none does any more.
 */
export type Authorizing = Omit<Under, 'feeCap' | 'due'> & { target: string; delegate: string | null; coin: NetworkAsset }

/** Why a move was not made, with nothing written. `detail` says what the standing order does not cover. */
export type NotMoved = { reason: 'not_covered' | 'limit_used' | 'halted' | 'alarm'; detail: string | null }

type Opening = { under: Under; ordered: Ordered; paid: string; memo: string | null; parts?: readonly Part[]; carries?: readonly OrderId[] }

/**
 * Opens a transfer or a delegation under a standing order, holds its money, and lets it be signed without anybody: judged by what this server knows, as
 * signers will judge it by what they know. Throws AppError where the balance does not cover it, or the address cannot pay at all.
 */
export function openMove(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, move: Move): Promise<{ order: Order } | NotMoved> {
  const { to, memo, asset, amount } = move
  const paid = { to, paid: { asset, amount } }
  const ordered: Ordered =
    move.kind === 'stake_change'
      ? { kind: move.kind, subject: { kind: 'stake', ...paid, ...move.lends, lockBlocks: 0n } }
      : { kind: move.kind, subject: { kind: 'transfer', ...paid, memo } }
  return openUnder(tx, needs, { under: move, ordered, paid: to, memo })
}

/** Opens a call under a standing order as `openMove` opens a transfer, and holds what it takes of each address. Throws AppError where that is not there. */
export function openCollectorCall(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, call: CollectorCall): Promise<{ order: Order } | NotMoved> {
  const { contract, data, signature, target, feeCap, parts, carries = [] } = call
  const subject = { kind: 'contractCall' as const, to: contract, paid: { asset: feeCap.asset, amount: 0n }, data, signature }
  const ordered: Ordered = parts.length > 0 ? { kind: 'collect', subject } : { kind: 'web3', subject }
  return openUnder(tx, needs, { under: call, ordered, paid: target, memo: null, parts, carries })
}

/**
 * Opens an authorization under a standing order as `openMove` opens a transfer. Throws `state_changed` while an earlier one of the address has not ended: one
 * at a time is signed and carried.
 */
export function openAuthorization(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, wanted: Authorizing): Promise<{ order: Order } | NotMoved> {
  const nothing = { asset: wanted.coin, amount: 0n }
  const ordered: Ordered = { kind: 'authorize', subject: { kind: 'authorization', to: wanted.delegate ?? ENDS_DELEGATION, paid: nothing } }
  return openUnder(tx, needs, { under: { ...wanted, feeCap: nothing }, ordered, paid: wanted.target, memo: null })
}

async function openUnder(
  tx: OrganisationTx,
  needs: Pick<ServerContext, 'ports'>,
  { under, ordered, paid, memo, parts = [], carries = [] }: Opening,
): Promise<{ order: Order } | NotMoved> {
  const { ports } = needs
  const { standing, subWalletId, network, from, feeCap } = under
  const nowMs = ports.clock.nowMs()
  const { chain } = network
  const { contract } = parts[0]?.asset ?? ordered.subject.paid.asset
  const [halt, inForce, payer, alarm] = await Promise.all([
    findPaymentHalt(tx, { chain, contract: contract ?? '' }),
    currentPolicy(tx),
    readPayer(tx, under),
    findControlAlarm(tx, { chain, address: from }),
  ])
  if (halt) return { reason: 'halted', detail: null }
  if (alarm) return { reason: 'alarm', detail: null }
  const standingOrderId = bytesToUuid(standing.id)
  const lifeMs = Math.min(under.lifeMs, Number(under.due?.lastMs ?? standing.untilMs) - nowMs)
  // The standing order is who asks: no person stands under this id.
  const request = { ...ordered, network, subWalletId, feeCap, remark: '', initiator: standingOrderId as PersonId, standingOrderId, lifeMs }
  const wanted = intentOf(request, payer, inForce, { orderId: newId(nowMs, ports.random), nowMs, nonce: ports.random.bytes(32) })
  const intent = under.due ? { ...wanted, notBeforeMs: under.due.atMs } : wanted
  const facts = { ...(await factsOf(tx, { chain, paid, memo }, nowMs)), carried: await carriedFacts(tx, carries) }
  const fault = faultUnderStanding(standing, intent, facts, nowMs)
  if (fault !== undefined) return { reason: 'not_covered', detail: fault }
  // From here on no other order of the sub-wallets can open or end.
  await lockSubWallets(tx, [...new Set([subWalletId, ...parts.map((part) => part.subWalletId)])])
  if (ordered.kind === 'authorize') await demandNoOther(tx, { chain, address: from })
  if (!(await hasRoom(tx, inForce.policy, needsOfStanding(standing, intent), intent, nowMs))) return { reason: 'limit_used', detail: null }
  const row = insertOrder(tx, request, payer, { intent, ruleId: standingRuleId(standing, intent) }, nowMs)
  await writeOpening(tx, row, standing.name.slice(0, 80), nowMs)
  await holdForOrder(tx, ports, row)
  logOpening(tx, row, inForce.fingerprint, nowMs)
  await holdParts(tx, ports, row, parts)
  await writeCarried(tx, row.id, carries)
  const opened = known(await readOrder(tx, row.id, true), `order ${row.id}`)
  return { order: await moveOrder(tx, needs, opened, { event: 'approve', actor: 'server' }) }
}

/** What this server knows of the own or listed address that is paid. A place leads to it only if it is the place of its row. */
async function factsOf(
  tx: OrganisationTx,
  { chain, paid, memo }: { chain: string; paid: string; memo: string | null },
  nowMs: number,
): Promise<Omit<StandingFacts, 'carried'>> {
  const [[place], of] = await Promise.all([ownPlaces(tx, chain, [paid]), destinationsOf(tx, chain, { own: [], listed: [paid], paidBefore: [] }, nowMs)])
  const isPlace = (each: OwnPlace) => place !== undefined && equalBytes(each.keyId, place.keyId) && each.path.join('/') === place.path.join('/')
  return { paidPlace: place, addressAt: (each) => (isPlace(each) ? paid : undefined), listing: of({ address: paid, memo }) }
}
