import type { ComponentType } from 'react'

/** Something the palette leads to or does. */
export type PaletteItem = {
  /** Unlike every other of its source. */
  key: string
  title: string
  /** Beside the title, small: where it belongs, an address in short. */
  detail?: string
  /** What it is found by besides its title and detail, such as a whole address. */
  words?: string
  icon?: ComponentType
  /** Keys that do it without the palette: `mod+k` with Ctrl or Cmd, `g w` one after the other. */
  shortcut?: string
  run(): void
}

/** Where a feature's items come from: those it knows, and those it finds by what was typed. */
export type PaletteSource = {
  /** Unlike every other source. */
  key: string
  /** Over the items of this source. */
  title: string
  items?: readonly PaletteItem[]
  /** Asked once typing has settled. Items it answers are shown in its own order. */
  search?(query: string, signal: AbortSignal): Promise<readonly PaletteItem[]>
  /** Sources with a smaller number stand higher; 100 where absent. */
  order?: number
}

export type PaletteRegistry = {
  /** Adds a source, or takes the place of the one with the same key. Answers how to take it away again. */
  register(source: PaletteSource): () => void
  sources(): readonly PaletteSource[]
  subscribe(listener: () => void): () => void
}

const orderOf = (source: PaletteSource) => source.order ?? 100

/** What the palette of this page knows. */
export function createPaletteRegistry(): PaletteRegistry {
  let sources: readonly PaletteSource[] = []
  const listeners = new Set<() => void>()
  const change = (next: readonly PaletteSource[]) => {
    sources = next.toSorted((one, other) => orderOf(one) - orderOf(other))
    for (const listener of listeners) listener()
  }
  return {
    register: (source) => {
      change([...sources.filter(({ key }) => key !== source.key), source])
      return () => {
        if (sources.includes(source)) change(sources.filter((each) => each !== source))
      }
    },
    sources: () => sources,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
