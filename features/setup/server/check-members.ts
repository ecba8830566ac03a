import { AppError, looksLikeName } from '@holdfast/contract'

/** Throws AppError `name_taken` if two who found an organisation have one name, or names that are hard to tell apart: the document is read by names. */
export function checkMembers(names: readonly string[]): void {
  for (const [at, name] of names.entries()) {
    const earlier = names.slice(0, at).find((each) => looksLikeName(each, name))
    if (earlier !== undefined) throw new AppError('name_taken', { details: { name: earlier } })
  }
}
