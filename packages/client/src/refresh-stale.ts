import type { Topic } from '@holdfast/contract'
import type { QueryClient } from '@tanstack/react-query'

declare module '@tanstack/react-query' {
  interface Register {
    /** What makes the answer stale, as the contract of its call says. */
    queryMeta: { staleOn?: readonly Topic[] }
  }
}

/** Asks again for what is on the screen and stale by a change of one of these topics; what is not on the screen is asked for when it is. */
export async function refreshStale(queries: QueryClient, topics: readonly string[]): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ meta }) => meta?.staleOn?.some((each) => topics.includes(each)) ?? false })
}

/** Asks again for everything that is on the screen, also for what is being asked for the first time: the answer to that may be of before. */
export async function refreshAll(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ predicate: ({ state }) => state.data === undefined })
  await queries.invalidateQueries()
}
