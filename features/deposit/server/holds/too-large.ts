import type { Hold } from './hold.ts'

/**
 * No larger amount of a coin is credited at once: sums of many stay far below what the ledger can hold. No honest token has so much; a contract may state
 * any number.
 */
export const DEPOSIT_MAX = (1n << 192n) - 1n
/** The sub-status of a payment of more than that. */
export const AMOUNT_TOO_LARGE = 'amount_too_large'

/** The ledger cannot take the amount. */
export const tooLarge: Hold =
  async () =>
  ({ transfer }) =>
    transfer.amount > DEPOSIT_MAX ? AMOUNT_TOO_LARGE : null
