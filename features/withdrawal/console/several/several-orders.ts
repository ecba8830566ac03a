import type { CallInput } from '@holdfast/contract'
import { at, formatAmount, parseAmount } from '@holdfast/units'
import type { createWithdrawal, Warning } from '../../contract.ts'
import type { Tier } from '../draft.ts'

/** The most that an order may cost at each speed. */
export type TierFees = Readonly<Record<Tier['tier'], string>>

/** A recipient that the server knows as an address, with what has to be known of it. `fees` are those of an order of its own; null within one for all. */
export type CheckedRecipient = { address_to: string; amount: string; line: number; name: string | null; warnings: readonly Warning[]; fees: TierFees | null }

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
  /** Those of the one order, where one transaction pays all. */
  fees: TierFees | null
  common: Pick<PaymentOrder, 'sub_wallet_id' | 'chain' | 'symbol' | 'remark' | 'category' | 'tags'>
}

/** The orders for several recipients, all at one speed: one for all of them on a network of coins, else one for each. Each gets an id of its own. */
export function ordersFor({ recipients, total, fees, common }: Batch, tier: Tier['tier'], newId: () => string): OrderSent[] {
  const acknowledged = (of: readonly CheckedRecipient[]) => [...new Set(of.flatMap(({ warnings }) => warnings))].join(',')
  if (fees !== null) {
    const outputs = recipients.map(({ address_to, amount }) => ({ address_to, amount }))
    const order = {
      ...common,
      address_to: at(outputs, 0).address_to,
      amount: total,
      outputs,
      fee_tier: tier,
      max_fee: fees[tier],
      ack: acknowledged(recipients),
    }
    return [{ line: at(recipients, 0).line, order: { request_id: newId(), ...order }, state: 'ready' }]
  }
  return recipients.map((recipient) => {
    const { line, address_to, amount, fees: own } = recipient
    const fee = { fee_tier: tier, max_fee: own?.[tier] ?? '0' }
    return { line, order: { request_id: newId(), ...common, address_to, amount, ...fee, ack: acknowledged([recipient]) }, state: 'ready' }
  })
}

/** The orders that are not known to have been made. */
export const unsent = (orders: readonly OrderSent[]): OrderSent[] => orders.filter(({ state }) => state !== 'sent')

/** The most that all fees come to at a speed. */
export function feesOf({ recipients, fees }: Pick<Batch, 'recipients' | 'fees'>, tier: Tier['tier'], decimals: number): string {
  const all = fees === null ? recipients.map((each) => each.fees?.[tier] ?? '0') : [fees[tier]]
  return formatAmount(
    all.reduce((sum, each) => sum + parseAmount(each, decimals), 0n),
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
