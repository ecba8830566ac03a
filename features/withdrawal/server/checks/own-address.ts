import { AppError } from '@holdfast/contract'
import { withdrawalErrors } from '../../errors.ts'
import type { Check } from './check.ts'

/** An address does not pay itself. */
export const ownAddress: Check = {
  known: ({ request, payer, recipients }) => {
    const at = recipients.indexOf(payer.address)
    if (at !== -1) throw new AppError(withdrawalErrors.transfer_to_self, request.outputs ? { details: { recipient: at + 1 } } : {})
  },
}
