import { type Ports, SendError } from '@holdfast/ports'
import type { Callback } from '../read-config.ts'
import type { CoSignerKey } from '../state/sealed-key.ts'
import { type CallbackEvent, fieldBody, readFieldAnswer } from './field-form.ts'
import { readSignedAnswer, signedRequest } from './signed-form.ts'

/** Yes; no, which ends the order; or no answer, which says nothing and is asked for again. */
export type CallbackAnswer = { kind: 'yes' } | { kind: 'no'; reason: string } | { kind: 'none'; reason: string }

export type Http = Pick<Ports, 'net' | 'clock'>

const ANSWER_BYTES_MAX = 65_536
/** What stands before a callback says these when the callback itself is not there. */
const NOT_THERE = [502, 503, 504]

/**
 * Asks the customer's callback about an event. Its address is looked up each time and no redirect is followed. What does not come in time, or not from it, is
 * no answer and never a yes. The same event again has the same id, so that the callback can answer what it answered before.
 */
export async function askCallback(ports: Http, callback: Callback, event: CallbackEvent, key: CoSignerKey): Promise<CallbackAnswer> {
  const { form, url, timeoutMs } = callback
  const signed = form === 'signed' ? signedRequest(event, key, ports.clock.nowMs()) : undefined
  const body = signed?.body ?? new TextEncoder().encode(JSON.stringify(fieldBody(event)))
  try {
    const [address] = await ports.net.resolve(hostOf(url))
    if (address === undefined) return { kind: 'none', reason: `${url} has no address` }
    const headers = { 'Content-Type': 'application/json', ...signed?.headers }
    const answer = await ports.net.send({ url, address, method: 'POST', headers, body, timeoutMs, answerBytesMax: ANSWER_BYTES_MAX })
    if (NOT_THERE.includes(answer.status)) return { kind: 'none', reason: `the callback is not there (${answer.status})` }
    if (answer.isCut) return { kind: 'no', reason: 'the callback answered too much' }
    if (signed && callback.form === 'signed') return readSignedAnswer(answer, signed, callback.key)
    return readFieldAnswer(answer)
  } catch (cause) {
    if (cause instanceof SendError) return { kind: 'none', reason: `the callback does not answer: ${cause.message}` }
    return { kind: 'none', reason: `the callback cannot be asked: ${(cause as Error).message}` }
  }
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
