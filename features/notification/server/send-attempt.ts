import { type OutgoingAnswer, SendError } from '@holdfast/ports'
import { isTaken } from '@holdfast/open-wire'
import { at } from '@holdfast/units'
import { type Attempt, LEASE_MS, type SendingNeeds } from './claim-deliveries.ts'
import type { Written } from './manner.ts'
import { type LocalHosts, NO_ADDRESS, NOT_PUBLIC, readEndpoint, EndpointRefused, resolveEndpoint } from './endpoint-address.ts'

/** An endpoint has this long, from the question to the DNS to the end of its answer. */
export const TIMEOUT_MS = 10_000
/** Of an answer, this much is read and kept. */
export const ANSWER_BYTES_MAX = 4096

export const FAILURES = [
  'url',
  'dns',
  'private_address',
  'timeout',
  'refused',
  'tls',
  'lost',
  'redirect',
  'http_status',
  'answered_failure',
  'not_success',
  'interrupted',
] as const
export type Failure = (typeof FAILURES)[number]

export type Outcome = {
  /** Absent if the endpoint has the notification. */
  failure: Failure | null
  httpCode: number | null
  answer: string | null
  isCut: boolean
  address: string | null
  durationMs: number
}

/**
 * Makes one try. The endpoint's name is resolved anew, each of its addresses is checked, and the connection goes to exactly one of
 * those. Received means an answer from 200 to 299 that does not say FAILURE, or that says SUCCESS where that is wanted. Never throws.
 */
export async function sendAttempt(needs: SendingNeeds, localHosts: LocalHosts, attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
  const { ports } = needs
  const { url, raw, headers, wants } = attempt.written
  const startedMs = ports.clock.monotonicMs()
  const end = (failure: Failure | null, known: Partial<Outcome> = {}): Outcome => ({
    failure,
    httpCode: null,
    answer: null,
    isCut: false,
    address: null,
    ...known,
    durationMs: Math.round(ports.clock.monotonicMs() - startedMs),
  })
  // A program that slept longer than its lease must not send: by now somebody else may have, and gone on.
  if (startedMs - attempt.claimedAtMs > LEASE_MS - TIMEOUT_MS - 1_000) return end('interrupted')
  let address: string | null = null
  try {
    const endpoint = readEndpoint(url, localHosts)
    const addresses = await inTime(needs, TIMEOUT_MS, signal, resolveEndpoint(ports, endpoint))
    // Another of the endpoint's addresses at every try.
    address = at(addresses, (attempt.number - 1) % addresses.length)
    const answer = await ports.net.send({
      url,
      address,
      method: 'POST',
      headers,
      body: new TextEncoder().encode(raw),
      timeoutMs: Math.max(1, TIMEOUT_MS - (ports.clock.monotonicMs() - startedMs)),
      answerBytesMax: ANSWER_BYTES_MAX,
      signal,
    })
    return end(failureOf(answer, wants), { httpCode: answer.status, answer: inertText(answer.body), isCut: answer.isCut, address })
  } catch (cause) {
    if (cause instanceof EndpointRefused) return end(REFUSALS[cause.message] ?? 'url')
    if (cause instanceof SendError) return end(cause.reason === 'aborted' ? 'interrupted' : cause.reason, { address })
    return end('lost', { address })
  }
}

const REFUSALS: Readonly<Record<string, Failure>> = { [NO_ADDRESS]: 'dns', [NOT_PUBLIC]: 'private_address' }

async function inTime<T>({ ports }: SendingNeeds, ms: number, signal: AbortSignal, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = ports.timer.sleep(ms, AbortSignal.any([signal, done.signal])).then(
    () => {
      throw new SendError('timeout', `the DNS did not answer within ${ms} ms`)
    },
    () => {
      throw new SendError('aborted', 'the request was given up')
    },
  )
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}

function failureOf({ status, body }: OutgoingAnswer, wants: Written['wants']): Failure | null {
  if (status >= 300 && status < 400) return 'redirect'
  if (status < 200 || status > 299) return 'http_status'
  // Endpoints of interfaces of this kind answer SUCCESS or FAILURE in words; the word counts more than the number.
  const word = new TextDecoder().decode(body)
  if (word.trim() === 'FAILURE') return 'answered_failure'
  return wants === 'SUCCESS' && !isTaken(word) ? 'not_success' : null
}

/** Text as the database can keep it: replaced where it is no UTF-8, and without NUL. */
function inertText(body: Uint8Array): string {
  return new TextDecoder().decode(body).replaceAll('\0', '\ufffd')
}
