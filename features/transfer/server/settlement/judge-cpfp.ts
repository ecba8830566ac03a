import { agreedAnswer, type FinalView, type Network } from '@holdfast/features/network/server'
import type { ChainNeeds } from './broadcast-order.ts'
import { endInLoss, HOLDING_A_SLOT, judgeSlot } from './judge-slot.ts'
import { outputOf } from '../order/cpfp-orders.ts'
import { subjectKind } from '../order/kinds/index.ts'
import { type Order, readOrder } from '../order/read-order.ts'

/**
 * Ends an order to speed a deposit up if a final block holds another transaction that spends the coins that paid the deposit: then the deposit never comes,
 * and neither does its CPFP. If a block has the deposit its coin exists, and the order is judged like others.
 */
export async function judgeCpfp(needs: ChainNeeds, network: Network, final: FinalView, order: Order): Promise<void> {
  const { org_id: orgId, id } = order.row
  const coin = subjectKind(order.payment).cpfpFor?.(order.payment)
  if (coin === undefined) return
  const { txid, index } = outputOf(coin)
  const deposit = await needs.db.asOrganisation(orgId, (tx) =>
    tx
      .selectFrom('waiting_deposit')
      .select(['state', 'height', 'replaced_by', 'spends'])
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', network.chain)
      .where('txid', '=', txid)
      .where('tx_index', '=', index)
      .executeTakeFirst(),
  )
  if (deposit?.state === 'in_block') return judgeSlot(needs, network, final, order)
  const { height, replaced_by: winner, spends } = deposit ?? {}
  if (height == null || winner == null || height > final.height) return
  const hash = await agreedAnswer(final, `what took the place of ${txid}`, async (source) => {
    const block = await source.readBlock(height)
    const found = block?.transactions?.find((each) => each.txid === winner)
    return block && found?.inputs.some(({ outpoint }) => spends?.includes(outpoint)) ? block.hash : null
  })
  if (hash === null) return
  await needs.db.asOrganisation(orgId, async (tx) => {
    const present = await readOrder(tx, id, true)
    if (!present || !HOLDING_A_SLOT.includes(present.state)) return
    await endInLoss(tx, needs, present, { txid: winner, height, blockHash: hash, raw: null })
  })
}
