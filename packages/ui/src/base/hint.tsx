import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'

const GAP_PX = 6
const EDGE_PX = 8

/** More about what stands in the page, shown over it while it is pointed at or has the focus. Escape takes it away. */
export function Hint({ text, children }: { text: ReactNode; children: ReactNode }) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLSpanElement>(null)
  const [isShown, setShown] = useState(false)
  useLayoutEffect(() => {
    const rect = anchor.current?.getBoundingClientRect()
    const element = panel.current
    if (!isShown || !rect || !element) return
    element.showPopover()
    const { offsetWidth, offsetHeight } = element
    const above = rect.top - offsetHeight - GAP_PX
    const left = rect.left + rect.width / 2 - offsetWidth / 2
    element.style.top = `${above >= EDGE_PX ? above : rect.bottom + GAP_PX}px`
    element.style.left = `${Math.max(EDGE_PX, Math.min(left, document.documentElement.clientWidth - offsetWidth - EDGE_PX))}px`
  }, [isShown])
  const show = () => setShown(true)
  const hide = () => setShown(false)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isShown) return
    event.stopPropagation()
    hide()
  }
  return (
    // Nothing is done here: the handlers only show and hide what the description says anyway.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <span
      ref={anchor}
      className="hf-hint"
      role="note"
      tabIndex={0}
      aria-describedby={isShown ? id : undefined}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={onKeyDown}
    >
      {children}
      {isShown && (
        <span ref={panel} id={id} popover="manual" className="hf-hint-text" role="tooltip">
          {text}
        </span>
      )}
    </span>
  )
}
