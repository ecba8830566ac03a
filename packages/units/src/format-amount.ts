import { assertDecimals } from './amount-error.ts'

/**
 * The exact decimal text of base units: every digit, no rounding, no grouping, no zeros at the end that say nothing.
 * `formatAmount(1_500_000n, 6)` is `1.5`. For amounts from 0 to MAX_AMOUNT it is the inverse of `parseAmount`.
 */
export function formatAmount(value: bigint, decimals: number): string {
  assertDecimals(decimals)
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + whole + (fraction === '' ? '' : `.${fraction}`)
}
