import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from './contract.ts'

type Row = OutputOf<typeof listTransactions>['list'][number]
export type Moment = 'asked' | 'paid' | 'inBlock' | 'seen'

/** Orders with this status or a higher one ended without their recipient being paid. */
const UNPAID = 2100

/** Of which moment the price is that stands beside an amount. Nothing is called paid that paid nobody. */
export function momentOf({ worth, status, call, stake, lifts }: Pick<Row, 'worth' | 'status' | 'call' | 'stake' | 'lifts'>): Moment {
  if (worth?.at !== 'in_block') return worth?.at ?? 'seen'
  return status < UNPAID && !call && !stake && lifts === undefined ? 'paid' : 'inBlock'
}
