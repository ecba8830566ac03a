import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'

export type LazyPart<Props extends object> = ComponentType<Props> & {
  /** Begins to fetch the part before it is shown. Where that fails, the part tries again once it is shown. */
  preload(): void
}

/**
 * What is done where a part that is shown could not be fetched: once it settles, the part is asked for again; rejected, the part throws what it was rejected
 * with.
 */
type Mending = { mend(cause: unknown): Promise<void>; mended(): void }

let mending: Mending = {
  mend: async (cause) => {
    throw cause
  },
  mended: () => undefined,
}

/** Says how parts are mended, for the whole page. */
export function mendPartsBy(next: Mending): void {
  mending = next
}

/** Fetches code, again and again as it is mended (`mendPartsBy`) for as long as it is wanted. Throws where that is given up. */
export async function fetchMended<T>(load: () => Promise<T>, isWanted: () => boolean = () => true): Promise<T | undefined> {
  for (let failures = 0; isWanted(); failures++) {
    try {
      const fetched = await load()
      if (failures > 0) mending.mended()
      return fetched
    } catch (cause) {
      await mending.mend(cause)
    }
  }
  return undefined
}

/**
 * A part of a page whose code is fetched when it is first shown; until it is there, `placeholder` stands in its place. It is shown as soon as
 * it is there, and at once where it was fetched before: of what suspends, React keeps a placeholder for 300 ms once it has shown one.
 * Where it cannot be fetched it is mended (`mendPartsBy`), and throws where that is given up; the next one that is shown tries again.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, placeholder: ReactNode = null): LazyPart<Props> {
  let part: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const fetchPart = () =>
    (loading ??= load().then(
      (component) => {
        part = component
      },
      (cause: unknown) => {
        loading = undefined
        throw cause
      },
    ))
  function Shown(props: Props): ReactNode {
    const [isThere, setThere] = useState(part !== undefined)
    const [failure, setFailure] = useState<{ cause: unknown }>()
    useEffect(() => {
      if (isThere) return
      let isShown = true
      fetchMended(fetchPart, () => isShown).then(
        () => isShown && setThere(true),
        (cause: unknown) => isShown && setFailure({ cause }),
      )
      return () => {
        isShown = false
      }
    }, [isThere])
    if (failure) throw failure.cause
    return part ? createElement(part, props) : placeholder
  }
  return Object.assign(Shown, { preload: () => void fetchPart().catch(() => undefined) })
}
