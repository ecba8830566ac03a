import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import { type Order, readOrder } from '@holdfast/features/transfer/server'
import type { OrderId } from '@holdfast/units'
import { readFacts } from './create-call.ts'
import { grantsOf } from './describe-call.ts'

/** What an order calls, as integrators read it; undefined for an order that calls no contract. */
export function callFields({ row, intent }: Order) {
  if (intent.kind !== 'contractCall') return undefined
  const { to, data, signature } = intent
  return {
    main_chain_symbol: row.symbol,
    interactive_contract: to,
    input_data: `0x${toHex(data)}`,
    trans_type: grantsOf({ contract: to, data, signature }).length > 0 ? ('0' as const) : ('1' as const),
  }
}

/** The same of an order by its id, with what was said of the application that it was asked for by. */
export async function readCallFields(tx: OrganisationTx, orderId: OrderId) {
  const order = await readOrder(tx, orderId)
  const fields = order && callFields(order)
  if (!fields) return undefined
  const { dapp_name, dapp_url, dapp_img } = await readFacts(tx, orderId)
  return { ...fields, dapp_name, dapp_url, dapp_img }
}
