import { browserPorts } from '@holdfast/ports/browser'
import { FALLBACK_LOCALE, type Locale, writeLanguage } from '@holdfast/ui'
import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { DEFAULT_NAMESPACE, NAMESPACES } from './namespaces.ts'
import { loadTexts, type TextPart, type Texts } from './texts.ts'

const parts = new Set<TextPart>(['entry'])
const loaded = new Map<string, Promise<void>>()

function addTexts(translation: i18n, locale: Locale, texts: Texts): void {
  for (const [namespace, words] of Object.entries(texts)) translation.addResourceBundle(locale, namespace, words, true, true)
}

function loadPart(translation: i18n, locale: Locale, part: TextPart): Promise<void> {
  const key = `${locale} ${part}`
  const known = loaded.get(key)
  if (known) return known
  const loading = loadTexts(locale, part).then((texts) => addTexts(translation, locale, texts))
  loaded.set(key, loading)
  // A part that could not be fetched is fetched again the next time.
  loading.catch(() => loaded.delete(key))
  return loading
}

/** Starts the translation in a language, with the words of the sign-in page. */
export async function startTranslation(locale: Locale): Promise<i18n> {
  const translation = i18next.createInstance()
  await translation.use(initReactI18next).init({
    lng: locale,
    fallbackLng: FALLBACK_LOCALE,
    ns: NAMESPACES,
    defaultNS: DEFAULT_NAMESPACE,
    resources: {},
    initAsync: false,
    interpolation: { escapeValue: false },
    saveMissing: true,
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
  fetchFallback(translation)
  document.documentElement.lang = locale
  await loadPart(translation, locale, 'entry')
  return translation
}

/** A text that the present language lacks is shown in English. English is fetched then, and not before: both languages are complete. */
function fetchFallback(translation: i18n): void {
  translation.on('missingKey', (_languages, _namespace, key, shown) => {
    if (shown !== key || translation.language === FALLBACK_LOCALE) return
    for (const part of parts) void loadPart(translation, FALLBACK_LOCALE, part).catch(() => undefined)
  })
}

/** Fetches the words of the pages behind the sign-in page, or those that only some of them say, in the present language. */
export async function loadPageTexts(translation: i18n, part: Exclude<TextPart, 'entry'> = 'pages'): Promise<void> {
  parts.add(part)
  await loadPart(translation, translation.language as Locale, part)
}

/** Changes the language of everything on the screen, and keeps it in the cookie. */
export async function changeLanguage(translation: i18n, locale: Locale): Promise<void> {
  await Promise.all([...parts].map((part) => loadPart(translation, locale, part)))
  writeLanguage(document, locale, location.hostname, browserPorts.clock.nowMs())
  document.documentElement.lang = locale
  await translation.changeLanguage(locale)
}
