import { AppError } from '@holdfast/contract'
import { readComments } from '@holdfast/features/deposit-address/server'
import type { Check } from './check.ts'

/** A payment to a shared address of the organisation itself carries one of its comments: without it nobody would be credited. */
export const comment: Check = {
  known: async (tx, { request: { network, to, memo } }) => {
    if (network.codec.memoMax === undefined) return
    const payment = { orgId: tx.orgId, address: to, memo: memo ?? undefined }
    const fault = (await readComments(tx, network.chain, [payment]))(payment)
    if (fault !== null) throw new AppError('invalid_parameters', { details: { field: 'memo', reason: `the address is shared: ${fault.replace('_', ' ')}` } })
  },
}
