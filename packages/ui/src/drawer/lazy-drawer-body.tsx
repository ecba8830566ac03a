import { type ComponentType, lazy, Suspense } from 'react'
import { LoadingState } from '../components/states.tsx'
import { DrawerBody } from './drawer-parts.tsx'

/** A drawer page's content that is fetched when it is first opened. */
export function lazyDrawerBody<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Content = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
  return function LazyDrawerBody(props: Props) {
    return (
      <Suspense
        fallback={
          <DrawerBody>
            <LoadingState rows={8} />
          </DrawerBody>
        }
      >
        <Content {...props} />
      </Suspense>
    )
  }
}
