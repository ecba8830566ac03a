/** The largest amount: the largest unsigned number of 256 bits. It has 78 digits, which is what the database's numeric(78,0) holds. */
export const MAX_AMOUNT = (1n << 256n) - 1n

/** More decimals than any asset in use has. ERC-20 would allow 255, which nobody could read on a screen. */
export const MAX_DECIMALS = 36

/** Text that is no amount. The message says what to change and can be shown to the person who typed it. */
export class AmountTextFault extends Error {
  override name = 'AmountTextFault'
}

/** Throws RangeError if a program, not a person, gave an impossible number of decimals. */
export function assertDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    throw new RangeError(`decimals must be a whole number from 0 to ${MAX_DECIMALS}, not ${decimals}`)
  }
}
