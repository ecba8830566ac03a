import { useSyncExternalStore } from 'react'
import { type Fiat, FIATS } from '../contract.ts'

const KEY = 'holdfast.fiat'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What a browser keeps of the choice: US dollars unless it is another currency that there is. */
export function readFiat(storage: Pick<Storage, 'getItem'>): Fiat {
  const kept = storage.getItem(KEY)
  return FIATS.find((each) => each === kept) ?? 'USD'
}

/** The currency that values are shown in on this device, what a call for values is asked with for it, and the choice of another. */
export function useFiat(): { fiat: Fiat; asked: { fiat?: Fiat }; choose: (fiat: Fiat) => void } {
  const fiat = useSyncExternalStore(subscribe, () => readFiat(localStorage))
  const choose = (next: Fiat) => {
    localStorage.setItem(KEY, next)
    for (const listener of listeners) listener()
  }
  return { fiat, asked: fiat === 'USD' ? {} : { fiat }, choose }
}
