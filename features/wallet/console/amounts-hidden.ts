import { useSyncExternalStore } from 'react'

const KEY = 'holdfast.amounts-hidden'
const listeners = new Set<() => void>()

const isHidden = () => localStorage.getItem(KEY) === '1'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether amounts are hidden on this device, in case others look on, and the switch. */
export function useAmountsHidden(): [boolean, () => void] {
  const hidden = useSyncExternalStore(subscribe, isHidden)
  const toggle = () => {
    if (hidden) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, '1')
    for (const listener of listeners) listener()
  }
  return [hidden, toggle]
}
