import type { AppError } from '../app-error.ts'
import type { Language } from '../define-errors.ts'
import { fillSentence } from './fill-sentence.ts'
import { reasonIn } from './parameter-reasons.ts'

/** The sentence of a refusal in a language, with its details filled in. The table of Chinese reasons is the server's alone: a browser is told whole sentences. */
export function sentenceOf({ refusal, details }: Pick<AppError, 'refusal' | 'details'>, language: Language): string {
  return fillSentence(refusal.sentence[language], details, (name, detail) => (name === 'reason' ? reasonIn(language, detail) : detail))
}
