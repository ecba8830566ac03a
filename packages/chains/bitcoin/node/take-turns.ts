/**
 * Questions that one node is asked at once. Bitcoin Core lets 16 wait by default (`rpcworkqueue`) and answers every further one with HTTP status 503; other
 * programs ask the same node, so ours take half of that.
 */
export const AT_ONCE = 8

/** Lets `limit` of what is asked of it be under way at once; the rest wait for their turn, in their order. */
export function openGate(limit: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = limit
  return async (act) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Does something for each of many, some at once, and stops at the first that fails: a node that is gone is not asked thousands of times. */
export async function inTurns<T, R>(all: readonly T[], act: (each: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(act))))
  return done
}
