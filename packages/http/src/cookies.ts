import { XSRF_COOKIE } from '@holdfast/contract'
import { isSessionToken } from './session-tokens.ts'

/**
 * `__Host-` makes the browser refuse the cookie unless it is Secure, has Path=/ and no Domain, so no sibling host can plant it.
 * On plain http the prefix needs the Secure attribute all the same; Chromium (checked with 156) and Firefox accept such cookies from
 * http://localhost because they count it as trustworthy, and from no other plain http name. Safari does not: there the server needs https.
 */
export const SESSION_COOKIE = '__Host-holdfast'

const ATTRIBUTES = 'Path=/; Secure; SameSite=Strict'

function sessionCookiesOf(cookieHeader: string | undefined): string[] {
  const values: string[] = []
  for (const pair of (cookieHeader ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === SESSION_COOKIE) values.push(pair.slice(equals + 1).trim())
  }
  return values
}

/** The session token of a `Cookie` header. Given twice it counts as absent: one of the two was planted. */
export function sessionTokenOf(cookieHeader: string | undefined): string | undefined {
  const values = sessionCookiesOf(cookieHeader)
  const [token] = values
  return values.length === 1 && isSessionToken(token) ? token : undefined
}

/** Whether a `Cookie` header names a session at all, be it twice or in the wrong form. */
export function hasSessionCookie(cookieHeader: string | undefined): boolean {
  return sessionCookiesOf(cookieHeader).length > 0
}

/** The `Set-Cookie` line of the session; scripts cannot read it. */
export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; HttpOnly`
}

/** The `Set-Cookie` line of the XSRF token, which the page's own script reads and sends back as a header. */
export function xsrfCookie(xsrfToken: string): string {
  return `${XSRF_COOKIE}=${xsrfToken}; ${ATTRIBUTES}`
}

/** The `Set-Cookie` lines that remove both. */
export function clearedCookies(): string[] {
  return [`${SESSION_COOKIE}=; ${ATTRIBUTES}; HttpOnly; Max-Age=0`, `${XSRF_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`]
}
