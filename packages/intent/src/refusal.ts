import { known } from '@holdfast/units'

/** English sentences by code. A word in braces is a place for a name, a number or an address. */
export type Sentences = Readonly<Record<string, string>>

type Places<Sentence extends string> = Sentence extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never

/** One of these refusals, with what fills the places of its sentence. */
export type RefusalOf<Known extends Sentences> = {
  [Code in keyof Known & string]: [Places<Known[Code]>] extends [never]
    ? { code: Code; given?: undefined }
    : { code: Code; given: Record<Places<Known[Code]>, string> }
}[keyof Known & string]

/** A refusal as it travels: by whatever code, with whatever was given. */
export type Refusal = { code: string; given?: Readonly<Record<string, string>> | undefined }

/**
 * Something is refused, by a code. The message is the English sentence, for logs and evidence; whoever shows it to a person says the code in the language they
 * read.
 */
export class CodedRefusal<Known extends Sentences> extends Error {
  readonly refusal: RefusalOf<Known>

  constructor(sentences: Known, refusal: RefusalOf<Known>, options?: ErrorOptions) {
    super(fillSentence(known<string>(sentences[refusal.code], `the sentence for ${refusal.code}`), refusal.given), options)
    this.refusal = refusal
  }
}

/** The sentence with every place filled. */
export function fillSentence(sentence: string, given: Readonly<Record<string, string>> = {}): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(given, name) ? (given[name] ?? place) : place))
}
