import type { ServerContext } from '@holdfast/features/context'
import { formatAmount } from '@holdfast/units'
import { type OrderTransaction, readTransactions, signedTransactions } from './order-transactions.ts'
import type { OrderRow } from './read-order.ts'
import type { ViewContext } from './view-context.ts'

/** Every transaction made for an order as its story tells them. The chain takes one of them at most. */
export async function replacementHistory({ networks }: Pick<ServerContext, 'networks'>, view: ViewContext, row: OrderRow) {
  const transactions = await readTransactions(view.tx, row.id)
  const signed = signedTransactions({ transactions })
  const network = networks.find(row.chain)
  const decimals = network?.assets.find((each) => each.contract === null)?.decimals ?? 0
  const fee = ({ unsigned_tx: unsigned }: OrderTransaction) => (unsigned && network ? formatAmount(network.codec.decode(unsigned).feeMax, decimals) : null)
  const stateOf = ({ txid, ended_at: ended }: OrderTransaction) => {
    if (txid === null) return ended === null ? ('making' as const) : ('given_up' as const)
    if (txid !== row.txid) return 'replaced' as const
    return row.block_height === null ? ('sent' as const) : ('in_block' as const)
  }
  return {
    replaced_by: signed.length > 1 && row.txid !== signed[0]!.txid ? row.txid : null,
    speed_up_history: transactions.map((each) => ({
      number: each.number,
      purpose: each.purpose,
      state: stateOf(each),
      txid: each.txid,
      fee: fee(each),
      by: each.asked_by === null ? null : view.personName(each.asked_by),
      reason: each.reason,
      at: Number(each.created_at),
    })),
  }
}
