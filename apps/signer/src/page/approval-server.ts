import { networkOf } from '@holdfast/ports/address-ranges'
import type { HttpLimits, Ports, RequestHead } from '@holdfast/ports'
import { createTokenBuckets } from '@holdfast/ports/token-buckets'
import { known } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { PAGE_FILES, type PageAnswer, type PageFile, pageAnswers, SCRIPT_HEADERS } from '../../page/page-headers.ts'
import type { ApiAnswer } from './approval-api.ts'
import { type Config, ConfigError } from '../config.ts'

/** The approval page as it is served: its files by their paths, and the hash that speaks for all (the HTML names those of the others). */
export type ApprovalPage = { answers: ReadonlyMap<string, PageAnswer>; hash: Uint8Array }

type Origin = NonNullable<Config['approval']>

/** An approval of the largest order with a policy in it, in hexadecimal; no call of the page needs more. */
const BODY_BYTES_MAX = 64 << 10

/** The page is open to whoever reaches its port, beside the vault: all of them together take little of either. */
const LIMITS = {
  bodyBytesMax: BODY_BYTES_MAX,
  headWithinMs: 5_000,
  requestWithinMs: 10_000,
  exchangeWithinMs: 30_000,
  connectionsMax: 64,
  connectionsPerAddressMax: 16,
} as const

/** One page is a few files and a handful of calls; an office behind one address opens many. */
const PER_NETWORK = { burst: 300, perSecond: 20 } as const
/** Calls that wait for the server at one time, of everybody together. */
const CALLS_AT_ONCE_MAX = 16

/** Reads the built page. Throws ConfigError if it was not built, or if a file is not the one that its HTML names. */
export async function readApprovalPage(disk: Pick<Ports['disk'], 'read'>, folder: string): Promise<ApprovalPage> {
  const files = new Map<PageFile, Uint8Array>()
  for (const name of PAGE_FILES) {
    const bytes = await disk.read(`${folder}/${name}`)
    if (!bytes) throw new ConfigError([`${name} of the approval page is not in ${folder}: build it, or unset SIGNER_APPROVAL_ORIGIN`])
    files.set(name, bytes)
  }
  return { answers: readAnswers(files), hash: sha256(known(files.get('index.html'), 'the HTML of the approval page')) }
}

function readAnswers(files: ReadonlyMap<PageFile, Uint8Array>): ApprovalPage['answers'] {
  try {
    return pageAnswers(files)
  } catch (cause) {
    throw new ConfigError([cause instanceof Error ? cause.message : String(cause)])
  }
}

/**
 * Serves the page and its calls on the approval origin and on no other: a request that names another host is not answered
 * (so no other name that leads here can read anything), and a call must come from the page itself.
 */
export function serveApprovals(options: {
  ports: Pick<Ports, 'net' | 'clock'>
  origin: Origin
  page: ApprovalPage
  api: (method: string, body: unknown, language: string) => Promise<ApiAnswer>
  report: (cause: unknown) => void
}) {
  const { ports, origin, page, api, report } = options
  // The listening address itself is let in for tools on this machine, which cannot resolve the page's name; a page loaded
  // from there has another origin, and the origin is what approvals are checked for.
  const hosts = [new URL(origin.origin).host, `${origin.host}:${origin.port}`]
  const buckets = createTokenBuckets(ports.clock, PER_NETWORK)
  const admit = ({ method, url, headers, address }: RequestHead): Response | undefined => {
    const retryAfter = buckets.take(networkOf(address))
    if (retryAfter > 0) return refuse(429, `Too much is asked from this address. Try again in ${retryAfter} seconds.`)
    if (!hosts.includes(headers.get('host') ?? '')) return refuse(421, 'This is another host.')
    const file = method === 'GET' ? page.answers.get(url.pathname) : undefined
    if (file) return new Response(file.bytes, { headers: file.headers })
    if (method !== 'POST' || calledBy(url) === undefined) return refuse(404, 'There is nothing here.')
    if (headers.get('origin') !== origin.origin) return refuse(403, 'Only the approval page may call this.')
    return headers.get('content-type') === 'application/json' ? undefined : refuse(415, 'Send JSON.')
  }
  let underWay = 0
  const answer = async (request: Request): Promise<Response> => {
    const body = parseJson(await request.text())
    if (body === undefined) return refuse(400, 'This is not JSON.')
    if (underWay >= CALLS_AT_ONCE_MAX) return refuse(503, 'This signer is busy. Try again in a few seconds.')
    underWay++
    try {
      const language = request.headers.get('accept-language')?.startsWith('zh') ? 'zh_CN' : 'en_US'
      const { status, body: reply } = await api(calledBy(new URL(request.url)) ?? '', body, language)
      return json(status, reply)
    } catch (cause) {
      report(cause)
      return refuse(500, 'The signer could not do this: see its log.')
    } finally {
      underWay--
    }
  }
  const limits: HttpLimits = { ...LIMITS, trustedProxies: origin.trustedProxies, admit }
  return ports.net.serveHttp(origin.host, origin.port, answer, limits)
}

const calledBy = ({ pathname }: URL): string | undefined => /^\/api\/([a-z.]{1,64})$/.exec(pathname)?.[1]

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
