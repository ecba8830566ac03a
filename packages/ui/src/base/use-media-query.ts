import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, kept current. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Whether the page is as narrow as a telephone. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 719px)')
}
