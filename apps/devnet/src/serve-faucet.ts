import type { Ports } from '@holdfast/ports'
import { inventPrices } from './invent-prices.ts'
import { serveHere } from './local-port.ts'
import { type Faucet, FaucetError, type FaucetErrorCode } from './open-faucet.ts'
import type { FaucetPage } from './load-page.ts'

export type FaucetInfo = () => Promise<Record<string, unknown>>

const BODY_MAX_CHARACTERS = 4096
const STATUS: Record<FaucetErrorCode, number> = {
  bad_request: 400,
  bad_address: 400,
  bad_asset: 400,
  bad_amount: 400,
  over_limit: 400,
  busy: 429,
  refused: 502,
  not_included: 504,
}
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
}

/** Serves the page at `/`, the network's facts at `/api/info`, payments at `/api/fund`, the switch of mining at `/api/mining` and invented prices at `/api/prices`. */
export async function serveFaucet({ net, clock }: Pick<Ports, 'net' | 'clock'>, port: number, page: FaucetPage, faucet: Faucet, info: FaucetInfo) {
  const pageHeaders = { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': page.policy }
  const routes: Record<string, { method: string; answer: (request: Request) => Promise<Response> }> = {
    '/': { method: 'GET', answer: async () => new Response(page.html, { headers: pageHeaders }) },
    '/api/info': { method: 'GET', answer: async () => json(200, await info()) },
    '/api/prices': {
      method: 'GET',
      answer: async (request) => json(200, inventPrices(faucet.priced, clock.nowMs(), Number(new URL(request.url).searchParams.get('since') ?? Number.NaN))),
    },
    '/api/mining': { method: 'POST', answer: async (request) => json(200, faucet.pause(await bodyOf(request))) },
    '/api/fund': { method: 'POST', answer: async (request) => json(200, await faucet.fund(await bodyOf(request))) },
  }
  const handle = async (request: Request): Promise<Response> => {
    const route = routes[new URL(request.url).pathname]
    if (!route) return failure(404, 'not_found', `there is ${Object.keys(routes).join(', ')}`)
    if (request.method !== route.method) return failure(405, 'bad_method', `use ${route.method}`, { allow: route.method })
    try {
      return await route.answer(request)
    } catch (cause) {
      if (cause instanceof FaucetError) return failure(STATUS[cause.code], cause.code, cause.message)
      return failure(502, 'refused', 'the local network does not answer')
    }
  }
  return serveHere(net, port, 'DEVNET_FAUCET_PORT', handle)
}

async function bodyOf(request: Request): Promise<unknown> {
  // A page of another origin can post a form unasked, but not this type: the browser would ask us first and we do not agree.
  const type = request.headers.get('content-type')?.split(';')[0]?.trim()
  if (type !== 'application/json') throw new FaucetError('bad_request', 'send content-type: application/json')
  const text = await request.text()
  if (text.length > BODY_MAX_CHARACTERS) throw new FaucetError('bad_request', 'the request is too long')
  try {
    return JSON.parse(text)
  } catch {
    throw new FaucetError('bad_request', 'the request is not JSON')
  }
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { ...SAFE_HEADERS, ...headers } })
}

function failure(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return json(status, { error: { code, message } }, headers)
}
