import { errorCatalogue, type ErrorName } from './error-catalogue.ts'
import type { Language, Reaction } from './error-entry.ts'
import { reasonIn } from './parameter-reasons.ts'

const nameOfCode = new Map<string, ErrorName>(Object.entries(errorCatalogue).map(([name, each]) => [each.code, name as ErrorName]))

/** The catalogue's name of a code, or undefined where the code is not ours. */
export function errorNameOf(code: string): ErrorName | undefined {
  return nameOfCode.get(code)
}

/** What the console does with a code; an unknown code is shown. */
export function reactionTo(code: string): Reaction {
  const name = nameOfCode.get(code)
  return name ? errorCatalogue[name].reaction : 'toast'
}

/** The sentence of an error in a language, with its details filled in. A detail that is missing reads as "-". */
export function sentenceOf(name: ErrorName, language: Language, details: Readonly<Record<string, unknown>> = {}): string {
  return errorCatalogue[name].sentence[language].replace(/\{(\w+)\}/g, (_, word: string) => {
    const detail = Object.hasOwn(details, word) ? details[word] : undefined
    if (typeof detail === 'string') return word === 'reason' ? reasonIn(language, detail) : detail
    return typeof detail === 'number' ? String(detail) : '-'
  })
}
