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
  /** The cause, for a request that did not come from the console page. */
  why?: string
  /** In a summary: how often more in the minute after the first line, for anybody and anything if there were too many to tell apart. */
  times?: number
}

const WINDOW_MS = 60_000
/** Per minute: lines that name who and what, and callers whose repetitions are counted one by one. */
const LINES_MAX = 200
const TEXT_MAX = 200

/** Refusals that decide nothing: a field is invalid. */
const NO_DECISION = new Set<string>(['invalid_parameters', 'body_too_large', 'unsupported_content'])

/**
 * Writes who was refused what, and why: without it nobody sees attempts to break in. The same refusal of the same caller is one line and, after a
 * minute, one more with the count; past 200 in a minute all others share one line, so nobody can flood the log. A line holds no body, no
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
    // The first digits tell sessions apart; the whole hash would name the session's row.
    ...(sessionId === undefined ? {} : { session: sessionId.slice(0, 8) }),
    request: requestId,
    // Only these causes are words of ours; others may contain what somebody typed.
    ...(error === 'request_refused' && cause instanceof Error ? { why: clip(cause.message) } : {}),
  }
}
