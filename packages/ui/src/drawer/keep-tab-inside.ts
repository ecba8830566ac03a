const REACHABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]:not([tabindex="-1"])'

/** What Tab reaches inside an element, in order. Of radio buttons with one name it reaches the one that is chosen. */
function reachableIn(container: HTMLElement): HTMLElement[] {
  const isReachable = (each: HTMLElement) => {
    if (each.tabIndex < 0 || each.getClientRects().length === 0) return false
    if (!(each instanceof HTMLInputElement) || each.type !== 'radio' || each.checked) return true
    return container.querySelector(`input[type="radio"][name="${CSS.escape(each.name)}"]:checked`) === null
  }
  return [...container.querySelectorAll<HTMLElement>(REACHABLE)].filter(isReachable)
}

/**
 * Leads Tab from the last thing inside an element to the first, and back. The browser alone would go on to its own window, from
 * where the next Tab begins at the top of the page behind.
 */
export function keepTabInside(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'preventDefault'>, container: HTMLElement): void {
  const active = document.activeElement
  if (event.key !== 'Tab' || !active || !container.contains(active)) return
  const reachable = reachableIn(container)
  const [first] = reachable
  const last = reachable.at(-1)
  if (!first || !last) return event.preventDefault()
  const isBefore = (one: Element, other: Element) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const leaves = event.shiftKey ? active === first || isBefore(active, first) : active === last || isBefore(last, active)
  if (!leaves) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next.focus()
}
