import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '../contract.ts'

type Moved = Pick<OutputOf<typeof listTransactions>['list'][number], 'type' | 'status' | 'replaces' | 'real_fee' | 'stake' | 'address_from' | 'address_to'>

const COMPLETED = 2000
const FAILED = 2400

/**
 * What left the organisation or came to it by a transaction, for those who keep accounts: all of it, its fee alone, or nothing. A payment that failed on the
 * chain, or that an address made to itself, moved its fee; what is staked stays the organisation's own. What an order about a payment cost stands with that
 * payment.
 */
export function movedBy({ type, status, replaces, real_fee: fee, stake, address_from: from, address_to: to }: Moved): 'all' | 'fee' | 'nothing' {
  if (replaces != null) return 'nothing'
  const isKept = stake || (type === 'withdraw' && from === to)
  if (status === COMPLETED && !isKept) return 'all'
  return fee !== null && (status === FAILED || status === COMPLETED) ? 'fee' : 'nothing'
}
