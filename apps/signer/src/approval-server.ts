import type { Ports } from '@holdfast/ports'
import { sha256 } from '@noble/hashes/sha2.js'
import { pageHeaders, SCRIPT_HEADERS } from '../page/page-headers.ts'
import type { ApiAnswer } from './approval-api.ts'
import { type Config, ConfigError } from './config.ts'

/** The approval page as it is served: two files, and the hash that speaks for both (the HTML names the script's). */
export type ApprovalPage = { html: Uint8Array; script: Uint8Array; hash: Uint8Array }

type Origin = NonNullable<Config['approval']>

/** An approval of the largest order with a policy in it, in hexadecimal; no call of the page needs more. */
const BODY_BYTES_MAX = 64 << 10

/** Reads the built page. Throws ConfigError where it was not built. */
export async function readApprovalPage(disk: Pick<Ports['disk'], 'read'>, folder: string): Promise<ApprovalPage> {
  const [html, script] = [await disk.read(`${folder}/index.html`), await disk.read(`${folder}/page.js`)]
  if (!html || !script) throw new ConfigError([`the approval page is not in ${folder}: build it, or unset SIGNER_APPROVAL_ORIGIN`])
  return { html, script, hash: sha256(html) }
}

/**
 * Serves the page and its calls on the approval origin and on no other: a request that names another host is not answered
 * (so no other name that leads here can read anything), and a call must come from the page itself.
 */
export function serveApprovals(options: {
  ports: Pick<Ports, 'net'>
  origin: Origin
  page: ApprovalPage
  api: (method: string, body: unknown) => Promise<ApiAnswer>
  report: (cause: unknown) => void
}) {
  const { ports, origin, page, api, report } = options
  // The listening address itself is let in for tools on this machine, which cannot resolve the page's name; a page loaded
  // from there has another origin, and the origin is what approvals are checked for.
  const hosts = [new URL(origin.origin).host, `${origin.host}:${origin.port}`]
  const htmlHeaders = pageHeaders(page.html)
  const answer = async (request: Request): Promise<Response> => {
    if (!hosts.includes(request.headers.get('host') ?? '')) return refuse(421, 'This is another host.')
    const { pathname } = new URL(request.url)
    if (request.method === 'GET' && pathname === '/') return new Response(page.html as Uint8Array<ArrayBuffer>, { headers: htmlHeaders })
    if (request.method === 'GET' && pathname === '/page.js') return new Response(page.script as Uint8Array<ArrayBuffer>, { headers: SCRIPT_HEADERS })
    const method = /^\/api\/([a-z.]{1,64})$/.exec(pathname)?.[1]
    if (method === undefined || request.method !== 'POST') return refuse(404, 'There is nothing here.')
    if (request.headers.get('origin') !== origin.origin) return refuse(403, 'Only the approval page may call this.')
    if (request.headers.get('content-type') !== 'application/json') return refuse(415, 'Send JSON.')
    const text = await request.text()
    if (text.length > BODY_BYTES_MAX) return refuse(413, 'This is too large.')
    const body = parseJson(text)
    if (body === undefined) return refuse(400, 'This is not JSON.')
    try {
      const { status, body: reply } = await api(method, body)
      return json(status, reply)
    } catch (cause) {
      report(cause)
      return refuse(500, 'The signer could not do this: see its log.')
    }
  }
  return ports.net.serveHttp(origin.host, origin.port, answer)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const refuse = (status: number, error: string): Response => json(status, { error })

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...SCRIPT_HEADERS, 'content-type': 'application/json', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" },
  })
}
