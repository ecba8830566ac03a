import type { SlotUse } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { bytes, encode, equalBytes, struct, text, uint } from '@holdfast/encoding'
import { agreedAnswer, type FinalView, type Network } from '@holdfast/features/network/server'
import { intentHash } from '@holdfast/intent'
import { known } from '@holdfast/units'
import type { ChainNeeds } from './broadcast-order.ts'
import { endLease, reopenSlot } from '../slot/lease-slot.ts'
import { moveOrder } from '../order/move.ts'
import { addTransaction, endOpenTransaction, type OrderTransaction, signedTransactions, storeSigned } from '../order/order-transactions.ts'
import { type Order, readOrder } from '../order/read-order.ts'
import { BYTES_EXPIRED } from '../signing/slot-bindings.ts'
import type { OrderState } from '../order/states.ts'

/**
 * What the log says of an order that can never be paid any more: which transaction has its place on the chain, and in which block. If
 * no transaction has it and the bytes' time had passed in that block, the id is empty.
 */
const slotLossShape = struct('holdfast/slot-loss/v1', {
  intentHash: bytes(32),
  chain: text(64),
  from: text(128),
  slot: uint(256),
  txid: text(128),
  height: uint(),
  blockHash: text(128),
})

/** Orders whose slot the chain may have given away: those with signed bytes, and those for which a signature may exist. */
export const HOLDING_A_SLOT: readonly OrderState[] = ['signing', 'alarmed', 'broadcasting', 'pending']

/**
 * Ends an order whose slot is proven used by a foreign transaction in a final block: no chain takes its bytes any more, and its funds
 * are free. That nobody knows our own transactions is no such proof; only the block that holds the other one is. If the slot was
 * used by bytes made for the order, with a signature that was never given to us, the order goes on with these.
 */
export async function judgeSlot(needs: ChainNeeds, network: Network, final: FinalView, order: Order): Promise<void> {
  const { slot, address_from: from, org_id: orgId, id } = order.row
  if (slot === null) return
  const asked = slotWitnesses(order)
  for (const unsigned of asked) {
    const use = await agreedAnswer(final, `who used slot ${slot} of ${from}`, (source) => source.slotUse(from, unsigned, final.height))
    if (!use || signedTransactions(order).some(({ txid }) => txid === use.txid)) return
    if ((await hashReadAt(needs, network.chain, use.height)) !== use.blockHash) return
    const found = use.raw === null || use.txid === null ? undefined : { raw: use.raw, txid: use.txid, unsigned: network.codec.detach(use.raw).unsigned }
    const isLast = unsigned === asked.at(-1)
    const isOver = await needs.db.asOrganisation(orgId, async (tx) => {
      const present = await readOrder(tx, id, true)
      if (!present || !HOLDING_A_SLOT.includes(present.state) || present.row.slot !== slot) return true
      if (signedTransactions(present).some(({ txid }) => txid === use.txid)) return true
      const ours = found && present.transactions.find((each) => each.unsigned_tx !== null && equalBytes(each.unsigned_tx, found.unsigned))
      if (found && ours) await adopt(tx, needs, present, ours, { ...found, height: use.height })
      else if (isLast) await endInLoss(tx, needs, present, use)
      return ours !== undefined
    })
    if (isOver) return
  }
}

/**
 * Ends an authorization, which no node knows by an id of its own: what used its nonce in a final block shows whether a transaction carried it, or whether it
 * never can.
 */
export async function confirmCarried(needs: ChainNeeds, network: Network, final: FinalView, order: Order): Promise<void> {
  const { slot, address_from: from, org_id: orgId, id } = order.row
  const signed = signedTransactions(order).at(-1)
  if (slot === null || !signed) return judgeSlot(needs, network, final, order)
  const use = await agreedAnswer(final, `who used slot ${slot} of ${from}`, (source) => source.slotUse(from, signed.unsigned_tx, final.height))
  if (!use) return undefined
  const isOurs = (each: Order) => signedTransactions(each).some(({ txid }) => txid === use.txid)
  if (!isOurs(order)) return judgeSlot(needs, network, final, order)
  if ((await hashReadAt(needs, network.chain, use.height)) !== use.blockHash) return undefined
  await needs.db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, id, true)
    if (present?.state !== 'broadcasting' || !isOurs(present)) return
    const set = { block_height: use.height, block_hash: use.blockHash, ...(use.txid !== null && { txid: use.txid }) }
    const included = await moveOrder(tx, needs, present, { event: 'include', actor: 'chain', set })
    // Whoever carried it paid for it.
    await moveOrder(tx, needs, included, { event: 'settle', actor: 'chain', set: { fee_paid: 0n } })
  })
}

/** The hash of a block as it was read: by it, a source on another branch proves nothing. */
export async function hashReadAt({ db }: ChainNeeds, chain: string, height: bigint): Promise<string | undefined> {
  const read = await db.asSystem((tx) => tx.selectFrom('chain_block').select('hash').where('chain', '=', chain).where('height', '=', height).executeTakeFirst())
  return read?.hash
}

/**
 * The bytes for asking who used an order's slot. Some chains show a signed form only if asked by the very bytes, so it asks by all for which an unknown
 * signature may exist; if there are none, any will do.
 */
function slotWitnesses({ transactions }: Order): Uint8Array[] {
  const made = transactions.flatMap(({ unsigned_tx: bytes, raw_tx: raw }) => (bytes === null ? [] : [{ bytes, isSigned: raw !== null }]))
  const unsigned = made.filter(({ isSigned }) => !isSigned)
  return (unsigned.length > 0 ? unsigned : made.slice(-1)).map(({ bytes }) => bytes)
}

/** Our own bytes, signed, in a block. */
type Adopted = { raw: Uint8Array; txid: string; unsigned: Uint8Array; height: bigint }

/** The signature that nobody gave us is on the chain: it is ours all the same. If we have another one over these bytes, both are kept. */
async function adopt(tx: OrganisationTx, needs: ChainNeeds, order: Order, transaction: OrderTransaction, found: Adopted): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  await endLease(tx, order.row, 'used', nowMs)
  const { purpose, allowed_by, asked_by, tier, fee_cap } = transaction
  if (transaction.raw_tx !== null) await endOpenTransaction(tx, order.row.id, 'another transaction is in a block', nowMs)
  const again = { purpose, allowed_by, asked_by, tier, fee_cap, unsigned_tx: found.unsigned }
  const number = transaction.raw_tx === null ? transaction.number : await addTransaction(tx, order, again, nowMs)
  await storeSigned(tx, { order_id: order.row.id, number }, found, nowMs)
  await moveOrder(tx, needs, order, {
    event: signedTransactions(order).length > 0 ? 'replace' : 'sign',
    actor: 'chain',
    reason: `block ${found.height} holds these bytes, signed, as ${found.txid}`,
    set: { txid: found.txid },
  })
}

/** Ends an order whose place on the chain is gone, and logs by which transaction in which block. */
export async function endInLoss(tx: OrganisationTx, needs: ChainNeeds, order: Order, use: SlotUse): Promise<void> {
  const { row, intent } = order
  const other = await tx
    .selectFrom('transfer_order')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', row.chain)
    .where('txid', '=', use.txid)
    .executeTakeFirst()
  const { txid, height, blockHash } = use
  const body = encode(slotLossShape, {
    intentHash: intentHash(intent),
    chain: row.chain,
    from: row.address_from,
    slot: known(row.slot, `the slot of order ${row.id}`),
    txid: txid ?? '',
    height,
    blockHash,
  })
  const nowMs = needs.ports.clock.nowMs()
  await (txid === null ? reopenSlot(tx, row, nowMs) : endLease(tx, row, 'used', nowMs))
  await moveOrder(tx, needs, order, {
    event: 'lose_slot',
    actor: 'chain',
    subStatus: txid === null ? BYTES_EXPIRED : other ? 'replaced' : 'nonce_taken',
    reason:
      txid === null
        ? `block ${height} was made after the time of these bytes, and no block before it holds them`
        : `block ${height} holds ${txid} in slot ${row.slot} of ${row.address_from}`,
    log: [{ type: 'slot-loss', body }],
  })
}
