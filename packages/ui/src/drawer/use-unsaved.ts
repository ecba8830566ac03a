import { useContext, useEffect } from 'react'
import { DrawerPageContext } from './drawer-context.ts'

/** While something typed was not sent, the browser asks before the page is loaded anew or left, and a drawer page before it closes. */
export function useUnsaved(isUnsaved: boolean): void {
  const markUnsaved = useContext(DrawerPageContext)?.markUnsaved
  useEffect(() => {
    if (!isUnsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    markUnsaved?.(true)
    return () => {
      window.removeEventListener('beforeunload', ask)
      markUnsaved?.(false)
    }
  }, [isUnsaved, markUnsaved])
}
