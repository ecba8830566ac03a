import { browserPorts } from '@holdfast/ports/browser'
import { Fragment, useEffect, useRef, useSyncExternalStore } from 'react'
import { usePaletteSources } from './palette-context.ts'
import { createShortcutReader, isLetters, keyCaps } from './shortcut-keys.ts'

const isApple = () => /mac|iphone|ipad/i.test(navigator.platform)

/** The keys that do the same as a menu entry. */
export function Shortcut({ keys }: { keys: string }) {
  return (
    <kbd className="hf-shortcut">
      {keyCaps(keys, isApple()).map((press, at) => (
        <Fragment key={at}>
          {at > 0 && ' '}
          {press.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </Fragment>
      ))}
    </kbd>
  )
}

const LETTERS_KEY = 'holdfast.letter-keys'
const listeners = new Set<() => void>()

/** Shortcuts of letters alone, which somebody who dictates or has unsteady hands wants to turn off (WCAG 2.1.4). */
export const letterKeys = {
  areOn: () => localStorage.getItem(LETTERS_KEY) !== 'off',
  set: (isOn: boolean) => {
    if (isOn) localStorage.removeItem(LETTERS_KEY)
    else localStorage.setItem(LETTERS_KEY, 'off')
    for (const listener of listeners) listener()
  },
}

export function useLetterKeys(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, letterKeys.areOn)
}

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
const isBehind = () => document.querySelector('dialog[open], [role="dialog"][aria-modal="true"]') !== null

/** Does what the shortcuts say, wherever the focus is. Letters alone wait while somebody types or a dialog is open. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  useEffect(() => void (latest.current = actions))
  useEffect(() => {
    const read = createShortcutReader()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const isQuiet = !letterKeys.areOn() || isTyping(event.target) || isBehind()
      const shortcuts = Object.keys(latest.current).filter((shortcut) => !isQuiet || !isLetters(shortcut))
      const done = read(event, browserPorts.clock.nowMs(), shortcuts)
      if (done === undefined) return
      event.preventDefault()
      latest.current[done]?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** The shortcuts of everything the palette knows, without the palette. */
export function usePaletteShortcuts(): void {
  const sources = usePaletteSources()
  const items = sources.flatMap((source) => source.items ?? [])
  useShortcuts(Object.fromEntries(items.flatMap(({ shortcut, run }) => (shortcut === undefined ? [] : [[shortcut, run]]))))
}
