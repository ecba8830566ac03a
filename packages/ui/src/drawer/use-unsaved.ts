import { useContext, useEffect } from 'react'
import { DrawerContext, DrawerPageContext } from './drawer-context.ts'
import { PAGE_BEHIND } from './drawer-stack.ts'

/**
 * While something typed was not sent, people are asked before it is lost: by the browser before the page is loaded anew, else before the page or the drawer
 * page is left.
 */
export function useUnsaved(isUnsaved: boolean): void {
  const drawers = useContext(DrawerContext)
  const markUnsaved = useContext(DrawerPageContext)?.markUnsaved
  useEffect(() => {
    if (!isUnsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const mark = (next: boolean) => (markUnsaved ? markUnsaved(next) : drawers?.markUnsaved(PAGE_BEHIND, next))
    window.addEventListener('beforeunload', ask)
    mark(true)
    return () => {
      window.removeEventListener('beforeunload', ask)
      mark(false)
    }
  }, [isUnsaved, markUnsaved, drawers])
}
