import { type LazyPart, lazyPart, LoadingState } from '@holdfast/ui'
import type { ComponentType } from 'react'
import { getI18n } from 'react-i18next'
import { chunkFailed } from './chunk-failure.ts'
import { loadPageTexts } from './i18n/start-translation.ts'

export type LazyPage = LazyPart<object>

/** A page that is fetched when it is first shown, with the words that only such pages say where it has any. */
export function lazyPage(load: () => Promise<ComponentType>, hasLateWords = false): LazyPage {
  const fetchAll = async () => {
    const [page] = await Promise.all([load(), hasLateWords ? loadPageTexts(getI18n(), 'late') : undefined])
    return page
  }
  return lazyPart(() => fetchAll().catch(chunkFailed), <LoadingState rows={8} />)
}
