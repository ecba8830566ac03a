export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const MODIFIERS = new Set(['mod', 'alt', 'shift'])
const NEXT_KEY_WITHIN_MS = 1200

/** The presses of a shortcut: `mod+shift+k` is one, `g w` are two. */
function pressesOf(shortcut: string): string[] {
  return shortcut.toLowerCase().split(' ').filter(Boolean)
}

/** Whether a shortcut has only letters, so that it must stay quiet while somebody types and can be turned off. */
export function isLetters(shortcut: string): boolean {
  return pressesOf(shortcut).every((press) => !press.includes('+'))
}

function matches(press: string, event: KeyPress): boolean {
  const parts = press.split('+')
  const key = parts.find((part) => !MODIFIERS.has(part))
  const has = (modifier: string) => parts.includes(modifier)
  if (has('mod') !== (event.ctrlKey || event.metaKey) || has('alt') !== event.altKey) return false
  // A sign such as "?" needs shift on some keyboards and none on others.
  const isSign = parts.length === 1 && !/^[a-z0-9]$/.test(key ?? '')
  return (isSign || has('shift') === event.shiftKey) && event.key.toLowerCase() === key
}

/** Follows key presses and says which of the shortcuts they complete. Keys one after the other must follow within 1.2 seconds. */
export function createShortcutReader(): (event: KeyPress, atMs: number, shortcuts: readonly string[]) => string | undefined {
  let begun: { shortcut: string; done: number }[] = []
  let lastMs = Number.NEGATIVE_INFINITY
  return (event, atMs, shortcuts) => {
    if (MODIFIERS.has(event.key.toLowerCase()) || ['Control', 'Meta'].includes(event.key)) return undefined
    const open = atMs - lastMs <= NEXT_KEY_WITHIN_MS ? begun : []
    const next = [...open, ...shortcuts.map((shortcut) => ({ shortcut, done: 0 }))]
      .filter(({ shortcut, done }) => matches(pressesOf(shortcut)[done] ?? '', event))
      .map(({ shortcut, done }) => ({ shortcut, done: done + 1 }))
    lastMs = atMs
    const complete = next.find(({ shortcut, done }) => done === pressesOf(shortcut).length && shortcuts.includes(shortcut))
    begun = complete ? [] : next
    return complete?.shortcut
  }
}

/** The keys of a shortcut as they are printed on the keyboard, press by press. */
export function keyCaps(shortcut: string, isApple: boolean): string[][] {
  const caps: Readonly<Record<string, string>> = isApple
    ? { mod: '⌘', alt: '⌥', shift: '⇧', enter: '↵' }
    : { mod: 'Ctrl', alt: 'Alt', shift: 'Shift', enter: 'Enter' }
  return pressesOf(shortcut).map((press) => press.split('+').map((key) => caps[key] ?? key.toUpperCase()))
}
