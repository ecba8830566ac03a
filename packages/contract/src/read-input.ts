import type * as z from 'zod'
import { AppError } from './app-error.ts'
import type { Endpoint, InputOf } from './define-endpoint.ts'

type Issue = z.core.$ZodIssue

/** Why a field was refused, as the end of the sentence 'Check "field": ...'. Our own messages start in lower case; zod's do not. */
function reasonOf(issue: Issue, isMissing: boolean): string {
  if (isMissing) return 'it is required'
  if (issue.code === 'too_big' && issue.origin === 'file') return `the file must have at most ${issue.maximum} bytes`
  if (issue.code === 'too_small' && issue.origin === 'file') return 'the file is empty'
  const isOurs = /^[a-z]/.test(issue.message)
  if (isOurs) return issue.message
  const unit = 'origin' in issue && issue.origin === 'array' ? ' entries' : ' characters'
  const isNumber = 'origin' in issue && (issue.origin === 'number' || issue.origin === 'int')
  switch (issue.code) {
    case 'too_small':
      return isNumber ? `it must be at least ${issue.minimum}` : `it must have at least ${issue.minimum}${unit}`
    case 'too_big':
      return isNumber ? `it must be at most ${issue.maximum}` : `it must have at most ${issue.maximum}${unit}`
    case 'invalid_value':
      return `it must be one of: ${issue.values.map(String).join(', ')}`
    default:
      return 'it is not in the expected form'
  }
}

/** The typed input of an endpoint from the fields of a form. Throws AppError `invalid_parameters` with the first field that is wrong and why. */
export function readInput<E extends Endpoint>(endpoint: E, fields: Readonly<Record<string, unknown>>): InputOf<E> {
  const read = endpoint.input.safeParse(fields)
  if (read.success) return read.data as InputOf<E>
  const issue = read.error.issues[0]
  const path = (issue?.path ?? []).map(String)
  const field = path.join('.') || 'form'
  const isMissing = path.length === 1 && path[0] !== undefined && !Object.hasOwn(fields, path[0])
  throw new AppError('invalid_parameters', { details: { field, reason: issue ? reasonOf(issue, isMissing) : 'it is not in the expected form' } })
}
