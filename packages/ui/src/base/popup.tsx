import { type ReactNode, useEffect, useId, useRef } from 'react'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'

type PopupProps = {
  /** What the button opens, for those who cannot see it. */
  label: string
  /** The button's face. */
  face: ReactNode
  className?: string
  /** The face has words: they are its name. */
  isNamedByFace?: boolean
  disabled?: boolean
  children: ReactNode
}

const GAP_PX = 8

/**
 * A button with a small panel under it, or over it at the foot of the window. The browser itself closes it on Escape and on a click
 * elsewhere, and keeps the tab order.
 */
export function Popup({ label, face, className, isNamedByFace = false, disabled = false, children }: PopupProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const spoken = plainText(label, LABEL_LIMIT)
  const place = () => {
    const rect = button.current?.getBoundingClientRect()
    if (!rect || !panel.current) return
    const { clientWidth, clientHeight } = document.documentElement
    const isAbove = rect.top > clientHeight - rect.bottom + clientHeight / 2
    const end = `${Math.max(GAP_PX, clientWidth - rect.right)}px`
    panel.current.style.inset = isAbove ? `auto ${end} ${clientHeight - rect.top + GAP_PX}px auto` : `${rect.bottom + GAP_PX}px ${end} auto auto`
  }
  // How large it is, it knows once it is open, and again when what it shows has come; what then reaches over an edge of the window
  // is moved in before anybody sees it.
  useEffect(() => {
    const open = panel.current
    if (!open) return
    const sizes = new ResizeObserver(() => {
      const rect = open.getBoundingClientRect()
      if (rect.width === 0) return
      const { clientWidth, clientHeight } = document.documentElement
      if (rect.left < GAP_PX) open.style.right = `${Math.max(GAP_PX, clientWidth - GAP_PX - rect.width)}px`
      if (rect.bottom > clientHeight - GAP_PX) open.style.top = `${Math.max(GAP_PX, clientHeight - GAP_PX - rect.height)}px`
    })
    sizes.observe(open)
    return () => sizes.disconnect()
  }, [])
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className ?? 'hf-header-button'}
        aria-label={isNamedByFace ? undefined : spoken}
        title={spoken}
        disabled={disabled}
        popoverTarget={id}
      >
        {face}
      </button>
      <div ref={panel} id={id} popover="auto" className="hf-popup" onBeforeToggle={place}>
        {children}
      </div>
    </>
  )
}

/** Closes the panel that an element stands in, once its choice is made. */
export function closePopup(element: Element): void {
  element.closest<HTMLElement>('[popover]')?.hidePopover()
}
