import { AppError } from '@holdfast/contract'

type Headers = Record<string, string | string[] | undefined>

/**
 * The console's origin in its one spelling. Throws if a session cookie could not work: it must be https,
 * or http on the own machine, without a path.
 */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.origin !== text) throw new Error(`the origin "${text}" must look like https://console.example, without a path or a slash at the end`)
  const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost') || url.hostname === '127.0.0.1'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new Error(`the origin "${text}" must be https: browsers keep no secure cookie on plain http except on localhost`)
  }
  return url.origin
}

/**
 * Refuses a call unless a page of our own origin made it (or a program that claims so).
 * - Host: a foreign name that was made to point here (DNS rebinding).
 * - Origin: browsers send it with every POST; if present, it must be ours.
 * - Sec-Fetch-Site and -Mode: a navigation, an image or a prefetch of another site, or an address typed by hand.
 * Throws AppError `request_refused`.
 */
export function checkOrigin(origin: string, method: string, headers: Headers): void {
  const refuse = (cause: string): never => {
    throw new AppError('request_refused', { cause: new Error(cause) })
  }
  // An origin is its scheme and its host.
  if (headers.host !== origin.slice(origin.indexOf('//') + 2)) refuse(`host ${String(headers.host)}`)
  if (headers.origin === undefined ? method !== 'GET' : headers.origin !== origin) refuse(`origin ${String(headers.origin)}`)
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') refuse(`sec-fetch-site ${String(site)}`)
  const mode = headers['sec-fetch-mode']
  if (mode === 'navigate' || mode === 'no-cors' || mode === 'websocket') refuse(`sec-fetch-mode ${mode}`)
}
