import { type Locale, LOCALES } from '@holdfast/intent'
import { UsageError } from './command.ts'

/** The language asked for with `--lang`, else the one of the environment, else English. Throws UsageError for an unknown one. */
export function readLocale(given: string | undefined, env: Record<string, string | undefined>): Locale {
  if (given !== undefined) {
    const known = LOCALES.find((locale) => locale === given)
    if (!known) throw new UsageError(`--lang is one of ${LOCALES.join(', ')}, not ${given}`)
    return known
  }
  const wished = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^zh(_|-|\.|$)/i.test(wished) ? 'zh-CN' : 'en-US'
}
