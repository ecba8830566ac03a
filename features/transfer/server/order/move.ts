import assert from 'node:assert/strict'
import { type OrganisationTx, type Schema, writtenOnce } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { appendAlong, type LogEntryKind } from '@holdfast/features/evidence/server'
import { closeProposal, endStop } from '@holdfast/features/proposal/server'
import { announceAll, type Announcement } from '@holdfast/jobs'
import { type AssetAmount, lockSubWallets } from '@holdfast/ledger'
import { known } from '@holdfast/units'
import type { Insertable } from 'kysely'
import { orderAnnouncements } from './announce-order.ts'
import { chargeFee, costsNothing, releaseOrder, restoreHold, settleOrder } from './order-money.ts'
import { freeParts, subWalletsOfParts } from './order-parts.ts'
import { keptObstacle, type Obstacle } from './obstacle.ts'
import { endOpenTransaction } from './order-transactions.ts'
import { type Order, type OrderRow, readOrder } from './read-order.ts'
import { isFinal, nextState, type OrderEvent, type OrderState, postingOf, subStatusOf } from './states.ts'

export type MoveNeeds = Pick<ServerContext, 'ports'>

/** What an event tells of an order. */
type Learnt = Partial<Pick<OrderRow, 'slot' | 'txid' | 'block_height' | 'block_hash' | 'fee_paid' | 'signable_at' | 'rule_id'>> & { refusal?: string }

export type Move = {
  event: OrderEvent
  /** A person's id, or server, chain, signer-1 to signer-3. */
  actor: string
  reason?: string
  subStatus?: string
  /** The obstacle to the order from here on; absent if there is none any more. */
  obstacle?: Obstacle
  set?: Learnt
  /** With a settlement: what the chain says has left the sub-wallet, unless that is simply the order's amount; with a failure, what left all the same. */
  left?: readonly AssetAmount[]
  /** With a settlement: what the chain returned from stake. */
  unstaked?: AssetAmount
  log?: readonly { type: LogEntryKind; body: Uint8Array }[]
}

/** Somebody else moved the order since it was read. Read it again and decide anew. */
export class OrderMovedError extends Error {
  override name = 'OrderMovedError'
}

/**
 * The one writer of an order's state: the row, what it means for the held money, the log, the timeline and the hint to
 * open pages, all in the caller's transaction. Locks are taken in this order everywhere: the payment, the orders about it,
 * the sub-wallet, the log, the outbox; the sub-wallet even if nothing is posted, because another move may follow. Others
 * wait for the last three, so what needs none of them, such as the timeline, is written before, and no node is asked meanwhile.
 * `order` must have been read with a lock in this transaction. Throws ImpossibleMove and OrderMovedError.
 */
export async function moveOrder(tx: OrganisationTx, { ports }: MoveNeeds, order: Order, move: Move): Promise<Order> {
  const { moved, news } = await moveUntold(tx, { ports }, order, move)
  await announceAll(tx, ports, news)
  return moved
}

/** The move without its news: that comes last, since it locks the outbox, and another order may have to move before. */
async function moveUntold(tx: OrganisationTx, { ports }: MoveNeeds, order: Order, move: Move): Promise<{ moved: Order; news: Announcement[] }> {
  const to = nextState(order.state, move.event)
  const nowMs = ports.clock.nowMs()
  const changes = { ...move.set, ...standing(move), state: to, sub_status: move.subStatus ?? subStatusOf(to, move.event), is_final: isFinal(to) }
  const row = await writeRow(tx, order.row, changes, nowMs)
  assertPossible(row, to)
  await writeEvent(tx, row, move, nowMs)
  if (order.state === 'approving') await closeProposal(tx, row.id)
  if (isFinal(to) && row.signable_at !== null && row.batch_id === null) await endStop(tx, row.id)
  // An order about a payment ends the transaction that it allowed there, if it is not signed.
  if (isFinal(to)) await endOpenTransaction(tx, row.replaces ?? row.id, move.reason ?? null, nowMs, row.replaces === null ? undefined : row.id)
  // Nobody can ask for anything about an order that still waits for people.
  const canBeFollowed = row.replaces === null && order.state !== 'approving'
  const followers = canBeFollowed && isFinal(to) !== isFinal(order.state) ? await lockFollowers(tx, row) : []
  const isEnd = isFinal(to) && row.kind === 'collect'
  if (isEnd) await lockSubWallets(tx, [row.sub_wallet_id, ...(await subWalletsOfParts(tx, row.id))])
  await lockSubWallets(tx, [row.sub_wallet_id])
  const news = await moveFollowers(tx, { ports }, row, followers, isFinal(to))
  const posting = costsNothing(row) ? 'none' : row.replaces === null ? postingOf(order.state, to) : reservationOf(order.state, to)
  if (posting === 'release') await releaseOrder(tx, ports, row)
  if (posting === 'settle') await settleOrder(tx, ports, row, move.left, move.unstaked)
  if (posting === 'charge_fee') await chargeFee(tx, ports, row, move.left)
  if (posting === 'restore') await restoreHold(tx, ports, row)
  if (isEnd) await freeParts(tx, ports, row)
  writeLog(tx, order, move.log, nowMs)
  news.push(...orderAnnouncements(row, { balance: posting !== 'none', todo: order.state === 'approving' }))
  return { moved: { ...order, row, state: to }, news }
}

/** An order about another payment pays nothing itself: the fee it holds is free when it ends, and held again if it goes on. */
function reservationOf(from: OrderState, to: OrderState): 'release' | 'restore' | 'none' {
  const posting = postingOf(from, to)
  return posting === 'none' || posting === 'restore' ? posting : 'release'
}

/** The orders about a payment, the oldest first, locked until the transaction ends. */
async function lockFollowers(tx: OrganisationTx, { id }: OrderRow): Promise<Order[]> {
  const rows = await tx.selectFrom('transfer_order').select('id').where('org_id', '=', tx.orgId).where('replaces', '=', id).orderBy('created_at').execute()
  const followers: Order[] = []
  for (const row of rows) followers.push(known(await readOrder(tx, row.id, true), `the order ${row.id} about order ${id}`))
  return followers
}

/** Moves the orders about a payment when the chain decides it or reverses that: before the payment, so that what they hold is free. */
async function moveFollowers(tx: OrganisationTx, needs: MoveNeeds, { txid }: OrderRow, followers: readonly Order[], isOver: boolean): Promise<Announcement[]> {
  const news: Announcement[] = []
  const moveOne = async (order: Order, event: OrderEvent) => news.push(...(await moveUntold(tx, needs, order, { event, actor: 'chain' })).news)
  for (const order of followers) {
    if (isOver && !isFinal(order.state)) await moveOne(order, order.row.txid !== null && order.row.txid === txid ? 'stand' : 'yield')
    // An order that was never signed has nothing that the chain could still take.
    if (!isOver && order.row.txid !== null) await moveOne(order, 'reorganise')
  }
  return news
}

type Note = { subStatus: string; actor: string; reason?: string; obstacle?: Obstacle; set?: Learnt; log?: Move['log'] }

const standing = ({ obstacle }: Pick<Move, 'obstacle'>) => ({ obstacle: obstacle ? JSON.stringify(obstacle) : null })

/** Writes what an order waits for or has met, without moving it. The same text twice is written once. */
export async function noteOrder(tx: OrganisationTx, { ports }: MoveNeeds, order: Order, note: Note): Promise<Order> {
  const isKnown = order.row.sub_status === note.subStatus && keptObstacle(order.row)?.kind === note.obstacle?.kind
  if (isKnown && !note.set) return order
  const nowMs = ports.clock.nowMs()
  const row = await writeRow(tx, order.row, { ...note.set, ...standing(note), sub_status: note.subStatus }, nowMs)
  await writeEvent(tx, row, note, nowMs)
  await lockSubWallets(tx, [row.sub_wallet_id])
  writeLog(tx, order, note.log, nowMs)
  await announceAll(tx, ports, orderAnnouncements(row, { balance: false, todo: false }))
  return { ...order, row }
}

async function writeRow(
  tx: OrganisationTx,
  row: OrderRow,
  changes: Learnt & { state?: OrderState; sub_status: string; is_final?: boolean; obstacle: string | null },
  nowMs: number,
): Promise<OrderRow> {
  const written = await tx
    .updateTable('transfer_order')
    .set({ ...changes, version: row.version + 1, updated_at: Math.max(nowMs, Number(row.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirst()
  if (!written) throw new OrderMovedError(`order ${row.id} was moved by somebody else`)
  return written
}

function writeLog(tx: OrganisationTx, { intent }: Order, entries: Move['log'], nowMs: number): void {
  for (const { type, body } of entries ?? []) appendAlong(tx, { genesis: intent.genesis, type, body, atMs: nowMs })
}

async function writeEvent(tx: OrganisationTx, row: OrderRow, { actor, reason }: { actor: string; reason?: string }, nowMs: number): Promise<void> {
  const event = {
    org_id: tx.orgId,
    order_id: row.id,
    seq: row.version,
    state: row.state,
    sub_status: row.sub_status,
    actor,
    reason: reason?.slice(0, 1000) || null,
    at: nowMs,
  }
  insertEvent.along(tx, event)
}

const insertEvent = writtenOnce((db, event: Insertable<Schema['transfer_event']>) =>
  db.insertInto('transfer_event').values({
    org_id: event.org_id,
    order_id: event.order_id,
    seq: event.seq,
    state: event.state,
    sub_status: event.sub_status,
    actor: event.actor,
    reason: event.reason,
    at: event.at,
  }),
)

/** The first line of an order's timeline. */
export async function writeOpening(tx: OrganisationTx, row: OrderRow, actor: string, nowMs: number): Promise<void> {
  await writeEvent(tx, row, { actor }, nowMs)
}

/** What must hold for an order in a state, however it got there. */
function assertPossible({ id, txid, slot, block_height: height, fee_paid: fee, replaces }: OrderRow, state: OrderState): void {
  const isSigned = ['broadcasting', 'pending', 'confirming', 'completed', 'failed'].includes(state)
  // An order can lose its slot before it was signed and after.
  if (state !== 'dropped' && state !== 'replaced')
    assert.equal(txid !== null, isSigned, `order ${id} is ${state} ${isSigned ? 'without' : 'with'} a signed transaction`)
  if (state === 'signing' || state === 'dropped' || isSigned) assert.ok(slot !== null, `order ${id} is ${state} without a slot`)
  if (replaces === null && ['completed', 'failed', 'replaced'].includes(state))
    assert.ok(height !== null && fee !== null, `order ${id} is ${state} without its block or its fee`)
  if (state === 'confirming') assert.ok(height !== null, `order ${id} is confirming without a block`)
}
