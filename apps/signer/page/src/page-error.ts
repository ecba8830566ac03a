import { fillSentence, type Refusal } from '@holdfast/intent'
import type { RefusalCode } from './words/refusals.ts'
import type { Words } from './words/en-us.ts'

export type PageErrorCode = keyof Words['errors']

/**
 * Something to tell the person, in the language they read. `detail` is a name, an address, or a sentence in the language they read already; `refusal` is what
 * was refused by code.
 */
export class PageError extends Error {
  override name = 'PageError'
  readonly code: PageErrorCode
  readonly detail: string
  readonly refusal: Refusal | undefined
  constructor(code: PageErrorCode, detail = '', { refusal, ...options }: ErrorOptions & { refusal?: Refusal | undefined } = {}) {
    super(detail === '' ? code : `${code}: ${detail}`, options)
    this.code = code
    this.detail = detail
    this.refusal = refusal
  }
}

/** The sentence for an error, and for anything else that was thrown. */
export function sentenceOf(error: unknown, words: Words): string {
  if (!(error instanceof PageError)) return words.errors.unexpected
  const detail = (error.refusal && refusalIn(words, error.refusal)) ?? error.detail
  if (error.code === 'refused') return words.signerSays(detail)
  const sentence = words.errors[error.code]
  if (typeof sentence === 'function') return sentence(error.detail)
  return error.code === 'wouldNotCount' && detail !== '' ? words.because(sentence, detail) : sentence
}

/** A refusal in the reader's language; undefined if its code is none that this page knows. */
export function refusalIn({ refusals }: Words, { code, given }: Refusal): string | undefined {
  return Object.hasOwn(refusals, code) ? fillSentence(refusals[code as RefusalCode], given) : undefined
}
