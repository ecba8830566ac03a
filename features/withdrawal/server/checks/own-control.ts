import { AppError } from '@holdfast/contract'
import { transferErrors } from '@holdfast/features/transfer/errors'
import type { Check } from './check.ts'

/** Nothing is paid from an address for which somebody else may sign. */
export const ownControl: Check = {
  told: (_, { payerIsControlledByOthers }) => {
    if (payerIsControlledByOthers) throw new AppError(transferErrors.account_not_own)
  },
}
