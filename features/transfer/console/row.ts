import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '../contract.ts'

/** A payment or a deposit as lists show it. */
export type Row = OutputOf<typeof listTransactions>['list'][number]
