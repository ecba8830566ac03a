import type { Topic } from '@holdfast/contract'
import type { Query, QueryClient } from '@tanstack/react-query'

declare module '@tanstack/react-query' {
  interface Register {
    /** What makes the answer stale, as the contract of its call says. */
    queryMeta: { staleOn?: readonly Topic[] }
  }
}

/**
 * Asks again for what is on the screen and stale by a change of one of these topics; what is not on the screen is asked for when it is. What is being asked for
 * the first time is shown as it comes, and asked for once more then: its answer may be of before the change.
 */
export async function refreshStale(queries: QueryClient, topics: readonly string[]): Promise<void> {
  const isStale = ({ meta }: Query) => meta?.staleOn?.some((each) => topics.includes(each)) ?? false
  const begun = queries.getQueryCache().findAll({ predicate: (query) => isStale(query) && query.state.data === undefined, fetchStatus: 'fetching' })
  await Promise.all([
    queries.invalidateQueries({ predicate: (query) => isStale(query) && !begun.includes(query) }),
    ...begun.map((query) => askOnceMore(queries, query)),
  ])
}

/** Waits for the first answer, which nothing hurries, so that a page on which much changes is not kept from showing anything. */
async function askOnceMore(queries: QueryClient, query: Query): Promise<void> {
  await query.promise?.catch(() => undefined)
  await queries.invalidateQueries({ predicate: (each) => each === query })
}

/** Asks again for everything that is on the screen, also for what is being asked for the first time: the answer to that may be of before. */
export async function refreshAll(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ predicate: ({ state }) => state.data === undefined })
  await queries.invalidateQueries()
}
