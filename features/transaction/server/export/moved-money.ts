import type { OutputOf } from '@holdfast/contract'
import { assetName } from '@holdfast/units'
import type { listTransactions } from '../../contract.ts'

type Row = OutputOf<typeof listTransactions>['list'][number]
type Sum = { unit: string; contract: string | null; amount: string }
/** Beside the row: what the ledger says left by it, where that is not simply its amount. */
export type Moved = Pick<
  Row,
  'type' | 'status' | 'replaces' | 'real_fee' | 'stake' | 'lifts' | 'address_from' | 'address_to' | 'amount' | 'symbol' | 'token_id' | 'contract_address'
> & { left?: readonly Sum[] | undefined }

const COMPLETED = 2000
const FAILED = 2400

/** What came to the organisation by a transaction, what left it, and what of its own coin it paid for that, in decimal text; null if it paid nothing. */
export type MovedMoney = { in: readonly Sum[]; out: readonly Sum[]; fee: string | null }

/**
 * What the ledger has of a transaction, for those who keep accounts: what has not happened moved nothing, a payment that failed on the chain its fee, and so
 * does a payment to the paying address itself; what is staked stays the organisation's own. Of an order about a payment, whatever it says of that payment,
 * nothing but the fee that it cost: the payment has a line of its own.
 */
export function movedBy({ left, ...row }: Moved): MovedMoney {
  const { type, status, replaces, real_fee: fee, stake, lifts, address_from: from, address_to: to } = row
  const isDone = status === COMPLETED
  const whole = isDone && /[1-9]/.test(row.amount) ? [{ unit: assetName(row.symbol, row.token_id), contract: row.contract_address, amount: row.amount }] : []
  if (type === 'deposit') return { in: whole, out: [], fee: null }
  if (type === 'pull') return { in: [], out: whole, fee: null }
  const paid = isDone || status === FAILED ? fee : null
  const isKept = replaces != null || stake !== undefined || lifts !== undefined || (left === undefined && from === to)
  return { in: [], out: isKept ? [] : (left ?? whole), fee: paid }
}

/** Whether anything moved at all. */
export const hasMoved = ({ in: came, out, fee }: MovedMoney): boolean => came.length > 0 || out.length > 0 || fee !== null
