import { type RefObject, useEffect } from 'react'

/**
 * Where what had the focus is gone, as when a form makes room for its review, the page begins again at its title: a screen reader says
 * where it is, and Tab goes on from there.
 */
export function useFocusKept(frame: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    const page = frame.current
    if (!isOpen || !page) return undefined
    let last: EventTarget | null = null
    const remember = (event: FocusEvent) => (last = event.target)
    const observer = new MutationObserver(() => {
      if (!(last instanceof Element) || last.isConnected || document.activeElement !== document.body) return
      last = null
      page.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
    })
    page.addEventListener('focusin', remember)
    observer.observe(page, { childList: true, subtree: true })
    return () => {
      page.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [frame, isOpen])
}
