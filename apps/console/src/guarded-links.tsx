import { askToDiscard, useDrawers } from '@holdfast/ui'
import { type ReactNode, useContext, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Navigator, type To, UNSAFE_NavigationContext as NavigationContext } from 'react-router'

/**
 * Asks before a link, a shortcut or the command palette leaves a page where something typed there, or in a drawer over it, was not sent; the browser's own
 * buttons are asked about by `useGuardedBack`. The router has a question of its own only where it also loads the data of pages, which here the pages do.
 */
export function GuardedLinks({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext)
  const drawers = useDrawers()
  const { t } = useTranslation()
  const guarded = useMemo(() => {
    const { navigator } = context
    const asking =
      (go: Navigator['push']): Navigator['push'] =>
      (to, ...rest) => {
        if (!drawers.hasUnsaved() || pathOf(to) === window.location.pathname) return go(to, ...rest)
        void askToDiscard(drawers, t).then((isDiscarded) => isDiscarded && go(to, ...rest))
      }
    return { ...context, navigator: { ...navigator, push: asking(navigator.push), replace: asking(navigator.replace) } }
  }, [context, drawers, t])
  return <NavigationContext value={guarded}>{children}</NavigationContext>
}

const pathOf = (to: To): string | undefined => (typeof to === 'string' ? new URL(to, window.location.href).pathname : to.pathname)
