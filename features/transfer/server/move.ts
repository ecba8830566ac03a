import assert from 'node:assert/strict'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, type LogEntryKind } from '@holdfast/features/evidence/server'
import { announceAll } from '@holdfast/jobs'
import type { AssetAmount } from '@holdfast/ledger'
import { orderAnnouncements } from './announce-order.ts'
import { chargeFee, releaseOrder, restoreHold, settleOrder } from './order-money.ts'
import { keptObstacle, type Obstacle } from './obstacle.ts'
import { endOpenTransaction } from './order-transactions.ts'
import { type Order, type OrderRow, readOrder } from './read-order.ts'
import { isFinal, nextState, type OrderEvent, type OrderState, postingOf, subStatusOf } from './states.ts'

export type MoveNeeds = Pick<ServerContext, 'ports'>

/** What an order learns with an event. */
type Learnt = Partial<Pick<OrderRow, 'slot' | 'txid' | 'block_height' | 'block_hash' | 'fee_paid'>> & { refusal?: string }

export type Move = {
  event: OrderEvent
  /** A person's id, or server, chain, signer-1 to signer-3. */
  actor: string
  reason?: string
  subStatus?: string
  /** What stands in its way from here on; without it, nothing does any more. */
  obstacle?: Obstacle
  set?: Learnt
  /** With a settlement: what the chain says has left the sub-wallet, where that is not simply the order's amount; with a failure, what left all the same. */
  left?: readonly AssetAmount[]
  /** With a settlement: what the chain gave back out of stake, in its own coin. */
  unstaked?: bigint
  log?: readonly { type: LogEntryKind; body: Uint8Array }[]
}

/** Somebody else moved the order since it was read. Read it again and decide anew. */
export class OrderMoved extends Error {
  override name = 'OrderMoved'
}

/**
 * The one writer of an order's state: the row, what it means for the held money, the log, the timeline and the hint to
 * open pages, all in the caller's transaction. Locks are taken in this order everywhere: order, ledger, log, outbox.
 * `order` must have been read with a lock in this transaction. Throws ImpossibleMove and OrderMoved.
 */
export async function moveOrder(tx: OrganisationTx, { ports }: MoveNeeds, order: Order, move: Move): Promise<Order> {
  const to = nextState(order.state, move.event)
  const nowMs = ports.clock.nowMs()
  const changes = { ...move.set, ...standing(move), state: to, sub_status: move.subStatus ?? subStatusOf(to, move.event), is_final: isFinal(to) }
  const row = await writeRow(tx, order.row, changes, nowMs)
  assertPossible(row, to)
  if (isFinal(to)) await endOpenTransaction(tx, row.id, move.reason ?? null, nowMs)
  if (row.replaces === null) await moveFollowers(tx, { ports }, row, { isFinal: isFinal(to), wasFinal: isFinal(order.state) })
  const posting = row.replaces === null ? postingOf(order.state, to) : reservationOf(order.state, to)
  if (posting === 'release') await releaseOrder(tx, ports, row)
  if (posting === 'settle') await settleOrder(tx, ports, row, move.left, move.unstaked)
  if (posting === 'charge_fee') await chargeFee(tx, ports, row, move.left)
  if (posting === 'restore') await restoreHold(tx, ports, row)
  await writeLog(tx, order, move.log, nowMs)
  await writeEvent(tx, row, move, nowMs)
  await announceAll(tx, ports, orderAnnouncements(row, { balance: posting !== 'none', todo: order.state === 'approving' }))
  return { ...order, row, state: to }
}

/** An order about another payment pays nothing itself: what it holds for the fee is free when it ends, and held again where it goes on. */
function reservationOf(from: OrderState, to: OrderState): 'release' | 'restore' | 'none' {
  const posting = postingOf(from, to)
  return posting === 'none' || posting === 'restore' ? posting : 'release'
}

/** Moves the orders about a payment when the chain has decided it, or takes its word back: before the payment, so that what they hold is free. */
async function moveFollowers(
  tx: OrganisationTx,
  needs: MoveNeeds,
  { id, txid }: OrderRow,
  { isFinal: isOver, wasFinal }: { isFinal: boolean; wasFinal: boolean },
): Promise<void> {
  if (isOver === wasFinal) return
  const rows = await tx.selectFrom('transfer_order').select('id').where('org_id', '=', tx.orgId).where('replaces', '=', id).orderBy('created_at').execute()
  for (const follower of rows) {
    const order = (await readOrder(tx, follower.id, true))!
    if (isOver && !isFinal(order.state))
      await moveOrder(tx, needs, order, { event: order.row.txid !== null && order.row.txid === txid ? 'stand' : 'yield', actor: 'chain' })
    // One that was never signed has nothing that the chain could still take.
    if (wasFinal && order.row.txid !== null) await moveOrder(tx, needs, order, { event: 'reorganise', actor: 'chain' })
  }
}

type Note = { subStatus: string; actor: string; reason?: string; obstacle?: Obstacle; set?: Learnt; log?: Move['log'] }

const standing = ({ obstacle }: Pick<Move, 'obstacle'>) => ({ obstacle: obstacle ? JSON.stringify(obstacle) : null })

/** Writes what an order waits for or has met, without moving it. The same word twice is written once. */
export async function noteOrder(tx: OrganisationTx, { ports }: MoveNeeds, order: Order, note: Note): Promise<Order> {
  const isKnown = order.row.sub_status === note.subStatus && keptObstacle(order.row)?.kind === note.obstacle?.kind
  if (isKnown && !note.set) return order
  const nowMs = ports.clock.nowMs()
  const row = await writeRow(tx, order.row, { ...note.set, ...standing(note), sub_status: note.subStatus }, nowMs)
  await writeLog(tx, order, note.log, nowMs)
  await writeEvent(tx, row, note, nowMs)
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
  if (!written) throw new OrderMoved(`order ${row.id} was moved by somebody else`)
  return written
}

async function writeLog(tx: OrganisationTx, { intent }: Order, entries: Move['log'], nowMs: number): Promise<void> {
  for (const { type, body } of entries ?? []) await appendToLog(tx, { genesis: intent.genesis, type, body, atMs: nowMs })
}

async function writeEvent(tx: OrganisationTx, row: OrderRow, { actor, reason }: { actor: string; reason?: string }, nowMs: number): Promise<void> {
  await tx
    .insertInto('transfer_event')
    .values({
      org_id: tx.orgId,
      order_id: row.id,
      seq: row.version,
      state: row.state,
      sub_status: row.sub_status,
      actor,
      reason: reason?.slice(0, 1000) || null,
      at: nowMs,
    })
    .execute()
}

/** The first line of an order's timeline. */
export async function writeOpening(tx: OrganisationTx, row: OrderRow, actor: string, nowMs: number): Promise<void> {
  await writeEvent(tx, row, { actor }, nowMs)
}

/** What must hold of an order in a state, whatever led there. */
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
