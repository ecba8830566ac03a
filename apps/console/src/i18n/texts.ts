import type { Locale } from '@holdfast/ui'
import type { ResourceLanguage } from 'i18next'
import { namespaceOf } from './namespaces.ts'

/** The words of one part of the console, by namespace. */
export type Texts = ResourceLanguage

/** The sign-in page needs the words of `entry` only; `late` is what only some pages say, which wait for it; the rest comes with the first page behind the sign-in. */
export type TextPart = 'entry' | 'pages' | 'late'

/** The feature that everybody meets who is not signed in. */
const ENTRY_FEATURE = 'session'

/** Every file of words there is; the build makes one file of those of a language and a part (vite.config.ts). */
const files = import.meta.glob<Record<string, object>>(
  ['../../locales/*.json', '../../../../packages/ui/src/locales/*.json', '../../../../features/*/locales/{,pages/}*.json'],
  { import: 'default' },
)

/** Fetches the words of a part, in one language. */
export async function loadTexts(locale: Locale, part: TextPart): Promise<Texts> {
  const wanted = Object.entries(files)
    .filter(([path]) => path.endsWith(`/${locale}.json`))
    .map(([path, load]) => ({ feature: /\/features\/([^/]+)\//.exec(path)?.[1], load, isLate: path.includes('/locales/pages/') }))
    .filter(({ feature, isLate }) => part === (isLate ? 'late' : feature === undefined || feature === ENTRY_FEATURE ? 'entry' : 'pages'))
  const texts: Record<string, Record<string, object>> = {}
  const read = await Promise.all(wanted.map(async ({ feature, load }) => ({ namespace: namespaceOf(feature), words: await load() })))
  for (const { namespace, words } of read) texts[namespace] = { ...texts[namespace], ...words }
  return texts
}
