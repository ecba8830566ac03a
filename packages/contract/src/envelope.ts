import * as z from 'zod'
import type { AppError } from './app-error.ts'
import type { Language } from './define-errors.ts'
import { labelOfParameter } from './words/parameter-labels.ts'
import { sentenceOf } from './words/sentence-of.ts'

export const SUCCESS_CODE = '0'

/** Every reply: `code` is the string "0" on success, else a code of the catalogue; `msg` is a sentence in the caller's language. */
export type Envelope<T = unknown> = { code: string; msg: string; data: T }

export const envelopeSchema = z.object({ code: z.string(), msg: z.string(), data: z.unknown() })

/** The envelope of a call that succeeded. */
export function successEnvelope<T>(data: T): Envelope<T> {
  return { code: SUCCESS_CODE, msg: 'success', data }
}

/** The envelope of a refusal, in the caller's language; its details are the data. The sentence is for people, who know a parameter by the label of its field. */
export function errorEnvelope(error: AppError, language: Language): Envelope {
  const data = Object.keys(error.details).length === 0 ? null : error.details
  const { field } = error.details
  const read = typeof field === 'string' ? { ...error.details, field: labelOfParameter(field, language) } : error.details
  return { code: error.code, msg: sentenceOf({ refusal: error.refusal, details: read }, language), data }
}
