import { AmountTextFault, assertDecimals, MAX_AMOUNT } from './amount-error.ts'

/** 78 digits before the point, the point, and 36 behind it: more is refused before any arithmetic. */
const MAX_TEXT_LENGTH = 120

/**
 * Base units from decimal text, exactly: `parseAmount('1.5', 6)` is `1_500_000n`. Takes only the digits 0-9 and one
 * point: no sign, exponent, space, separator, other script's digits or superfluous leading zero, because each of these
 * means different things to different people. Never rounds. Throws AmountTextFault with a sentence for the person who typed it.
 */
export function parseAmount(text: string, decimals: number): bigint {
  assertDecimals(decimals)
  if (text.length === 0) throw new AmountTextFault('enter an amount')
  if (text.length > MAX_TEXT_LENGTH) throw new AmountTextFault('the amount is too long')
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text)
  if (!match) throw new AmountTextFault('write the amount with the digits 0-9 and at most one point, such as 1250.5')
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) throw new AmountTextFault(tooPrecise(fraction.length, decimals))
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (value > MAX_AMOUNT) throw new AmountTextFault('the amount is larger than any asset can hold')
  return value
}

function tooPrecise(given: number, decimals: number): string {
  if (decimals === 0) return 'this asset has no decimals: enter a whole number'
  return `the amount has ${given} digits after the point, but this asset has only ${decimals}`
}
