import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '@holdfast/features/transaction/contract'
import type { MovedCoin, PayoutOutput } from '@holdfast/features/transaction/server'
import { assetName } from '@holdfast/units'
import { shareOut } from './money-text.ts'

type Row = OutputOf<typeof listTransactions>['list'][number]

/** What accounts are kept of: a transaction, beside it what the ledger says left by it where that is not simply its amount, and everybody it pays. */
export type Booked = Pick<
  Row,
  | 'type'
  | 'status'
  | 'replaces'
  | 'real_fee'
  | 'stake'
  | 'lifts'
  | 'address_from'
  | 'address_to'
  | 'to_label'
  | 'amount'
  | 'symbol'
  | 'token_id'
  | 'contract_address'
  | 'worth'
> & { left?: readonly MovedCoin[] | undefined; outputs?: readonly PayoutOutput[] | undefined }

/** One line of an account: what came or what left, whom it was paid to, its value at the time, and the fee; null where there is none. */
export type BookLine = {
  in: MovedCoin | null
  out: MovedCoin | null
  /** With the memo of its own that went along, where one order paid several. */
  to: { address: string | null; label: string | null; memo?: string }
  worth: string | null
  fee: string | null
}

const COMPLETED = 2000
const FAILED = 2400

/**
 * What the ledger has of a transaction, for those who keep accounts; no line where nothing moved. What has not happened moved nothing, a payment that
 * failed on the chain its fee, and so does a payment to the paying address itself; what is staked stays the organisation's own. Of an order about a
 * payment, whatever it says of that payment, nothing but the fee that it cost: the payment has lines of its own. Whoever is paid has a line, every coin
 * that left has one, and the fee stands on the first: or alone, where nothing else moved.
 */
export function bookLines(row: Booked): BookLine[] {
  const paid = row.type === 'withdraw' && (row.status === COMPLETED || row.status === FAILED) ? row.real_fee : null
  const lines = movedLines(row)
  const [first, ...others] = lines
  if (first) return [{ ...first, fee: paid }, ...others]
  return paid === null || !/[1-9]/.test(paid) ? [] : [{ in: null, out: null, to: { address: null, label: null }, worth: null, fee: paid }]
}

function movedLines(row: Booked): BookLine[] {
  const { type, status, replaces, stake, lifts, left, outputs = [], address_from: from, address_to: address, to_label: label, contract_address: contract } = row
  const value = row.worth?.at_time ?? null
  const whole = { unit: assetName(row.symbol, row.token_id), contract, amount: row.amount }
  const movedWhole = status === COMPLETED && /[1-9]/.test(row.amount) ? [whole] : []
  const line = (change: Partial<BookLine>): BookLine => ({ in: null, out: null, to: { address, label }, worth: value, fee: null, ...change })
  if (type === 'deposit') return movedWhole.map((each) => line({ in: each }))
  if (type === 'pull') return movedWhole.map((each) => line({ out: each }))
  if (replaces != null || stake !== undefined || lifts !== undefined || (left === undefined && outputs.length === 0 && from === address)) return []
  // A value is known of what the row is about, and of nothing else that went with it.
  if (left) return left.map((each) => line({ out: each, worth: each.contract === contract ? value : null }))
  if (outputs.length === 0) return movedWhole.map((each) => line({ out: each }))
  const values = shareOut(
    value,
    outputs.map(({ amount }) => amount),
  )
  const isPaid = ({ arrived }: PayoutOutput) => status === COMPLETED || (status === FAILED && arrived === true)
  return outputs.flatMap((each, i) => (isPaid(each) ? [line({ out: { ...whole, amount: each.amount }, to: toOf(each), worth: values[i] ?? null })] : []))
}

const toOf = ({ address_to: address, label, memo }: PayoutOutput): BookLine['to'] => ({ address, label, ...(memo !== null && { memo }) })
