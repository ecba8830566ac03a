import { contractFields } from '@holdfast/features/network/server'
import { formatAmount } from '@holdfast/units'
import { DEPOSIT_STATUS } from './deposit-view.ts'
import { orderKind, type OrderRow } from '@holdfast/features/transfer/server'
import type { ViewContext } from './view-context.ts'

/** What a call's own transaction brought its payer. */
export async function broughtBy({ tx, networks }: ViewContext, row: OrderRow) {
  if (!orderKind(row).subjects.includes('contractCall') || row.txid === null) return []
  const rows = await tx
    .selectFrom('deposit')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', row.chain)
    .where('txid', '=', row.txid)
    .where('sub_wallet_id', '=', row.sub_wallet_id)
    .where('state', '<>', 'reversed')
    .orderBy('tx_index')
    .execute()
  return rows.map((each) => ({
    id: each.id,
    symbol: each.symbol,
    token_id: contractFields(each.contract).token_id,
    amount: formatAmount(each.amount, networks.byContract(each.chain, each.contract)?.decimals ?? 0),
    from: each.from_address,
    status: DEPOSIT_STATUS[each.state],
  }))
}
