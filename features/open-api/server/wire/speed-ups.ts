import { AppError } from '@holdfast/contract'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { speedUp } from '@holdfast/features/transfer/contract'
import { readTransactions, signedTransactions } from '@holdfast/features/transfer/server'
import { ordersAskedFor } from './asked-orders.ts'
import { askConsole, type Asking, demandField, demandNumbers, fieldOf, ownRequestId } from './asking.ts'
import { gasFee, plain, sizeFee } from './fees.ts'
import { idsOf } from './numbers.ts'
import { KINDS } from './records.ts'

/**
 * Raises the fee of what this key asked for and no block has taken yet: at once within the fee that was approved, and else by an order that people decide. The
 * wire signs no such request, so the key of its requests is enough for it; it pays nobody anything but the network.
 */
export const raiseFee = (list: 'withdrawals' | 'calls', field: 'withdraw_id' | 'trans_id') => async (asking: Asking) => {
  const order = await namedOrder(asking, list, field)
  const max_fee = await feeOf(asking, order)
  await askConsole(asking, speedUp, { request_id: ownRequestId(asking), trans_id: order.id, max_fee }, 'order')
  return null
}

/** The order that a number of the wire names, or the `request_id` that it was asked for with. Throws AppError unless this key asked for it. */
async function namedOrder(asking: Asking, list: 'withdrawals' | 'calls', field: string) {
  const { context, caller } = asking
  const requestId = fieldOf(asking, field) === undefined ? demandField(asking, 'request_id') : undefined
  const found =
    requestId === undefined ? await idsOf(context.db, caller.orgId, 'order', demandNumbers(asking, field)) : await ordersAskedFor(asking, [requestId])
  const [first] = found
  const row =
    first &&
    (await context.db.readOrganisation(caller.orgId, (tx) =>
      tx
        .selectFrom('transfer_order')
        .select(['id', 'kind', 'chain'])
        .where('org_id', '=', tx.orgId)
        .where('id', '=', first.id)
        .where('initiator', '=', caller.requester.partyId)
        .executeTakeFirst(),
    ))
  const kinds: readonly string[] = KINDS[list]
  if (!row || !kinds.includes(row.kind)) throw new AppError(proposalErrors.order_not_found)
  return row
}

type Named = Awaited<ReturnType<typeof namedOrder>>

/** The most that the fee may reach from now on, in whichever way its network has. */
async function feeOf(asking: Asking, order: Named): Promise<string> {
  const { decimals } = asking.context.networks.byContract(order.chain, '') ?? { decimals: 0 }
  const fee = fieldOf(asking, 'fee')
  if (fee !== undefined) return plain(fee)
  if (fieldOf(asking, 'fee_rate') !== undefined) return sizeFee(asking, decimals)
  // Clients of the wire may say the price alone.
  const limitNow = fieldOf(asking, 'gas_limit') === undefined ? await gasLimitOf(asking, order) : undefined
  return gasFee(asking, decimals, limitNow)
}

/** The gas limit of what is on its way; undefined on a network that knows none. Where nothing is on its way, whatever fee is said is refused as that. */
async function gasLimitOf({ context, caller }: Asking, { id, chain }: Named): Promise<bigint | undefined> {
  const transactions = await context.db.readOrganisation(caller.orgId, (tx) => readTransactions(tx, id))
  const newest = signedTransactions({ transactions }).at(-1)
  const network = context.networks.find(chain)
  return newest ? network?.codec.decode(newest.unsigned_tx).feeParameters?.['gasLimit'] : 1n
}
