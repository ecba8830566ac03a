import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '../contract.ts'

/** A payment, a deposit or an allowance spend as lists show it. */
export type Row = OutputOf<typeof listTransactions>['list'][number]
