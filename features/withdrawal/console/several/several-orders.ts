import type { CallInput } from '@holdfast/contract'
import { at, formatAmount, parseAmount } from '@holdfast/units'
import type { createWithdrawal, Warning } from '../../contract.ts'

/** A recipient that the server knows as an address, with what has to be known of it. `fee` is the most of an order of its own; null within one for all. */
export type CheckedRecipient = { address_to: string; amount: string; line: number; name: string | null; warnings: readonly Warning[]; fee: string | null }

export type PaymentOrder = CallInput<typeof createWithdrawal>

/** The note beside the payment, for people alone. */
export type Noted = Record<'remark' | 'category' | 'tags', string>

/** One order on its way. Whatever became of it, it is sent again as it is, with its id: the server makes it once. */
export type OrderSent = { line: number; order: PaymentOrder } & (
  | { state: 'ready' | 'sending' | 'unanswered' }
  | { state: 'sent'; orderId: string }
  | { state: 'refused'; reason: string }
)

type Batch = {
  recipients: readonly CheckedRecipient[]
  total: string
  /** The most of the one fee, where one transaction pays all. */
  fee: string | null
  common: Pick<PaymentOrder, 'sub_wallet_id' | 'chain' | 'symbol' | 'remark' | 'category' | 'tags'>
}

/** The orders for several recipients: one for all of them on a network of coins, else one for each. Each gets an id of its own. */
export function ordersFor({ recipients, total, fee, common }: Batch, newId: () => string): OrderSent[] {
  const acknowledged = (of: readonly CheckedRecipient[]) => [...new Set(of.flatMap(({ warnings }) => warnings))].join(',')
  if (fee !== null) {
    const outputs = recipients.map(({ address_to, amount }) => ({ address_to, amount }))
    const order = { ...common, address_to: at(outputs, 0).address_to, amount: total, outputs, max_fee: fee, ack: acknowledged(recipients) }
    return [{ line: at(recipients, 0).line, order: { request_id: newId(), ...order }, state: 'ready' }]
  }
  return recipients.map((recipient) => {
    const { line, address_to, amount, fee: own } = recipient
    return { line, order: { request_id: newId(), ...common, address_to, amount, max_fee: own ?? '0', ack: acknowledged([recipient]) }, state: 'ready' }
  })
}

/** The orders that are not known to have been made. */
export const unsent = (orders: readonly OrderSent[]): OrderSent[] => orders.filter(({ state }) => state !== 'sent')

/** The most that all fees come to. */
export function feesOf({ recipients, fee }: Pick<Batch, 'recipients' | 'fee'>, decimals: number): string {
  const fees = fee === null ? recipients.map((each) => each.fee ?? '0') : [fee]
  return formatAmount(
    fees.reduce((sum, each) => sum + parseAmount(each, decimals), 0n),
    decimals,
  )
}

type Held = { available: string; decimals: number; feeBalance: string; feeDecimals: number; isFeeCoin: boolean }

/** What is missing for amounts and fees: of the coin, of the coin that pays the fees, or nothing. */
export function missingFor(total: string, fees: string, { available, decimals, feeBalance, feeDecimals, isFeeCoin }: Held): 'coin' | 'fee' | undefined {
  const paid = parseAmount(total, decimals) + (isFeeCoin ? parseAmount(fees, decimals) : 0n)
  if (paid > parseAmount(available, decimals)) return 'coin'
  return isFeeCoin || parseAmount(fees, feeDecimals) <= parseAmount(feeBalance, feeDecimals) ? undefined : 'fee'
}
