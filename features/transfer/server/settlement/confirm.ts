import { type AssetAmount, InsufficientBalanceError, LedgerError } from '@holdfast/ledger'
import { type Block, ChainError, type ChainNode, type TransactionState } from '@holdfast/chain-core'
import type { OrganisationTx, SystemTx } from '@holdfast/db'
import { sql } from 'kysely'
import { at, type OrderId, type OrganisationId } from '@holdfast/units'
import { agreedAnswer, type FinalView, haltsAll, type Network } from '@holdfast/features/network/server'
import type { TransactionIntent } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { orderAnnouncements } from '../order/announce-order.ts'
import type { ChainNeeds } from './broadcast-order.ts'
import { judgeCpfp } from './judge-cpfp.ts'
import { confirmCarried, hashReadAt, HOLDING_A_SLOT, judgeSlot } from './judge-slot.ts'
import { type SentInscription, subjectKind } from '../order/kinds/index.ts'
import { moveOrder } from '../order/move.ts'
import { clearAttention, NEEDS_ATTENTION, noteAttention, openOrderFailures, type OrderFailures } from '../order/needs-attention.ts'
import { postageOf } from '../order/order-money.ts'
import { newestSigned, type SignedTransaction, signedTransactions } from '../order/order-transactions.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import type { OrderState } from '../order/states.ts'

/** How far the calling reader has read a chain, block by block. */
type Tip = { height: bigint; hash: string }

const ON_CHAIN: OrderState[] = ['broadcasting', 'pending', 'confirming']
const WATCHED: OrderState[] = [...new Set([...ON_CHAIN, ...HOLDING_A_SLOT])]
const AT_ONCE = 8

/** Money of an asset that an order's end has moved. */
export type Settled = { orgId: OrganisationId; chain: string; contract: string }

/**
 * Looks at every order of a chain that holds a slot and is not final, after the reader moved to `tip`. What a node says of a
 * transaction counts only if the reader has the same block at that height, and ends an order only up to what is `final`;
 * without that nothing ends. A failure stays with its order: people see it there, it is tried again later and later, and the
 * others go on. Returns what was posted. Throws SourcesDisagreeError and SourcesSilentError, after all others were checked.
 */
export async function confirmTransfers(
  needs: ChainNeeds,
  network: Network,
  tip: Tip,
  final: FinalView | undefined,
  { failures = openOrderFailures(needs.ports), report = () => {} }: Watch = {},
): Promise<Settled[]> {
  const orders = await needs.db.readSystem((tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['org_id', 'id', 'sub_status'])
      .where('chain', '=', network.chain)
      .where('is_final', '=', false)
      .where('replaces', 'is', null)
      .where('state', 'in', WATCHED)
      .orderBy('created_at')
      .execute(),
  )
  const due = orders.filter(({ id }) => failures.isDue(id))
  const booked: Settled[] = []
  let halting: unknown
  const look = async ({ org_id, id, sub_status }: (typeof due)[number]) => {
    try {
      const settled = await confirmTransfer(needs, { network, tip, final }, org_id, id)
      if (settled) booked.push(settled)
      else if (sub_status === NEEDS_ATTENTION) await clearAttention(needs, org_id, id)
      failures.succeed(id)
    } catch (cause) {
      if (haltsAll(cause)) halting ??= cause
      else if (failures.fail(id, cause)) {
        report(new OrderNotBookedError(`order ${id} on ${network.name} cannot be booked: ${cause instanceof Error ? cause.message : String(cause)}`, { cause }))
        await noteAttention(needs, org_id, id, cause).catch(report)
      }
    }
  }
  for (let from = 0; from < due.length; from += AT_ONCE) await Promise.all(due.slice(from, from + AT_ONCE).map(look))
  if (halting !== undefined) throw halting
  return booked
}

/** What the calling reader remembers of orders that failed, and whom it tells. */
export type Watch = { failures?: OrderFailures; report?: (cause: unknown) => void }

/** An order that could not be followed or settled. It is reported once for each attempt. */
class OrderNotBookedError extends Error {
  override name = 'OrderNotBookedError'
}

type Look = { network: Network; tip: Tip; final: FinalView | undefined }

async function confirmTransfer(needs: ChainNeeds, look: Look, orgId: OrganisationId, orderId: OrderId): Promise<Settled | undefined> {
  const { network, final } = look
  const order = await needs.db.readOrganisation(orgId, (tx) => readOrder(tx, orderId))
  if (!order || !WATCHED.includes(order.state)) return undefined
  if (subjectKind(order.payment).isCarried) {
    if (final) await confirmCarried(needs, network, final, order)
    return undefined
  }
  const signed = signedTransactions(order)
  const states = await Promise.all(signed.map(({ txid }) => network.node.transaction(txid, madeSince(order.row))))
  const included = states.flatMap((seen, i) => (seen.state === 'included' ? [{ transaction: at(signed, i), seen }] : []))
  // They take one slot, so a chain that holds two of them is faulty, or changed while it was asked.
  if (included.length > 1) throw new ChainError(`the node says that ${included.map(({ transaction }) => transaction.txid).join(' and ')} are both in blocks`)
  if (included[0]) return confirmIncluded(needs, look, order, included[0])
  const [newest, standing] = [states.at(-1), signed.at(-1)]
  if (newest && standing && newest.state !== 'included') await noteWhereItIs(needs, orgId, orderId, newest, standing.number)
  if (final && states.every(({ state }) => state === 'unknown'))
    await (subjectKind(order.payment).cpfpFor ? judgeCpfp : judgeSlot)(needs, network, final, order)
  return undefined
}

/** Clocks of chains and servers may differ by this much. */
const CLOCKS_DIFFER_MS = 24n * 3_600_000n
/** No transaction of an order is older than the order. */
const madeSince = ({ created_at }: Order['row']): bigint => BigInt(created_at) - CLOCKS_DIFFER_MS

/** Whether the pool of a node has the newest transaction, which says nothing of what the chain will do. */
async function noteWhereItIs(
  needs: ChainNeeds,
  orgId: OrganisationId,
  orderId: OrderId,
  seen: Exclude<TransactionState, Included>,
  number: number,
): Promise<void> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, orderId, true)
    if (!present || signedTransactions(present).at(-1)?.number !== number) return
    if (present.state === 'broadcasting' && seen.state === 'pending') await moveOrder(tx, needs, present, { event: 'accept', actor: 'chain' })
    if (present.state === 'pending' && seen.state === 'unknown') await moveOrder(tx, needs, present, { event: 'lose', actor: 'chain' })
  })
}

/** The chain has given up the block of an order: the transaction that is sent stands for it, until a block has one of its transactions again. */
async function reorganise(tx: OrganisationTx, needs: ChainNeeds, order: Order): Promise<Order> {
  if (order.row.sub_status === 'paid_partly')
    await tx.updateTable('order_output').set({ arrived: null }).where('org_id', '=', tx.orgId).where('order_id', '=', order.row.id).execute()
  const set = { block_height: null, block_hash: null, fee_paid: null, txid: newestSigned(order).txid }
  return moveOrder(tx, needs, order, { event: 'reorganise', actor: 'chain', set })
}

type Included = Extract<TransactionState, { state: 'included' }>
type Found = { transaction: SignedTransaction; seen: Included }

async function confirmIncluded(needs: ChainNeeds, { network, tip, final }: Look, order: Order, { transaction, seen }: Found): Promise<Settled | undefined> {
  if (seen.height > tip.height) return undefined
  const ours = await hashReadAt(needs, network.chain, seen.height)
  // If the node and the reader differ, the reader will find out why; until then nothing is known.
  if (ours !== seen.blockHash) return undefined
  const happened = final && seen.height <= final.height ? await whatHappened(needs, network, final, order, transaction, seen) : undefined
  return needs.db.asOrganisation(order.row.org_id, async (tx) => {
    let present = await readOrder(tx, order.row.id, true)
    if (!present || !ON_CHAIN.includes(present.state)) return undefined
    const isElsewhere = present.row.block_hash !== seen.blockHash || present.row.txid !== transaction.txid
    if (present.state === 'confirming' && isElsewhere) present = await reorganise(tx, needs, present)
    if (present.state !== 'confirming') {
      const set = { block_height: seen.height, block_hash: seen.blockHash, txid: transaction.txid }
      present = await moveOrder(tx, needs, present, { event: 'include', actor: 'chain', set })
    } else if (!happened) {
      await announceAll(tx, needs.ports, orderAnnouncements(present.row, { balance: false, todo: false }))
    }
    if (!happened) return undefined
    await finish(tx, needs, present, { transaction, seen: { ...seen, fee: feePaid(network, order, transaction, seen) } }, happened)
    return { orgId: present.row.org_id, chain: present.row.chain, contract: present.row.contract }
  })
}

/** What the chain took. A node reports it for one transaction; for several that inscribe and send, their bytes do: if a block has the last, all are in. */
function feePaid({ codec }: Network, { payment }: Order, { unsigned_tx: unsigned }: SignedTransaction, { fee }: Included): bigint {
  return subjectKind(payment).inscribes ? codec.decode(unsigned).feeMax : fee
}

type Happened =
  | { event: 'settle'; subStatus?: string; left?: AssetAmount[]; unstaked?: AssetAmount }
  | { event: 'void' }
  | { event: 'revert'; subStatus: string; reason?: string; left?: AssetAmount[]; arrived?: readonly boolean[] }

/** What a final transaction did, by the transfers of its block and not by its status alone: a token can report "success" and move nothing. */
async function whatHappened(
  { db }: ChainNeeds,
  network: Network,
  final: FinalView,
  { row, payment }: Order,
  { txid, purpose, unsigned_tx: unsigned }: SignedTransaction,
  seen: Included,
): Promise<Happened> {
  const told = await agreedAnswer(final, `what became of ${txid}`, (source) => source.transaction(txid, madeSince(row)))
  if (told.state !== 'included' || told.blockHash !== seen.blockHash) throw new ChainError(`transaction ${txid} moved while it was read`)
  if (purpose === 'cancel') return { event: 'void' }
  if (!seen.success) return { event: 'revert', subStatus: 'reverted' }
  const kind = subjectKind(payment)
  if (kind.proof === 'success') return { event: 'settle', unstaked: { asset: { chain: row.chain, contract: null }, amount: told.unstaked ?? 0n } }
  if (kind.proof === 'what it took')
    return { event: 'settle', left: await agreedAnswer(final, `what ${txid} took`, (source) => takenBy(source, row, txid, seen)) }
  const inscriptions = kind.inscriptions?.(payment, network.codec.decode(unsigned).inscribes)
  if (inscriptions) {
    const gone = await db.asSystem((tx) => tokensMoved(tx, row, inscriptions, seen))
    // What did move is gone, although the order as a whole failed.
    const left = [...(gone > 0n ? [{ asset: { chain: row.chain, contract: payment.asset.contract }, amount: gone }] : []), ...postageOf(row)]
    const reason = 'by our index of the tokens not every inscription moved its amount'
    if (gone !== payment.amount) return { event: 'revert', subStatus: 'no_effect', reason, left }
  }
  const { through } = network.codec.decode(unsigned)
  const arrived = await agreedAnswer(final, `what ${txid} moved`, async (source) => {
    const blocks = await Promise.all((told.arrivals ?? [seen]).map((each) => blockOf(source, each)))
    return arrivedOf(blocks, row, txid, payment, { parts: inscriptions, through })
  })
  const paid = arrived.map((each) => each !== 'nothing')
  // The amount has left, whatever the token did with a part of it: nobody may pay it again.
  if (paid.every(Boolean)) return { event: 'settle', ...(arrived.includes('other') && { subStatus: 'other_amount' }) }
  // Coin that was sent along with a call has left, whatever the call did with it.
  if (through && payment.asset.contract === null)
    return {
      event: 'revert',
      subStatus: 'no_effect',
      reason: 'the contract took the amount and paid nobody',
      left: [{ asset: payment.asset, amount: row.amount }],
    }
  if (paid.some(Boolean)) return paidPartly(payment, paid)
  return { event: 'revert', subStatus: 'no_effect', reason: 'the transaction succeeded, but the token did not move the amount' }
}

/** A wallet contract leaves out what it cannot send, and sends the rest: what arrived has left, the others are paid by another order if people ask for them. */
function paidPartly(payment: TransactionIntent, arrived: readonly boolean[]): Happened {
  const paid = (subjectKind(payment).recipients?.(payment) ?? []).filter((_, i) => arrived[i])
  const amount = paid.reduce((sum, each) => sum + each.amount, 0n)
  const reason = `${paid.length} of ${arrived.length} recipients were paid`
  return { event: 'revert', subStatus: 'paid_partly', reason, left: [{ asset: payment.asset, amount }], arrived }
}

async function blockOf(source: ChainNode, { height, blockHash }: Pick<Included, 'height' | 'blockHash'>): Promise<Block> {
  const block = await source.readBlock(height)
  if (block?.hash !== blockHash) throw new ChainError(`block ${height} changed while it was read`)
  return block
}

/** Everything that a call took from its payer, coin and tokens, whoever moved it. What it brought in arrives as deposits do. */
async function takenBy(source: ChainNode, row: Order['row'], txid: string, seen: Included): Promise<AssetAmount[]> {
  const { transfers } = await blockOf(source, seen)
  return transfers
    .filter((each) => each.txid === txid && each.from === row.address_from && each.to !== row.address_from)
    .map(({ asset, amount }) => ({ asset, amount }))
}

/** What the inscriptions of an order gave to their recipients, in the very block, by the blocks that were read. */
async function tokensMoved(
  tx: SystemTx,
  { chain, address_to: to }: Order['row'],
  inscriptions: readonly SentInscription[],
  { height }: Included,
): Promise<bigint> {
  let moved = 0n
  for (const { inscription, amount } of inscriptions) {
    const entry = await tx
      .selectFrom('brc20_entry')
      .select('holder')
      .where('chain', '=', chain)
      .where('inscription_id', '=', inscription)
      .where('kind', '=', 'send')
      .where('height', '=', height)
      .where('holder', '=', to)
      .where('amount', '=', amount)
      .executeTakeFirst()
    if (entry) moved += amount
  }
  return moved
}

/** By which inscriptions an order moves its amount, or through which contract. */
type Ways = { parts: readonly SentInscription[] | undefined; through: string | undefined }

/** What blocks show of a payment: its amount, another one of its token, which may keep a part, or nothing. */
type Arrival = 'whole' | 'other' | 'nothing'

/** What blocks show of each payment of an order, in the order's own sequence. */
function arrivedOf(blocks: readonly Block[], row: Order['row'], txid: string, intent: TransactionIntent, { parts, through }: Ways): Arrival[] {
  const kind = subjectKind(intent)
  const payments = parts?.map(({ postage }) => ({ to: intent.to, amount: postage })) ?? kind.recipients?.(intent) ?? [intent]
  const all = (isSo: boolean) => payments.map((): Arrival => (isSo ? 'whole' : 'nothing'))
  // No block shows what an address pays itself; for such orders the bytes in the block are complete.
  if (kind.proof === 'presence' || row.address_to === row.address_from)
    return all(blocks.some(({ transactions }) => transactions?.some((each) => each.txid === txid)))
  // For a BRC-20 token blocks show only the coin that went with it.
  const contract = parts ? null : intent.asset.contract
  const of = blocks.flatMap(({ transfers }) => transfers).filter((each) => each.txid === txid && each.asset.contract === contract)
  const payer = through !== undefined && contract === null ? through : row.address_from
  // A source that does not see into transactions shows that the contract got the whole, which it pays on or gives back by reverting.
  if (payer === through && blocks.some(({ internalTransfers }) => internalTransfers !== 'seen'))
    return all(of.some(({ from, to, amount }) => from === row.address_from && to === through && amount === intent.amount))
  const moved = of.filter((each) => each.from === payer)
  return payments.map(({ to, amount }) => {
    const amounts = moved.filter((each) => each.to === to && each.amount > 0n).map((each) => each.amount)
    if (amounts.includes(amount)) return 'whole'
    return contract !== null && amounts.length > 0 ? 'other' : 'nothing'
  })
}

async function finish(tx: OrganisationTx, needs: ChainNeeds, order: Order, { transaction, seen }: Found, happened: Happened): Promise<void> {
  if (seen.fee < 0n) throw new ChainError(`the node says that order ${order.row.id} cost less than nothing: ${seen.fee}`)
  // No signed byte bounds what a rollup takes for the chain underneath; it is posted as it is.
  if (seen.fee - (seen.surcharge ?? 0n) > transaction.fee_cap)
    throw new ChainError(`the node says that order ${order.row.id} cost ${seen.fee}, which its signed bytes do not allow`)
  const { arrived, ...move } = 'arrived' in happened ? happened : { ...happened, arrived: undefined }
  if (arrived) await markArrived(tx, order, arrived)
  try {
    await moveOrder(tx, needs, order, { actor: 'chain', ...move, set: { fee_paid: seen.fee } })
  } catch (cause) {
    if (!(cause instanceof LedgerError)) throw cause
    throw new ChainError(`order ${order.row.id} cannot be booked yet: ${cause.message}`, { cause })
  }
}

/** Writes which recipients of an order were paid, where not all were. */
async function markArrived(tx: OrganisationTx, { row }: Order, arrived: readonly boolean[]): Promise<void> {
  const places = arrived.flatMap((isPaid, place) => (isPaid ? [place] : []))
  await tx
    .updateTable('order_output')
    .set({ arrived: sql<boolean>`place = any(${places}::integer[])` })
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', row.id)
    .execute()
}

/**
 * Takes back orders that stood in blocks above `height`, which the chain has given up: their settlement is reversed, and the
 * same bytes are sent again. Call it before the reader deletes those blocks. An order that cannot be taken back says so, and stops no other.
 */
export async function reopenTransfers(needs: ChainNeeds, chain: string, height: bigint, report: (cause: unknown) => void = () => {}): Promise<void> {
  const orders = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['org_id', 'id'])
      .where('chain', '=', chain)
      .where('block_height', '>', height)
      .where('state', 'in', ['confirming', 'completed', 'failed', 'replaced'])
      .orderBy('block_height', 'desc')
      .execute(),
  )
  const reopen = (orgId: OrganisationId, id: string) =>
    needs.db.asOrganisation(orgId, async (tx) => {
      const order = await readOrder(tx, id, true)
      if (order?.row.block_height == null || order.row.block_height <= height) return
      await reorganise(tx, needs, order)
    })
  for (const { org_id, id } of orders) {
    // A database that was away for a moment is no fault of the order.
    await reopen(org_id, id)
      .catch((cause: unknown) => {
        if (cause instanceof InsufficientBalanceError) throw cause
        return reopen(org_id, id)
      })
      .catch(async (cause: unknown) => {
        // It stays as it was: the chain may take its bytes again, and until then the audit reports what is missing. The coin that it unstaked
        // may be spent already.
        if (!(cause instanceof InsufficientBalanceError)) report(cause)
        await noteAttention(needs, org_id, id, cause)
      })
  }
}
