import { known } from '@holdfast/units'

/** What stands where a number is not known. */
export const MISSING = '--'

/** From about here a summary says "infinity" and no longer a number. */
const INFINITE_FROM = 10n ** 17n

type Digits = { sign: '' | '-'; whole: string; fraction: string }

/** Reads plain decimal text such as `-12.50`; undefined if it is anything else. Never goes through a float. */
function readDigits(value: string | null | undefined): Digits | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value ?? '')
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  return { sign: sign === '-' ? '-' : '', whole: whole.replace(/^0+(?=\d)/, ''), fraction }
}

function groupThousands(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Every digit of an amount, thousands grouped: `1234567.891` is `1,234,567.891`. For places where money moves. */
export function exactAmount(value: string | null | undefined): string {
  const digits = readDigits(value)
  if (!digits) return MISSING
  return digits.sign + groupThousands(digits.whole) + (digits.fraction === '' ? '' : `.${digits.fraction}`)
}

/**
 * An amount in short: 2 decimals where nothing else is asked for, rounded to the nearest, a half to the even digit, so that
 * sums of what is shown come near the sum; M from a million, B from a billion, the infinity sign from 1e17, `--` where it is missing.
 * Something above zero never reads as zero. Only for summaries: where money moves, `exactAmount`.
 */
export function summaryAmount(value: string | null | undefined, decimals = 2): string {
  const digits = readDigits(value)
  if (!digits) return MISSING
  if (BigInt(digits.whole) >= INFINITE_FROM) return `${digits.sign}∞`
  // What rounds up to a million or a billion is one.
  const unit = known(
    UNITS.find(({ below, from }) => roundedAt(digits, below, decimals) >= from * 10n ** BigInt(decimals)),
    'the unit of a number',
  )
  const shown = roundedAt(digits, unit.places, decimals)
  if (shown === 0n && /[1-9]/.test(digits.whole + digits.fraction)) return `${digits.sign}< ${smallest(decimals)}`.replace('-<', '< -')
  return digits.sign + pointed(shown, decimals) + unit.letter
}

/** The units of a summary, each from where the one `below` it, in powers of ten, would show so many. */
const UNITS = [
  { places: 9, letter: 'B', below: 6, from: 1000n },
  { places: 6, letter: 'M', below: 0, from: 10n ** 6n },
  { places: 0, letter: '', below: 0, from: 0n },
]

/** A number in units of ten to the `places`, with so many decimals, as a whole number of the last of them: to the nearest, a half to the even one. */
function roundedAt({ whole, fraction }: Digits, places: number, decimals: number): bigint {
  const scaled = BigInt(whole + fraction)
  const dropped = fraction.length + places - decimals
  if (dropped <= 0) return scaled * 10n ** BigInt(-dropped)
  const step = 10n ** BigInt(dropped)
  const [quotient, rest] = [scaled / step, scaled % step]
  const isUp = rest * 2n > step || (rest * 2n === step && quotient % 2n === 1n)
  return isUp ? quotient + 1n : quotient
}

function pointed(number: bigint, decimals: number): string {
  const digits = String(number).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return groupThousands(digits.slice(0, at)) + (decimals === 0 ? '' : `.${digits.slice(at)}`)
}

function smallest(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`
}

/** What stands before the digits of a currency (ISO 4217): signs that several have are told apart. */
const SIGNS: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  CNY: 'CN¥',
  HKD: 'HK$',
  JPY: 'JP¥',
  KRW: '₩',
  SGD: 'S$',
  AUD: 'A$',
  CAD: 'C$',
  INR: '₹',
}

/** Decimal text of money in short, such as `$12.34`, `-€0.50` or `< $0.01`. Only for summaries. */
export function summaryMoney(value: string | null | undefined, currency: string): string {
  return signed(summaryAmount(value), currency)
}

/** Every digit of money, such as `$1,234.567891`. */
export function exactMoney(value: string | null | undefined, currency: string): string {
  return signed(exactAmount(value), currency)
}

/** A price, such as `$3,355.31` or `< €1e-10`. */
export function priceMoney(value: string | null | undefined, currency: string): string {
  return signed(priceText(value), currency)
}

/** Puts the sign of a currency, or else its code, before the digits; what is missing has none. */
function signed(text: string, currency: string): string {
  const sign = SIGNS[currency] ?? `${currency}\u00a0`
  return text === MISSING ? MISSING : text.replace(/^(< |-)?/, (before) => before + sign)
}

/**
 * A price: 2 decimals from 10 on, up to 4 from 1 on, so that a coin near par does not read as if it were at par, else four significant digits; `< 1e-10` below 1e-10,
 * `--` where it is missing.
 */
export function priceText(value: string | null | undefined): string {
  const digits = readDigits(value)
  if (!digits || digits.sign === '-') return MISSING
  if (/[1-9]/.test(digits.whole))
    return digits.whole.length > 1 ? pointed(roundedAt(digits, 0, 2), 2) : pointed(roundedAt(digits, 0, 4), 4).replace(/0{1,2}$/, '')
  const leadingZeros = /^0*/.exec(digits.fraction)?.[0].length ?? 0
  if (leadingZeros === digits.fraction.length) return '0.00'
  if (leadingZeros >= 10) return '< 1e-10'
  const shown = pointed(roundedAt(digits, 0, leadingZeros + 4), leadingZeros + 4)
  return shown.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '.00')
}
