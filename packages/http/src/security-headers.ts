import { createHash } from 'node:crypto'

/** Where browsers report what a page's policy blocked. */
export const REPORTS_PATH = '/mpc/reports'

const policyWith = (scripts: string) =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Neither the console nor its libraries turn text into markup or code; anything that does is blocked.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${REPORTS_PATH}`,
    'report-to pages',
  ].join('; ')

const CONTENT_SECURITY_POLICY = policyWith("'self'")
const IMPORT_MAP = /<script type="importmap">([\s\S]*?)<\/script>/

/**
 * The policy of a page: its own scripts, and of inline scripts the import map alone, which browsers accept only inline. It names the hash of every
 * script.
 */
export function pagePolicy(html: Uint8Array): string {
  const map = IMPORT_MAP.exec(new TextDecoder().decode(html))?.[1]
  return map === undefined ? CONTENT_SECURITY_POLICY : policyWith(`'self' 'sha256-${createHash('sha256').update(map).digest('base64')}'`)
}

const CLOSED = [
  'accelerometer',
  'autoplay',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
  'xr-spatial-tracking',
]

// The console scans QR codes of addresses if a person allows it the camera.
const PERMISSIONS_POLICY = [...CLOSED.map((feature) => `${feature}=()`), 'camera=(self)'].join(', ')

/** The headers of every answer, errors and files included. */
export function securityHeaders(origin: string): Record<string, string> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS_POLICY,
    'referrer-policy': 'no-referrer',
    'reporting-endpoints': `pages="${REPORTS_PATH}"`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}
