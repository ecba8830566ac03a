import type { Clock } from '@holdfast/ports'
import { networkOf } from '@holdfast/ports/address-ranges'
import { createTokenBuckets } from '@holdfast/ports/token-buckets'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingCall } from './answer-call.ts'
import { REPORTS_PATH } from './security-headers.ts'

/** One line: something that a page's policy blocked in somebody's browser, as that browser says. Anybody can send one: it is a hint. */
export type ViolationLine = {
  at: string
  event: 'page_violation'
  /** The part of the policy, such as `script-src-elem`. */
  directive: string
  /** What was blocked, and in which page and script: origins and paths, without queries. */
  blocked: string
  page: string
  source: string
  ip: string
  request: string
}

const BODY_BYTES_MAX = 16_384
const REPORTS_MAX = 5
const TEXT_MAX = 200
const EACH_NETWORK = { burst: 10, perSecond: 0.1 }
const ALL = { burst: 60, perSecond: 1 }

/**
 * Takes the reports of browsers about a page: by the older way one at a time, by the newer one several together. It answers 204 to anything,
 * and writes a line for each report until its network, or all of them together, have reached their limit.
 */
export function serveReports(
  app: FastifyInstance,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
  read: (request: FastifyRequest) => IncomingCall,
  write: (line: ViolationLine) => void,
): void {
  const network = createTokenBuckets(clock, EACH_NETWORK)
  const all = createTokenBuckets(clock, ALL)
  // In a scope of its own: no other path may accept these content types.
  void app.register(async (room) => {
    room.addContentTypeParser(['application/csp-report', 'application/reports+json'], { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    room.post(REPORTS_PATH, { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
      const { ip, requestId } = read(request)
      const from = networkOf(ip)
      for (const report of reportsIn(request.body)) {
        if (network.take(from) > 0 || all.take('') > 0) break
        write({ at: new Date(clock.nowMs()).toISOString(), event: 'page_violation', ...report, ip, request: requestId })
      }
      return reply.code(204).header('cache-control', 'no-store').send()
    })
  })
}

type Report = Pick<ViolationLine, 'directive' | 'blocked' | 'page' | 'source'>

/** The reports in a body; none if no browser would send it. */
function reportsIn(body: unknown): Report[] {
  if (typeof body !== 'string') return []
  try {
    const parsed: unknown = JSON.parse(body)
    const found = Array.isArray(parsed)
      ? parsed
          .slice(0, REPORTS_MAX)
          .filter(isOfPolicy)
          .map((each) => field(each, 'body'))
      : [field(parsed, 'csp-report')]
    return found.filter((each) => typeof each === 'object' && each !== null).map(reportOf)
  } catch {
    return []
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined

/** Browsers send other reports the same way, such as on deprecations and interventions. */
const isOfPolicy = (value: unknown): boolean => field(value, 'type') === 'csp-violation'

function reportOf(report: unknown): Report {
  const text = (...names: string[]) => {
    const value = names.map((name) => field(report, name)).find((each) => typeof each === 'string')
    return typeof value === 'string' ? value : ''
  }
  return {
    directive: text('effectiveDirective', 'effective-directive', 'violated-directive').slice(0, TEXT_MAX),
    blocked: place(text('blockedURL', 'blocked-uri')),
    page: place(text('documentURL', 'document-uri')),
    source: place(text('sourceFile', 'source-file')),
  }
}

/** An address without what follows its path: a query can hold secrets. */
const place = (text: string): string => text.replace(/[?#].*/s, '').slice(0, TEXT_MAX)
