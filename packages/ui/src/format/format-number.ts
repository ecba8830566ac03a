/** What stands where a number is not known. */
export const MISSING = '--'

/** From about here a summary says "infinity" and no longer a number. */
const INFINITE_FROM = 10n ** 17n
const BILLION = 10n ** 9n
const MILLION = 10n ** 6n

type Digits = { sign: '' | '-'; whole: string; fraction: string }

/** Reads plain decimal text such as `-12.50`; undefined where it is anything else. Never goes through a float. */
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
 * An amount in short: 2 decimals where nothing else is asked for, cut and never rounded up, so that a summary does not
 * show more than there is; M from a million, B from a billion, the infinity sign from 1e17, `--` where it is missing.
 * Something above zero never reads as zero. Only for summaries: where money moves, `exactAmount`.
 */
export function summaryAmount(value: string | null | undefined, decimals = 2): string {
  const digits = readDigits(value)
  if (!digits) return MISSING
  const whole = BigInt(digits.whole)
  if (whole >= INFINITE_FROM) return `${digits.sign}∞`
  if (whole >= BILLION) return digits.sign + shorten(digits, 9, decimals, 'B')
  if (whole >= MILLION) return digits.sign + shorten(digits, 6, decimals, 'M')
  return digits.sign + cut(digits, decimals)
}

function shorten(digits: Digits, places: number, decimals: number, letter: 'M' | 'B'): string {
  const at = digits.whole.length - places
  return cut({ sign: '', whole: digits.whole.slice(0, at), fraction: digits.whole.slice(at) + digits.fraction }, decimals) + letter
}

function cut({ whole, fraction }: Digits, decimals: number): string {
  const kept = fraction.padEnd(decimals, '0').slice(0, decimals)
  const isZero = /^0*$/.test(whole + kept)
  if (isZero && /[1-9]/.test(fraction)) return `< ${smallest(decimals)}`
  return groupThousands(whole) + (decimals === 0 ? '' : `.${kept}`)
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

/** A price: 2 decimals from 1 on, else four significant digits; `< 1e-10` below 1e-10, `--` where it is missing. */
export function priceText(value: string | null | undefined): string {
  const digits = readDigits(value)
  if (!digits || digits.sign === '-') return MISSING
  if (/[1-9]/.test(digits.whole)) return cut(digits, 2)
  const leadingZeros = /^0*/.exec(digits.fraction)?.[0].length ?? 0
  if (leadingZeros === digits.fraction.length) return '0.00'
  if (leadingZeros >= 10) return '< 1e-10'
  return `0.${digits.fraction.slice(0, leadingZeros + 4).replace(/0+$/, '')}`
}
