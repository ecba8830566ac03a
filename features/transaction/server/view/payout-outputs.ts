import { formatAmount } from '@holdfast/units'
import { labelOf, readKnownAddresses } from '@holdfast/features/known-address/server'
import { type OrderRow, asOrderState, statusOf } from '@holdfast/features/transfer/server'
import type { ViewContext } from './view-context.ts'

export type PayoutOutput = { address_to: string; label: string | null; amount: string; memo: string | null; arrived: boolean | null }

/** The recipients of those of some orders that pay several, by order and by the names the organisation has for them. */
export async function readPayoutOutputs(
  view: ViewContext,
  orders: readonly { id: string; chain: string; contract_address: string | null }[],
): Promise<ReadonlyMap<string, PayoutOutput[]>> {
  if (orders.length === 0) return new Map()
  const { tx } = view
  const rows = await tx
    .selectFrom('order_output')
    .select(['order_id', 'address', 'memo', 'amount', 'arrived'])
    .where('org_id', '=', tx.orgId)
    .where(
      'order_id',
      'in',
      orders.map(({ id }) => id),
    )
    .orderBy('order_id')
    .orderBy('place')
    .execute()
  const labels = await readKnownAddresses(
    view,
    rows.map(({ address }) => address),
  )
  const outputs = Map.groupBy(rows, (each) => each.order_id)
  return new Map(
    orders.flatMap(({ id, chain, contract_address: contract }) => {
      const decimals = view.networks.byContract(chain, contract ?? '')?.decimals ?? 0
      const shown = (outputs.get(id) ?? []).map(({ address, memo, amount, arrived }) => {
        const paid = { address_to: address, label: labelOf(labels, address), amount: formatAmount(amount, decimals) }
        return { ...paid, memo, arrived }
      })
      return shown.length === 0 ? [] : [[id, shown] as const]
    }),
  )
}

/** The recipients of an order that pays several; empty if it pays one. */
export async function payoutOutputs(view: ViewContext, { id, chain, contract }: OrderRow): Promise<PayoutOutput[]> {
  return (await readPayoutOutputs(view, [{ id, chain, contract_address: contract }])).get(id) ?? []
}

/** The recipients of an order, one or several, and how far it is. */
export async function payoutView(view: ViewContext, row: OrderRow) {
  const several = await payoutOutputs(view, row)
  const amount = formatAmount(row.amount, view.networks.byContract(row.chain, row.contract)?.decimals ?? 0)
  const outputs = several.length > 0 ? several : [await onlyOutput(view, row, amount)]
  return { id: row.id, symbol: row.symbol, amount, outputs, total: outputs.length, txid: row.txid, status: statusOf(asOrderState(row.state)) }
}

async function onlyOutput(view: ViewContext, { address_to, memo }: OrderRow, amount: string): Promise<PayoutOutput> {
  return { address_to, label: labelOf(await readKnownAddresses(view, [address_to]), address_to), amount, memo, arrived: null }
}
