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

const script = { 'content-type': 'text/javascript; charset=utf-8', ...EVERY_ANSWER }
const picture = { 'content-type': 'image/png', ...EVERY_ANSWER }

/** The headers for the files beside the HTML. A worker that asks anybody for anything, or loads anything, is stopped by its browser. */
const FILE_HEADERS = {
  'page.js': script,
  'sw.js': { ...script, 'content-security-policy': "default-src 'none'" },
  'manifest.webmanifest': { 'content-type': 'application/manifest+json', ...EVERY_ANSWER },
  'icon-192.png': picture,
  'icon-512.png': picture,
} satisfies Record<string, Record<string, string>>

/** A file of the page. */
export type PageFile = 'index.html' | keyof typeof FILE_HEADERS
export const PAGE_FILES = ['index.html', ...Object.keys(FILE_HEADERS)] as PageFile[]

/** The headers for what is no page. */
export const SCRIPT_HEADERS: Record<string, string> = script

export type PageAnswer = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }

/** What is answered under each path. Throws if a file is missing or is not the one that the HTML names. */
export function pageAnswers(files: ReadonlyMap<PageFile, Uint8Array>): Map<string, PageAnswer> {
  const bytesOf = (name: PageFile): Uint8Array<ArrayBuffer> => {
    const bytes = files.get(name)
    if (!bytes) throw new Error(`${name} of the approval page is missing: build it again`)
    return bytes as Uint8Array<ArrayBuffer>
  }
  const html = bytesOf('index.html')
  const text = new TextDecoder().decode(html)
  const answers = new Map<string, PageAnswer>([['/', { bytes: html, headers: pageHeaders(html) }]])
  for (const [name, headers] of Object.entries(FILE_HEADERS)) {
    const bytes = bytesOf(name as PageFile)
    if (!text.includes(integrityOf(bytes))) throw new Error(`${name} is not the file that the approval page names: build it again`)
    answers.set(`/${name}`, { bytes, headers })
  }
  return answers
}

/** How the HTML names a file. */
export const integrityOf = (bytes: Uint8Array): string => `sha256-${base64(sha256(bytes))}`

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/**
 * The headers every answer with the page's HTML must have. Nothing but the page's own script and its one style may run,
 * nothing but its own origin may be asked, and nobody may put it in a frame. The style's hash is read from the HTML.
 */
function pageHeaders(html: Uint8Array): Record<string, string> {
  const style = /<style>([\s\S]*?)<\/style>/.exec(new TextDecoder().decode(html))?.[1]
  if (style === undefined) throw new Error('the approval page has no style: build it again')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src '${integrityOf(new TextEncoder().encode(style))}'`,
      "img-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types holdfast-worker',
    ].join('; '),
    ...EVERY_ANSWER,
  }
}
