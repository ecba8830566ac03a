import { useEffect, useMemo, useState } from 'react'
import { useDebounced } from '../base/use-debounced.ts'
import { usePaletteSources } from './palette-context.ts'
import type { PaletteItem, PaletteSource } from './palette-registry.ts'
import { rankItems } from '../field/rank-items.ts'

export type PaletteGroup = { key: string; title: string; items: readonly PaletteItem[] }

const MOST_PER_GROUP = 8

type Found = { query: string; bySource: ReadonlyMap<string, readonly PaletteItem[]>; isDone: boolean }

const NOTHING: Found = { query: '', bySource: new Map(), isDone: true }

/** What fits what was typed, by source: at once from what is known, then from what the sources find. */
export function usePaletteResults(query: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const sources = usePaletteSources()
  const settled = useDebounced(query.trim())
  const found = useSearch(sources, settled)
  const groups = useMemo(
    () =>
      sources
        .map(({ key, title, items = [] }) => {
          const known = rankItems(query, items, MOST_PER_GROUP)
          const taken = new Set(known.map((item) => item.key))
          const more = found.query === query.trim() ? (found.bySource.get(key) ?? []).filter((item) => !taken.has(item.key)) : []
          return { key, title, items: [...known, ...more].slice(0, MOST_PER_GROUP) }
        })
        .filter(({ items }) => items.length > 0),
    [sources, query, found],
  )
  const canSearch = query.trim() !== '' && sources.some(({ search }) => search)
  return { groups, isSearching: canSearch && (found.query !== query.trim() || !found.isDone) }
}

function useSearch(sources: readonly PaletteSource[], query: string): Found {
  const [found, setFound] = useState(NOTHING)
  useEffect(() => {
    if (query === '') return undefined
    const stop = new AbortController()
    const searches = sources.flatMap((source) => (source.search ? [{ key: source.key, search: source.search }] : []))
    const begin = async () => {
      setFound({ query, bySource: new Map(), isDone: searches.length === 0 })
      await Promise.all(
        searches.map(async ({ key, search }) => {
          // A source that fails finds nothing; the others still answer.
          const items = await search(query, stop.signal).catch(() => [])
          if (!stop.signal.aborted) setFound((present) => ({ ...present, bySource: new Map(present.bySource).set(key, items) }))
        }),
      )
      if (!stop.signal.aborted) setFound((present) => ({ ...present, isDone: true }))
    }
    void begin()
    return () => stop.abort()
  }, [sources, query])
  return found
}
