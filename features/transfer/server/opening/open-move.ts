import type { Resource } from '@holdfast/chain-core'
import { askAlong, type OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog } from '@holdfast/features/evidence/server'
import { findControlAlarm, findPaymentHalt, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import type { StakeIntent, StandingOrderIntent, TransferIntent } from '@holdfast/intent'
import { lockSubWallets } from '@holdfast/ledger'
import { faultUnderStanding, needsOfStanding, type OwnPlace, type StandingFacts, standingRuleId } from '@holdfast/policy'
import { bytesToUuid, known, newId, type PersonId, type SubWalletId } from '@holdfast/units'
import type { Money } from '../order/kinds/index.ts'
import { moveOrder, writeOpening } from '../order/move.ts'
import { holdForOrder } from '../order/order-money.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import { destinationsOf, ownPlaces } from './known-destinations.ts'
import { insertOrder, intentOf, readPayer } from './open-transfer.ts'
import { hasRoom } from './outcome-by-limits.ts'

/** A transfer that a standing order asks for, or a delegation (`lends`). `memo` as the chain carries it along. */
export type Move = (
  | { kind: 'collect' | 'fuel'; lends?: undefined }
  | { kind: 'stake_change'; lends: { action: 'delegate' | 'undelegate'; resource: Resource } }
) & {
  standing: StandingOrderIntent
  subWalletId: SubWalletId
  network: Network
  from: string
  to: string
  memo: string | null
  asset: NetworkAsset
  amount: bigint
  /** The most that it may cost, in the network's own coin. */
  feeCap: Money
  lifeMs: number
}

/** Why a move was not made, with nothing written. `detail` says what the standing order does not cover. */
export type NotMoved = { reason: 'not_covered' | 'limit_used' | 'halted' | 'alarm'; detail: string | null }

/**
 * Opens a transfer or a delegation under a standing order, holds its money, and lets it be signed without anybody: judged by what this server knows, as signers will judge it
 * by what they know. Throws AppError where the balance does not cover it, or the address cannot pay at all.
 */
export async function openMove(tx: OrganisationTx, needs: Pick<ServerContext, 'ports'>, move: Move): Promise<{ order: Order } | NotMoved> {
  const { ports } = needs
  const { standing, network, from, asset, amount } = move
  const nowMs = ports.clock.nowMs()
  const { chain } = network
  const [halt, inForce, payer, alarm] = await Promise.all([
    findPaymentHalt(tx, { chain, contract: asset.contract ?? '' }),
    currentPolicy(tx),
    readPayer(tx, move),
    findControlAlarm(tx, { chain, address: from }),
  ])
  if (halt) return { reason: 'halted', detail: null }
  if (alarm) return { reason: 'alarm', detail: null }
  const standingOrderId = bytesToUuid(standing.id)
  const lifeMs = Math.min(move.lifeMs, Number(standing.untilMs) - nowMs)
  const paid = { to: move.to, paid: { asset, amount } }
  const request = {
    ...(move.kind === 'stake_change'
      ? { kind: move.kind, subject: { kind: 'stake' as const, ...paid, ...move.lends, lockBlocks: 0n } }
      : { kind: move.kind, subject: { kind: 'transfer' as const, ...paid, memo: move.memo } }),
    network,
    subWalletId: move.subWalletId,
    feeCap: move.feeCap,
    remark: '',
    // The standing order is who asks: no person stands under this id.
    initiator: standingOrderId as PersonId,
    standingOrderId,
    lifeMs,
  }
  const intent = intentOf(request, payer, inForce, { orderId: newId(nowMs, ports.random), nowMs, nonce: ports.random.bytes(32) }) as
    | TransferIntent
    | StakeIntent
  const fault = faultUnderStanding(standing, intent, await factsOf(tx, move, nowMs), nowMs)
  if (fault !== undefined) return { reason: 'not_covered', detail: fault }
  // From here on no other order of the sub-wallet can open or end.
  await lockSubWallets(tx, [move.subWalletId])
  if (!(await hasRoom(tx, inForce.policy, needsOfStanding(standing), intent, nowMs))) return { reason: 'limit_used', detail: null }
  const row = await insertOrder(tx, request, payer, { intent, ruleId: standingRuleId(standing) }, nowMs)
  await writeOpening(tx, row, standing.name.slice(0, 80), nowMs)
  const [sequence] = await Promise.all([
    appendToLog(tx, { genesis: inForce.fingerprint, type: 'intent' as const, body: row.intent, atMs: nowMs }),
    holdForOrder(tx, ports, row),
  ])
  askAlong(tx, tx.insertInto('order_log_place').values({ org_id: tx.orgId, order_id: row.id, sequence: BigInt(sequence), person_id: null }))
  const opened = known(await readOrder(tx, row.id, true), `order ${row.id}`)
  return { order: await moveOrder(tx, needs, opened, { event: 'approve', actor: 'server' }) }
}

/** What this server knows of the address that is paid. A place leads to it only if it is the place of its row. */
async function factsOf(tx: OrganisationTx, { network: { chain }, to, memo }: Move, nowMs: number): Promise<StandingFacts> {
  const [[place], of] = await Promise.all([ownPlaces(tx, chain, [to]), destinationsOf(tx, chain, { own: [], listed: [to], paidBefore: [] }, nowMs)])
  const isPlace = (each: OwnPlace) => place !== undefined && equalBytes(each.keyId, place.keyId) && each.path.join('/') === place.path.join('/')
  return { paidPlace: place, addressAt: (each) => (isPlace(each) ? to : undefined), listing: of({ address: to, memo }) }
}
