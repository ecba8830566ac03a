import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { scrollTopFor, STEP, type Stretch, windowOf } from './table-window.ts'

type RowWindowInput = {
  box: RefObject<HTMLElement | null>
  count: number
  /** Undefined if the list is short and stands in the page as a whole. */
  rowHeightPx: number | undefined
  kept: number | undefined
}

type Place = { scrollTopPx: number; viewPx: number }

const FIRST_PLACE: Place = { scrollTopPx: 0, viewPx: 800 }

/** What of a long list stands in the page while its box is scrolled, and how to bring a row into sight. */
export function useRowWindow({ box, count, rowHeightPx, kept }: RowWindowInput) {
  const [place, setPlace] = useState(FIRST_PLACE)
  useLayoutEffect(() => {
    const element = box.current
    if (rowHeightPx === undefined || !element) return undefined
    // Scrolling tells at each frame; the rows are drawn anew only where other ones are needed.
    const stepPx = rowHeightPx * STEP
    const update = () => {
      const next = { scrollTopPx: Math.floor(element.scrollTop / stepPx) * stepPx, viewPx: element.clientHeight }
      setPlace((present) => (present.scrollTopPx === next.scrollTopPx && present.viewPx === next.viewPx ? present : next))
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [box, rowHeightPx])
  const stretches = useMemo(
    (): Stretch[] => (rowHeightPx === undefined ? [{ kind: 'rows', from: 0, to: count }] : windowOf({ count, rowHeightPx, ...place, kept })),
    [count, rowHeightPx, place, kept],
  )
  const reveal = (row: number) => {
    const element = box.current
    if (!element) return
    if (rowHeightPx === undefined) {
      element.querySelector(`[data-row="${row}"]`)?.scrollIntoView({ block: 'nearest' })
      return
    }
    const head = element.querySelector('thead')?.clientHeight ?? 0
    element.scrollTop = scrollTopFor(row, { rowHeightPx, scrollTopPx: element.scrollTop, viewPx: element.clientHeight - head })
  }
  return { stretches, reveal }
}
