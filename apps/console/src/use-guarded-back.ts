import { askToDiscard, DrawerContext } from '@holdfast/ui'
import { useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useServices } from './services-context.ts'

/** Where a state of the browser's history stands among those of this page, as the router counts them. */
const placeOf = (state: unknown): number => Number((state as { idx?: unknown } | null)?.idx)

/**
 * Asks before the browser's Back or Forward button leaves a page on which something typed was not sent, as Escape does. The browser has moved by then: it is
 * sent back before the router hears of it, and goes on once the person says so.
 */
export function useGuardedBack(): void {
  const drawers = useContext(DrawerContext)
  const { t } = useTranslation()
  const { movedHistory } = useServices()
  const location = useLocation()
  const here = useRef({ pathname: '', place: 0 })
  useLayoutEffect(() => {
    here.current = { pathname: location.pathname, place: placeOf(history.state) }
  }, [location])
  useEffect(() => {
    let step: 'returning' | 'leaving' | undefined
    let isAsking = false
    const ask = async (steps: number) => {
      isAsking = true
      const isDiscarded = drawers !== undefined && (await askToDiscard(drawers, t))
      isAsking = false
      if (!isDiscarded) return
      step = 'leaving'
      history.go(steps)
    }
    const onMoved = (event: PopStateEvent) => {
      const own = step
      step = undefined
      if (own === 'returning') event.stopImmediatePropagation()
      const steps = placeOf(event.state) - here.current.place
      if (own || !drawers?.hasUnsaved() || window.location.pathname === here.current.pathname || !Number.isInteger(steps)) return
      event.stopImmediatePropagation()
      step = 'returning'
      history.go(-steps)
      if (!isAsking) void ask(steps)
    }
    return movedHistory.listen(onMoved)
  }, [drawers, t, movedHistory])
}
