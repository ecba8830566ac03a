import type { SlotUse } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { bytes, encode, equalBytes, struct, text, uint } from '@holdfast/encoding'
import { agreedAnswer, type FinalView, type Network } from '@holdfast/features/network/server'
import { intentHash } from '@holdfast/intent'
import type { ChainNeeds } from './broadcast-order.ts'
import { endLease, reopenSlot } from './lease-slot.ts'
import { moveOrder } from './move.ts'
import { type Order, readOrder } from './read-order.ts'
import { BYTES_EXPIRED } from './slot-bindings.ts'
import type { OrderState } from './states.ts'

/**
 * What the log says of an order that can never be paid any more: which transaction has its place on the chain, and in which block. Where
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
 * Ends an order whose slot is proven used by another transaction in a final block: no chain takes its bytes any more, and its funds
 * are free. That nobody knows our own transaction is no such proof; only the block that holds the other one is. Where the slot was
 * used by the order's very bytes, with a signature that was never given to us, the order goes on with these.
 */
export async function judgeSlot(needs: ChainNeeds, network: Network, final: FinalView, order: Order): Promise<void> {
  const { slot, unsigned_tx: unsigned, address_from: from, org_id: orgId, id } = order.row
  if (slot === null || unsigned === null) return
  const use = await agreedAnswer(final, `who used slot ${slot} of ${from}`, (source) => source.slotUse(from, unsigned, final.height))
  if (!use || (use.txid !== null && use.txid === order.row.txid)) return
  const hashRead = await needs.db.asSystem((tx) =>
    tx.selectFrom('chain_block').select('hash').where('chain', '=', network.chain).where('height', '=', use.height).executeTakeFirst(),
  )
  // Counts only in a block that was read, so that a source on another branch proves nothing.
  if (hashRead?.hash !== use.blockHash) return
  const ours = use.raw === null ? undefined : network.codec.detach(use.raw)
  await needs.db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, id, true)
    if (!present || !HOLDING_A_SLOT.includes(present.state) || present.row.slot !== slot) return
    if (use.txid !== null && present.row.txid === use.txid) return
    const isSameBytes = ours !== undefined && present.row.unsigned_tx !== null && equalBytes(ours.unsigned, present.row.unsigned_tx)
    if (present.row.raw_tx === null && isSameBytes) return adopt(tx, needs, present, use)
    await endInLoss(tx, needs, present, use)
  })
}

/** The signature that nobody gave us stands on the chain: it is ours all the same. */
async function adopt(tx: OrganisationTx, needs: ChainNeeds, order: Order, use: SlotUse): Promise<void> {
  await endLease(tx, order.row, 'used', needs.ports.clock.nowMs())
  await moveOrder(tx, needs, order, {
    event: 'sign',
    actor: 'chain',
    reason: `block ${use.height} holds these bytes, signed, as ${use.txid}`,
    set: { raw_tx: use.raw!, txid: use.txid },
  })
}

async function endInLoss(tx: OrganisationTx, needs: ChainNeeds, order: Order, use: SlotUse): Promise<void> {
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
    slot: row.slot!,
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
