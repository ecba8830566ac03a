import { XSRF_COOKIE } from '@holdfast/contract'
import { isSessionToken } from './session-tokens.ts'

/**
 * `__Host-` makes the browser refuse the cookie unless it is Secure, has Path=/ and no Domain, so no sibling host can plant it.
 * On plain http the prefix still needs the Secure attribute; Chromium (checked with 156) and Firefox accept such cookies from
 * http://localhost because they count it as trustworthy, and from no other plain http name. Safari does not: it needs https.
 */
export const SESSION_COOKIE = '__Host-holdfast'

const ATTRIBUTES = 'Path=/; Secure; SameSite=Strict'

/** Outlives the session, and says that somebody signed in with this browser before. */
export const DEVICE_COOKIE = '__Host-holdfast-device'
const DEVICE_LIFETIME_S = 180 * 24 * 3600
const DEVICE_TOKEN = /^[A-Za-z0-9_-]{1,1000}$/

function cookiesOf(cookieHeader: string | undefined, name: string): string[] {
  const values: string[] = []
  for (const pair of (cookieHeader ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.push(pair.slice(equals + 1).trim())
  }
  return values
}

/** The session token of a `Cookie` header. A cookie that stands twice counts as absent: one of the two was planted. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  const values = cookiesOf(cookieHeader, SESSION_COOKIE)
  const [token] = values
  return values.length === 1 && isSessionToken(token) ? token : undefined
}

/** Whether a `Cookie` header names a session at all, even twice or malformed. */
export function hasSessionCookie(cookieHeader: string | undefined): boolean {
  return cookiesOf(cookieHeader, SESSION_COOKIE).length > 0
}

/** The `Set-Cookie` line of the session; scripts cannot read it. */
export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; HttpOnly`
}

/** What a `Cookie` header says of the browser; a cookie that stands twice counts as absent. */
export function deviceTokenOf(cookieHeader: string | undefined): string | undefined {
  const values = cookiesOf(cookieHeader, DEVICE_COOKIE)
  return values.length === 1 && DEVICE_TOKEN.test(values[0] ?? '') ? values[0] : undefined
}

/** The `Set-Cookie` line that lets the server recognise a browser; scripts cannot read it. */
export function deviceCookie(token: string): string {
  return `${DEVICE_COOKIE}=${token}; ${ATTRIBUTES}; HttpOnly; Max-Age=${DEVICE_LIFETIME_S}`
}

/** The `Set-Cookie` line of the XSRF token, which the page's own script reads and sends back as a header. */
export function xsrfCookie(xsrfToken: string): string {
  return `${XSRF_COOKIE}=${xsrfToken}; ${ATTRIBUTES}`
}

/** The `Set-Cookie` lines that remove both. */
export function clearedCookies(): string[] {
  return [`${SESSION_COOKIE}=; ${ATTRIBUTES}; HttpOnly; Max-Age=0`, `${XSRF_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`]
}
