import { LoadingState } from '@holdfast/ui'
import { type ComponentType, lazy, Suspense } from 'react'
import { ChunkLoadError } from './chunk-failure.ts'

export type LazyPage = ComponentType & {
  /** Begins to fetch the page before it is shown. */
  preload(): void
}

/** A page that is fetched when it is first shown. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loading: Promise<{ default: ComponentType }> | undefined
  const fetchOnce = () =>
    (loading ??= load().then(
      (component) => ({ default: component }),
      (cause: unknown) => {
        throw new ChunkLoadError(cause)
      },
    ))
  const Page = lazy(fetchOnce)
  const Shown = () => (
    <Suspense fallback={<LoadingState rows={8} />}>
      <Page />
    </Suspense>
  )
  return Object.assign(Shown, { preload: () => void fetchOnce().catch(() => undefined) })
}
