import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { createPaletteRegistry, type PaletteRegistry, type PaletteSource } from './palette-registry.ts'

const PaletteContext = createContext<PaletteRegistry>(createPaletteRegistry())

/**
 * Adds a source to the command palette while the component that calls this is in the page. The source is kept in `useMemo`:
 * a new object each time would be registered each time. Undefined while there is nothing to add yet.
 */
export function usePaletteSource(source: PaletteSource | undefined): void {
  const registry = useContext(PaletteContext)
  useEffect(() => (source ? registry.register(source) : undefined), [registry, source])
}

/** Every source of the palette. */
export function usePaletteSources(): readonly PaletteSource[] {
  const registry = useContext(PaletteContext)
  return useSyncExternalStore(registry.subscribe, registry.sources)
}
