import { AppError } from '@holdfast/contract'

/**
 * Refuses recovery recipients of the three signers that could never come together, or of whom one stands with two signers: whoever opens two shares alone
 * rebuilds every key alone. `threshold` is how many open one share. Throws AppError `invalid_parameters`.
 */
export function checkRecipients(recovery: string[][], threshold: number): void {
  const refuse = (field: string, reason: string): never => {
    throw new AppError('invalid_parameters', { details: { field, reason } })
  }
  const all = recovery.flat()
  if (new Set(all).size !== all.length) refuse('recovery', 'a recipient is named twice: give each signer officers of its own')
  const fewest = Math.min(...recovery.map((recipients) => recipients.length))
  if (threshold > fewest) refuse('recovery_threshold', `a signer has ${fewest} recovery recipient(s), so ${threshold} of them can never come together`)
}
