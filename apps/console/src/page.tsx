import { type LazyPart, lazyPart, LoadingState } from '@holdfast/ui'
import type { ComponentType } from 'react'
import { chunkFailed } from './chunk-failure.ts'

export type LazyPage = LazyPart<object>

/** A page that is fetched when it is first shown. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  return lazyPart(() => load().catch(chunkFailed), <LoadingState rows={8} />)
}
