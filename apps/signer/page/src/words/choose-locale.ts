import { type Locale, LOCALES } from '@holdfast/intent'
import { enUs, type Words } from './en-us.ts'
import { zhCn } from './zh-cn.ts'

export const WORDS: Record<Locale, Words> = { 'en-US': enUs, 'zh-CN': zhCn }

/** The name of each language in itself, for the switch. */
export const LOCALE_NAMES: Record<Locale, string> = { 'en-US': 'English', 'zh-CN': '中文' }

/** The language to begin with: the one chosen before, else the browser's first wish that we speak, else English. */
export function chooseLocale(remembered: string | null, wished: readonly string[]): Locale {
  const known = LOCALES.find((locale) => locale === remembered)
  if (known) return known
  for (const wish of wished) {
    if (/^zh\b/i.test(wish)) return 'zh-CN'
    if (/^en\b/i.test(wish)) return 'en-US'
  }
  return 'en-US'
}
