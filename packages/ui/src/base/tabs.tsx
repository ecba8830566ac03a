import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'

export type Tab<Key extends string> = { key: Key; label: string }

type TabsProps<Key extends string> = {
  /** What the tabs choose between, for those who cannot see them. */
  label: string
  tabs: readonly Tab<Key>[]
  active: Key
  onChange: (key: Key) => void
  /** What the active tab shows. */
  children: ReactNode
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Tabs over one panel, with the keys of the ARIA pattern: arrows, Home and End. */
export function Tabs<Key extends string>({ label, tabs, active, onChange, children }: TabsProps<Key>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // Where there are more tabs than room, the chosen one stands in the middle of it.
  useEffect(() => {
    const strip = list.current
    const chosen = strip?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!strip || !chosen) return undefined
    const sizes = new ResizeObserver(() => {
      strip.scrollLeft = chosen.offsetLeft - strip.offsetLeft - (strip.clientWidth - chosen.offsetWidth) / 2
    })
    sizes.observe(strip)
    return () => sizes.disconnect()
  }, [active])
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.key === active)
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? tabs.length - 1 : at + (STEPS[event.key] ?? 0)
    const next = tabs[(to + tabs.length) % tabs.length]
    if (!next || next.key === active) return
    event.preventDefault()
    onChange(next.key)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next.key}`)}`)?.focus()
  }
  return (
    <div className="hf-tabs">
      <div ref={list} className="hf-tab-list" role="tablist" aria-label={plainText(label, LABEL_LIMIT)}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            id={`${id}-${tab.key}`}
            type="button"
            role="tab"
            className="hf-tab"
            aria-selected={tab.key === active}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === active ? 0 : -1}
            onClick={() => onChange(tab.key)}
            onKeyDown={move}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </div>
  )
}
