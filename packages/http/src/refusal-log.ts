import type { Ports } from '@holdfast/ports'
import { networkOf } from '@holdfast/ports/address-ranges'
import type { RequestLog, RequestLogEntry } from './request-log.ts'

/** One line: a decision that was refused, or how often the same was refused again. */
export type RefusalLine = {
  at: string
  event: 'refused'
  /** The name of the refusal in the catalogue, and its code. */
  error: string
  code: string
  method: string
  path: string
  ip: string
  organisation?: string
  person?: string
  session?: string
  request: string
  /** What stands behind a request that did not come from the console page. */
  why?: string
  /** Of a summary: how often more in the minute after the first line, whoever and whatever where there were too many to tell apart. */
  times?: number
}

const WINDOW_MS = 60_000
/** In a minute: lines that tell who and what, and callers whose repetitions are counted one by one. */
const LINES_MAX = 200
const TEXT_MAX = 200

/** Refusals that decide nothing: a field that is not as it must be. */
const NO_DECISION = new Set<string>(['invalid_parameters', 'body_too_large', 'unsupported_content'])

/**
 * Writes who was refused what, and why: without an entry nobody sees that somebody tries doors. The same refusal of the same caller is one line and, after a
 * minute, one more that says how often; past 200 in a minute all others are one line together, so nobody can flood the log. A line holds no body, no
 * query, no cookie.
 */
export function createRefusalLog(ports: Pick<Ports, 'timer'>, write: (line: RefusalLine) => void): { log: RequestLog; close(): void } {
  let repeated = new Map<string, { line: RefusalLine; times: number }>()
  let others: { line: RefusalLine; times: number } | undefined
  let cancel: (() => void) | undefined

  const summarise = () => {
    cancel?.()
    cancel = undefined
    const ended = [...repeated.values(), ...(others ? [others] : [])]
    repeated = new Map()
    others = undefined
    for (const { line, times } of ended) if (times > 0) write({ ...line, times })
  }

  const log: RequestLog = (entry) => {
    const error = entry.errorName
    if (error === undefined || entry.httpStatus >= 500 || NO_DECISION.has(error)) return
    cancel ??= ports.timer.after(WINDOW_MS, summarise)
    const line = lineOf(entry, error)
    const key = [error, entry.method, entry.path, entry.personId ?? networkOf(entry.ip)].join(' ')
    const before = repeated.get(key)
    if (before) before.times++
    else if (repeated.size < LINES_MAX) {
      repeated.set(key, { line, times: 0 })
      write(line)
    } else if (others) others.times++
    else others = { line: { at: line.at, event: 'refused', error: 'various', code: '', method: '', path: '', ip: '', request: '' }, times: 1 }
  }
  return { log, close: summarise }
}

const clip = (text: string): string => text.slice(0, TEXT_MAX)

function lineOf(entry: RequestLogEntry, error: string): RefusalLine {
  const { atMs, code, method, path, ip, requestId, orgId, personId, sessionId, cause } = entry
  return {
    at: new Date(atMs).toISOString(),
    event: 'refused',
    error,
    code,
    method: clip(method),
    path: clip(path),
    ip: clip(ip),
    ...(orgId === undefined ? {} : { organisation: orgId }),
    ...(personId === undefined ? {} : { person: personId }),
    // The first digits tell sessions apart; the whole would name the row that is the session.
    ...(sessionId === undefined ? {} : { session: sessionId.slice(0, 8) }),
    request: requestId,
    // Only these causes are words of ours; behind others may stand what somebody typed.
    ...(error === 'request_refused' && cause instanceof Error ? { why: clip(cause.message) } : {}),
  }
}
