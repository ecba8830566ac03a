import { LedgerError } from '@holdfast/ledger'
import { type Block, ChainError, type TransactionState } from '@holdfast/chain-core'
import type { OrganisationTx, SystemTx } from '@holdfast/db'
import { agreedAnswer, type FinalView, type Network, SourcesDisagree } from '@holdfast/features/network/server'
import { paymentsOf } from '@holdfast/intent'
import { announceAll } from '@holdfast/jobs'
import { orderAnnouncements } from './announce-order.ts'
import type { ChainNeeds } from './broadcast-order.ts'
import { HOLDING_A_SLOT, judgeSlot } from './judge-slot.ts'
import { moveOrder } from './move.ts'
import { type Order, readOrder } from './read-order.ts'
import type { OrderState } from './states.ts'

/** How far a chain has been read, block by block, by the one who asks. */
export type Tip = { height: bigint; hash: string }

const ON_CHAIN: OrderState[] = ['broadcasting', 'pending', 'confirming']
const WATCHED: OrderState[] = [...new Set([...ON_CHAIN, ...HOLDING_A_SLOT])]
const AT_ONCE = 8

/** Money of an asset that an order's end has moved. */
export type Settled = { orgId: string; chain: string; contract: string }

/**
 * Looks at every order of a chain that holds a slot and is not final, after the reader moved to `tip`. What a node says of a
 * transaction counts only where the reader has the same block at that height, and ends an order only up to what is `final`;
 * without that nothing ends. Returns what was booked.
 */
export async function confirmTransfers(needs: ChainNeeds, network: Network, tip: Tip, final: FinalView | undefined): Promise<Settled[]> {
  const orders = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['org_id', 'id'])
      .where('chain', '=', network.chain)
      .where('is_final', '=', false)
      .where('state', 'in', WATCHED)
      .orderBy('created_at')
      .execute(),
  )
  const booked: Settled[] = []
  for (let from = 0; from < orders.length; from += AT_ONCE) {
    const looked = await Promise.allSettled(
      orders.slice(from, from + AT_ONCE).map(({ org_id, id }) => confirmTransfer(needs, { network, tip, final }, org_id, id)),
    )
    // One order that cannot be judged now must not keep the others waiting; it is looked at again after the next block.
    const telling = looked.find((each) => each.status === 'rejected' && (!(each.reason instanceof ChainError) || each.reason instanceof SourcesDisagree))
    if (telling) throw (telling as PromiseRejectedResult).reason
    booked.push(...looked.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : [])))
  }
  return booked
}

type Look = { network: Network; tip: Tip; final: FinalView | undefined }

async function confirmTransfer(needs: ChainNeeds, look: Look, orgId: string, orderId: string): Promise<Settled | undefined> {
  const { network, final } = look
  const order = await needs.db.asOrganisation(orgId, (tx) => readOrder(tx, orderId))
  if (!order || !WATCHED.includes(order.state)) return undefined
  const seen = order.row.txid ? await network.node.transaction(order.row.txid) : ({ state: 'unknown' } as const)
  if (seen.state === 'included') return confirmIncluded(needs, look, order, seen)
  if (order.row.txid) await noteWhereItIs(needs, orgId, orderId, seen)
  if (seen.state === 'unknown' && final) await judgeSlot(needs, network, final, order)
  return undefined
}

/** Whether the pool of a node has it, which says nothing of what the chain will do. */
async function noteWhereItIs(needs: ChainNeeds, orgId: string, orderId: string, seen: Exclude<TransactionState, Included>): Promise<void> {
  await needs.db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, orderId, true)
    if (!present) return
    if (present.state === 'broadcasting' && seen.state === 'pending') await moveOrder(tx, needs, present, { event: 'accept', actor: 'chain' })
    if (present.state === 'pending' && seen.state === 'unknown') await moveOrder(tx, needs, present, { event: 'lose', actor: 'chain' })
  })
}

const reorganised = { event: 'reorganise', actor: 'chain', set: { block_height: null, block_hash: null, fee_paid: null } } as const

type Included = Extract<TransactionState, { state: 'included' }>

async function confirmIncluded(needs: ChainNeeds, { network, tip, final }: Look, order: Order, seen: Included): Promise<Settled | undefined> {
  if (seen.height > tip.height) return undefined
  const ours = await blockHashAt(needs, network.chain, seen.height)
  // Where the node and the reader differ, the reader will find out why; until then nothing is known.
  if (ours !== seen.blockHash) return undefined
  const happened = final && seen.height <= final.height ? await whatHappened(final, order, seen) : undefined
  return needs.db.asOrganisation(order.row.org_id, async (tx) => {
    let present = await readOrder(tx, order.row.id, true)
    if (!present || !ON_CHAIN.includes(present.state)) return undefined
    if (present.state === 'confirming' && present.row.block_hash !== seen.blockHash) present = await moveOrder(tx, needs, present, reorganised)
    if (present.state !== 'confirming') {
      present = await moveOrder(tx, needs, present, { event: 'include', actor: 'chain', set: { block_height: seen.height, block_hash: seen.blockHash } })
    } else if (!happened) {
      await announceAll(tx, needs.ports, orderAnnouncements(present.row, { balance: false, todo: false }))
    }
    if (!happened) return undefined
    await finish(tx, needs, present, seen, happened)
    return { orgId: present.row.org_id, chain: present.row.chain, contract: present.row.contract }
  })
}

type Happened = { event: 'settle' } | { event: 'revert'; subStatus: string; reason?: string }

/** What a final transaction did, by the transfers of its block and not by its status alone: a token can say "success" and move nothing. */
async function whatHappened(final: FinalView, { row, intent }: Order, seen: Included): Promise<Happened> {
  const told = await agreedAnswer(final, `what became of ${row.txid}`, (source) => source.transaction(row.txid!))
  if (told.state !== 'included' || told.blockHash !== seen.blockHash) throw new ChainError(`transaction ${row.txid} moved while it was read`)
  if (!seen.success) return { event: 'revert', subStatus: 'reverted' }
  const moved = await agreedAnswer(final, `what ${row.txid} moved`, async (source) => {
    const block = await source.readBlock(seen.height)
    if (block?.hash !== seen.blockHash) throw new ChainError(`block ${seen.height} changed while it was read`)
    return movedAsOrdered(block, row, intent)
  })
  if (moved) return { event: 'settle' }
  return { event: 'revert', subStatus: 'no_effect', reason: 'the transaction succeeded, but the token did not move the amount' }
}

function movedAsOrdered(block: Block, row: Order['row'], intent: Order['intent']): boolean {
  // No block tells of what an address gives itself; where it has such orders, the bytes in the block are the whole of it.
  if (row.address_to === row.address_from) return block.transactions?.some(({ txid }) => txid === row.txid) ?? false
  const { contract } = intent.asset
  const moved = block.transfers.filter((each) => each.txid === row.txid && each.asset.contract === contract && each.from === row.address_from)
  return paymentsOf(intent).every(({ to, amount }) => moved.some((each) => each.to === to && each.amount === amount))
}

async function finish(tx: OrganisationTx, needs: ChainNeeds, order: Order, seen: Included, happened: Happened): Promise<void> {
  if (seen.fee > order.row.fee_cap) throw new ChainError(`the node says that order ${order.row.id} cost ${seen.fee}, which its signed bytes do not allow`)
  try {
    await moveOrder(tx, needs, order, { actor: 'chain', ...happened, set: { fee_paid: seen.fee } })
  } catch (cause) {
    if (!(cause instanceof LedgerError)) throw cause
    throw new ChainError(`order ${order.row.id} cannot be booked yet: ${cause.message}`, { cause })
  }
}

/**
 * Takes orders back that stood in blocks above `height`, which the chain has given up: their settlement is reversed, and the
 * same bytes are sent again. To be called before the reader forgets those blocks.
 */
export async function reopenTransfers(needs: ChainNeeds, chain: string, height: bigint): Promise<void> {
  const orders = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['org_id', 'id'])
      .where('chain', '=', chain)
      .where('block_height', '>', height)
      .where('state', 'in', ['confirming', 'completed', 'failed'])
      .orderBy('block_height', 'desc')
      .execute(),
  )
  for (const { org_id, id } of orders) {
    await needs.db.asOrganisation(org_id, async (tx) => {
      const order = await readOrder(tx, id, true)
      if (order?.row.block_height == null || order.row.block_height <= height) return
      await moveOrder(tx, needs, order, reorganised)
    })
  }
}

async function blockHashAt({ db }: ChainNeeds, chain: string, height: bigint): Promise<string | undefined> {
  return db.asSystem(
    async (tx: SystemTx) =>
      (await tx.selectFrom('chain_block').select('hash').where('chain', '=', chain).where('height', '=', height).executeTakeFirst())?.hash,
  )
}
