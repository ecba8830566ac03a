import { sha256 } from '@noble/hashes/sha2.js'

const EVERY_ANSWER = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The headers for `page.js`. */
export const SCRIPT_HEADERS: Record<string, string> = { 'content-type': 'text/javascript; charset=utf-8', ...EVERY_ANSWER }

/**
 * The headers every answer with the page's HTML must have. Nothing but the page's own script and its one style may run,
 * nothing but its own origin may be asked, and nobody may put it in a frame. The style's hash is read from the HTML.
 */
export function pageHeaders(html: Uint8Array): Record<string, string> {
  const style = /<style>([\s\S]*?)<\/style>/.exec(new TextDecoder().decode(html))?.[1]
  if (style === undefined) throw new Error('the approval page has no style: build it again')
  const styleHash = btoa(String.fromCharCode(...sha256(new TextEncoder().encode(style))))
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'sha256-${styleHash}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    ...EVERY_ANSWER,
  }
}
