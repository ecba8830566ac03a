import { createContext, type ReactNode, useContext, useEffect } from 'react'
import type { DrawerStack } from './drawer-stack.ts'

/** What a page of the side drawer shows. */
export type DrawerContent = { title: string; body: ReactNode }
export type Drawers = DrawerStack<DrawerContent>

export const DrawerContext = createContext<Drawers | undefined>(undefined)

/** The side drawer of the console. */
export function useDrawers(): Drawers {
  const drawers = useContext(DrawerContext)
  if (!drawers) throw new Error('the page is outside the DrawerContext')
  return drawers
}

export type DrawerPageHandle = {
  close(result?: unknown): void
  /** Calls the page otherwise than it was opened as. */
  entitle(title: string): void
  /** Whether something typed on the page was not sent. */
  markUnsaved(isUnsaved: boolean): void
}

export const DrawerPageContext = createContext<DrawerPageHandle | undefined>(undefined)

/** The drawer page a component stands in. `close` resolves the promise of its `push`. */
export function useDrawerPage(): DrawerPageHandle {
  const page = useContext(DrawerPageContext)
  if (!page) throw new Error('this is no drawer page')
  return page
}

/** Calls the drawer page by what it turned out to show, once that is known. */
export function useDrawerTitle(title: string | undefined): void {
  const { entitle } = useDrawerPage()
  useEffect(() => {
    if (title !== undefined) entitle(title)
  }, [entitle, title])
}
