import type { Clock } from '@holdfast/ports'

/** How long a remembered page number or page total counts. */
export const PAGE_CACHE_MS = 5 * 60_000

export type PageEntry = { pageNumber: number; pageTotal: number }

export type PageCache = {
  /** What was remembered under a name; an entry that is older than five minutes is dropped when it is read. */
  read(name: string): PageEntry | undefined
  write(name: string, entry: PageEntry): void
  /** Forgets everything, when somebody signs out. */
  clear(): void
}

/** Page numbers and page totals of lists, by the list's name, so that whoever comes back to a list finds the page they left. */
export function createPageCache(clock: Clock): PageCache {
  const entries = new Map<string, PageEntry & { untilMs: number }>()
  return {
    read: (name) => {
      const entry = entries.get(name)
      if (!entry) return undefined
      if (clock.monotonicMs() >= entry.untilMs) {
        entries.delete(name)
        return undefined
      }
      return { pageNumber: entry.pageNumber, pageTotal: entry.pageTotal }
    },
    write: (name, entry) => void entries.set(name, { ...entry, untilMs: clock.monotonicMs() + PAGE_CACHE_MS }),
    clear: () => entries.clear(),
  }
}
