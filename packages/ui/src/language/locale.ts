export const LOCALES = ['en-US', 'zh-CN'] as const

/** A language of the interface as pages, translations and `Intl` write it. */
export type Locale = (typeof LOCALES)[number]

/** The same as the cookie `lan` and the `Language` header write it. */
export type CookieLanguage = 'en_US' | 'zh_CN'

export const FALLBACK_LOCALE: Locale = 'en-US'

export function toCookieLanguage(locale: Locale): CookieLanguage {
  return locale === 'zh-CN' ? 'zh_CN' : 'en_US'
}

/** The locale of a cookie's value; anything unknown is English. */
export function toLocale(value: string | undefined): Locale {
  return value === 'zh_CN' ? 'zh-CN' : FALLBACK_LOCALE
}

/** The sign-in page: the root path plus /login, with a language prefix unless the language is en-US. */
export function loginPath(locale: Locale): '/login' | '/zh-CN/login' {
  return locale === 'zh-CN' ? '/zh-CN/login' : '/login'
}
