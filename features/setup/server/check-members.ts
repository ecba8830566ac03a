import { AppError, looksLikeName } from '@holdfast/contract'

/** Refuses names of founding members of whom one could be taken for another. Throws AppError `invalid_parameters`. */
export function checkMembers(names: readonly string[]): void {
  const alike = names.some((name, i) => names.slice(i + 1).some((other) => looksLikeName(name, other)))
  if (alike) throw new AppError('invalid_parameters', { details: { field: 'members', reason: 'two members have the same name, or names that look alike' } })
}
