import type { Refusal } from './define-errors.ts'
import { fillSentence } from './words/fill-sentence.ts'
import { type SystemErrorName, systemErrors } from './system-errors.ts'

type Details = Readonly<Record<string, unknown>>

/**
 * A refusal from the catalogue: one of the system's by its name, one of a feature's as the feature declares it. `details` fill the sentence and travel to the
 * caller as the envelope's `data`, so they must never hold anything the caller may not see; `cause` stays in the server's log.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly refusal: Refusal
  readonly details: Details

  constructor(refusal: SystemErrorName | Refusal, options: { cause?: unknown; details?: Details } = {}) {
    const found = typeof refusal === 'string' ? systemErrors[refusal] : refusal
    super(fillSentence(found.sentence.en_US, options.details), options.cause === undefined ? undefined : { cause: options.cause })
    this.refusal = found
    this.details = options.details ?? {}
  }

  get errorName(): string {
    return this.refusal.name
  }

  get code(): string {
    return this.refusal.code
  }

  get httpStatus(): number {
    return this.refusal.httpStatus
  }
}
