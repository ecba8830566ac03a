import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Selection, SelectionStore } from './selection-store.ts'

export { chosenOf, createSelectionStore, type SelectionStore } from './selection-store.ts'

export const SelectionContext = createContext<SelectionStore | undefined>(undefined)

/** The chosen wallet and sub-wallet as a store. */
export function useSelectionStore(): SelectionStore {
  const store = useContext(SelectionContext)
  if (!store) throw new Error('the page is outside the SelectionContext')
  return store
}

/** The chosen wallet and sub-wallet, kept current. */
export function useSelection(): Selection {
  const store = useSelectionStore()
  return useSyncExternalStore(store.subscribe, store.selection)
}
