import type { Locale } from '../language/locale.ts'

/**
 * Formatters, each made once. To make one takes a hundred times as long as to use it, and a table has a moment in every row.
 * Options are told apart by identity: keep them in a constant.
 */
function keep<Options extends object, Formatter>(make: (locale: Locale, options: Options, timeZone: string | undefined) => Formatter) {
  const made = new WeakMap<Options, Map<string, Formatter>>()
  return (locale: Locale, options: Options, timeZone?: string): Formatter => {
    const known = made.get(options) ?? new Map<string, Formatter>()
    const key = timeZone === undefined ? locale : `${locale} ${timeZone}`
    const formatter = known.get(key) ?? make(locale, options, timeZone)
    made.set(options, known.set(key, formatter))
    return formatter
  }
}

/** Of moments; English with the day before the month. */
export const dateFormat = keep((locale, options: Intl.DateTimeFormatOptions, timeZone) => {
  const language = locale === 'zh-CN' ? 'zh-CN' : 'en-GB'
  return new Intl.DateTimeFormat(language, { ...options, ...(timeZone === undefined ? {} : { timeZone }) })
})

export const relativeFormat = keep((locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options))

export const numberFormat = keep((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))
