import { formatAmount, parseAmount } from '@holdfast/units'

/** More places than a price or an amount has. */
const PLACES = 30

/** A decimal number with so many places, rounded half to even, as accounts round. */
export function rounded(text: string, places: number): string {
  const isNegative = text.startsWith('-')
  const value = parseAmount(text.replace(/^-/, ''), PLACES)
  const unit = 10n ** BigInt(PLACES - places)
  const [whole, rest] = [value / unit, value % unit]
  const isUp = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n)
  const [units = '', fraction = ''] = formatAmount(isUp ? whole + 1n : whole, places).split('.')
  const shown = places === 0 ? units : `${units}.${fraction.padEnd(places, '0')}`
  return isNegative ? `-${shown}` : shown
}

/** A decimal number with its thousands apart: 1,250,000.5. */
export function grouped(text: string): string {
  const [whole = '', ...fraction] = text.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/** Shares a value out by amounts, so that the shares add up to it to the last digit; nothing where it is not known. */
export function shareOut(value: string | null, amounts: readonly string[]): string[] {
  if (value === null) return []
  const whole = parseAmount(value, PLACES)
  const parts = amounts.map((amount) => parseAmount(amount, PLACES))
  const sum = parts.reduce((total, part) => total + part, 0n)
  if (sum === 0n) return []
  let before = 0n
  return parts.map((part) => {
    const [from, to] = [(whole * before) / sum, (whole * (before + part)) / sum]
    before += part
    return formatAmount(to - from, PLACES)
  })
}
