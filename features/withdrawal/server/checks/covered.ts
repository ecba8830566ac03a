import { AppError } from '@holdfast/contract'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { formatAmount } from '@holdfast/units'
import { withdrawalErrors } from '../../errors.ts'
import type { Check } from './check.ts'

/**
 * The ledger decides when the order is opened; this only avoids a question to the chain that it would answer with an error. The ledger includes locked coins,
 * which no payment can use: an order that needs them would wait for them until it expires.
 */
export const covered: Check = {
  known: ({ request, available }) => {
    if (available < request.amount) throw new AppError(transferErrors.insufficient_balance)
  },
  told: (_, { request: { asset, amount }, available, locked }) => {
    if (locked === 0n || available - locked >= amount) return
    throw new AppError(withdrawalErrors.coins_locked, { details: { locked: formatAmount(locked, asset.decimals), symbol: asset.symbol } })
  },
}
