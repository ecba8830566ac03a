import type { Infer } from '@holdfast/encoding'
import { CALL_ERROR_KINDS, callErrorShape, type Signed } from '@holdfast/protocol'
import { withinBytes } from '@holdfast/units'

export type PeerErrorKind = (typeof CALL_ERROR_KINDS)[number]

const MESSAGE_BYTES_MAX = 1000

/**
 * How a call failed. `refused`: a decision, with the signer's signed statement and the check that failed. `fault`: what was
 * sent cannot be used. `cheat`: a peer failed a check of a protocol. `unavailable`: no answer, now; nothing is known of the effect.
 */
export class PeerError extends Error {
  override name = 'PeerError'
  readonly kind: PeerErrorKind
  readonly check: string
  readonly statement: Signed | null

  constructor(kind: PeerErrorKind, message: string, details: { check?: string; statement?: Signed | null; cause?: unknown } = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.check = details.check ?? ''
    this.statement = details.statement ?? null
  }
}

/** The error as it travels. */
export function describeError(error: PeerError): Infer<typeof callErrorShape> {
  return { kind: error.kind, check: error.check, message: clipText(error.message, MESSAGE_BYTES_MAX), statement: error.statement }
}

/** The error that travelled; an unknown kind is a fault of the peer. */
export function readError({ kind, check, message, statement }: Infer<typeof callErrorShape>): PeerError {
  const known = CALL_ERROR_KINDS.find((each) => each === kind)
  return known ? new PeerError(known, message, { check, statement }) : new PeerError('fault', `an answer of unknown kind ${kind}: ${message}`)
}

/** Well-formed text in NFC of at most `maxBytes` bytes of UTF-8: the beginning of `text`. */
export const clipText = (text: string, maxBytes: number): string => withinBytes(text.toWellFormed().normalize('NFC'), maxBytes)
