import { AppError } from '@holdfast/contract'
import type { Check } from './check.ts'

/** A payment to a shared address of the organisation itself carries one of its comments: without it nobody would be credited. */
export const comment: Check = {
  known: ({ commentFault: fault }) => {
    if (fault !== null) throw new AppError('invalid_parameters', { details: { field: 'memo', reason: `the address is shared: ${fault.replace('_', ' ')}` } })
  },
}
