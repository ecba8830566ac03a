import { type CookieLanguage, type Locale, toCookieLanguage, toLocale } from './locale.ts'

export const LANGUAGE_COOKIE = 'lan'
const EXPIRES_AFTER_DAYS = 36_500
const DAY_MS = 86_400_000

/** `document.cookie`, as far as it matters here. */
export type CookieText = { cookie: string }

/**
 * The domain of the language cookie: the parent domain of the host, so that sibling hosts share it; the host itself on
 * localhost, on an IP address and where the parent would be a whole top-level domain, which browsers refuse.
 */
export function cookieDomain(host: string): string {
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':')
  const labels = host.split('.')
  if (isLocal || isAddress || labels.length <= 2) return host
  return labels.slice(1).join('.')
}

/** The text that sets the language cookie, for 36500 days (browsers shorten it) and the path `/`. */
export function languageCookie(language: CookieLanguage, host: string, nowMs: number, { isHostOnly = false } = {}): string {
  const expires = new Date(nowMs + EXPIRES_AFTER_DAYS * DAY_MS).toUTCString()
  const domain = isHostOnly ? '' : ` domain=${cookieDomain(host)};`
  return `${LANGUAGE_COOKIE}=${language}; expires=${expires}; path=/;${domain} samesite=lax`
}

function valueOf(text: string): string | undefined {
  return new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([^;]*)`).exec(text)?.[1]
}

/** The language the cookie holds. Where it holds neither of the two it is written as en_US, and en-US is used. */
export function readLanguage(page: CookieText, host: string, nowMs: number): Locale {
  const value = valueOf(page.cookie)
  if (value === 'en_US' || value === 'zh_CN') return toLocale(value)
  writeLanguage(page, 'en-US', host, nowMs)
  return 'en-US'
}

/**
 * Keeps a language in the cookie. Where the parent domain is one that anybody can have a name under (`co.uk`), browsers
 * refuse the cookie without a word; it is then kept for the host alone.
 */
export function writeLanguage(page: CookieText, locale: Locale, host: string, nowMs: number): void {
  const language = toCookieLanguage(locale)
  page.cookie = languageCookie(language, host, nowMs)
  if (valueOf(page.cookie) !== language) page.cookie = languageCookie(language, host, nowMs, { isHostOnly: true })
}
