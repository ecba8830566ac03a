import type { Words } from './words/en-us.ts'

export type PageErrorCode = keyof Words['errors']

/** Something to tell the person, in the language they read. `detail` is a name, an address, or a sentence of the signer. */
export class PageError extends Error {
  override name = 'PageError'
  readonly code: PageErrorCode
  readonly detail: string
  constructor(code: PageErrorCode, detail = '', options?: ErrorOptions) {
    super(detail === '' ? code : `${code}: ${detail}`, options)
    this.code = code
    this.detail = detail
  }
}

/** The sentence for an error, and for anything else that was thrown. */
export function sentenceOf(error: unknown, words: Words): string {
  if (!(error instanceof PageError)) return words.errors.unexpected
  if (error.code === 'refused') return words.signerSays(error.detail)
  const sentence = words.errors[error.code]
  if (typeof sentence === 'function') return sentence(error.detail)
  return error.code === 'wouldNotCount' && error.detail !== '' ? `${sentence} (${error.detail})` : sentence
}
