import type { ComponentType } from 'react'
import { lazyPart } from '../base/lazy-part.ts'
import { LoadingState } from '../feedback/states.tsx'
import { DrawerBody } from './drawer-parts.tsx'

/** A drawer page's content that is fetched when it is first opened. */
export function lazyDrawerBody<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazyPart(
    load,
    <DrawerBody>
      <LoadingState rows={8} />
    </DrawerBody>,
  )
}
