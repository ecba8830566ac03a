import { errorCatalogue, type ErrorName } from './error-catalogue.ts'
import type { Language } from './error-entry.ts'
import { sentenceOf } from './read-catalogue.ts'

/**
 * A refusal from the catalogue. `details` fill the sentence and travel to the caller as the envelope's `data`,
 * so they must never hold anything the caller may not see; `cause` stays in the server's log.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly errorName: ErrorName
  readonly code: string
  readonly httpStatus: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(errorName: ErrorName, options: { cause?: unknown; details?: Readonly<Record<string, unknown>> } = {}) {
    super(sentenceOf(errorName, 'en_US', options.details), options.cause === undefined ? undefined : { cause: options.cause })
    this.errorName = errorName
    this.code = errorCatalogue[errorName].code
    this.httpStatus = errorCatalogue[errorName].httpStatus
    this.details = options.details ?? {}
  }

  sentence(language: Language): string {
    return sentenceOf(this.errorName, language, this.details)
  }
}
