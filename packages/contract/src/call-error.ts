import type { Refusal } from './define-errors.ts'

/** A call that was answered with a code other than "0". `message` is the server's sentence, in the caller's language. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: string
  readonly data: unknown
  readonly httpStatus: number

  constructor(code: string, message: string, data: unknown, httpStatus: number) {
    super(message)
    this.code = code
    this.data = data
    this.httpStatus = httpStatus
  }

  /** Whether the call was refused with this one. */
  is(refusal: Pick<Refusal, 'code'>): boolean {
    return this.code === refusal.code
  }
}

/**
 * A call without a usable answer: no connection, the time was up, or something that is not an envelope.
 * Whether the server did the work is unknown; never treat it as "did not happen".
 */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly reason: 'network' | 'timeout' | 'unreadable'

  constructor(reason: 'network' | 'timeout' | 'unreadable', message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
