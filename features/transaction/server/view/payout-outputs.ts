import { formatAmount } from '@holdfast/units'
import { labelOf, readKnownAddresses } from '@holdfast/features/known-address/server'
import { type OrderRow, asOrderState, statusOf } from '@holdfast/features/transfer/server'
import type { ViewContext } from './view-context.ts'

type Output = { address_to: string; label: string | null; amount: string; memo: string | null }

/** The recipients of an order that pays several, by the names the organisation has for them; empty if it pays one. */
export async function payoutOutputs(view: ViewContext, row: OrderRow): Promise<Output[]> {
  const { tx } = view
  const outputs = await tx
    .selectFrom('order_output')
    .select(['address', 'amount'])
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', row.id)
    .orderBy('place')
    .execute()
  return named(
    view,
    row,
    outputs.map((each) => ({ ...each, memo: null })),
  )
}

/** The recipients of an order, one or several, and how far it is. */
export async function payoutView(view: ViewContext, row: OrderRow) {
  const several = await payoutOutputs(view, row)
  const outputs = several.length > 0 ? several : await named(view, row, [{ address: row.address_to, amount: row.amount, memo: row.memo }])
  const amount = formatAmount(row.amount, decimalsOf(view, row))
  return { id: row.id, symbol: row.symbol, amount, outputs, total: outputs.length, txid: row.txid, status: statusOf(asOrderState(row.state)) }
}

async function named(view: ViewContext, row: OrderRow, outputs: readonly { address: string; amount: bigint; memo: string | null }[]): Promise<Output[]> {
  const known = await readKnownAddresses(
    view,
    outputs.map(({ address }) => address),
  )
  const decimals = decimalsOf(view, row)
  return outputs.map(({ address, amount, memo }) => ({ address_to: address, label: labelOf(known, address), amount: formatAmount(amount, decimals), memo }))
}

function decimalsOf({ networks }: ViewContext, row: OrderRow): number {
  return networks.byContract(row.chain, row.contract)?.decimals ?? 0
}
