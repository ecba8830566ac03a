import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '../contract.ts'

type Row = OutputOf<typeof listTransactions>['list'][number]

const COMPLETED = 2000
const FAILED = 2400

/**
 * What left the organisation or came to it by a transaction, for those who keep accounts: all of it, its fee alone, or nothing. A payment that failed on the
 * chain moved its fee; what is staked stays the organisation's own. What an order about a payment cost stands with that payment.
 */
export function movedBy({ status, replaces, real_fee: fee, stake }: Pick<Row, 'status' | 'replaces' | 'real_fee' | 'stake'>): 'all' | 'fee' | 'nothing' {
  if (replaces != null) return 'nothing'
  if (status === COMPLETED && !stake) return 'all'
  return fee !== null && (status === FAILED || status === COMPLETED) ? 'fee' : 'nothing'
}
