import { useSession, useSessionStore } from '@holdfast/features/session/console'
import { useEffect, useState } from 'react'
import { forgetRows, type Kept, keepRows, readKeptRows } from './kept-rows.ts'

/**
 * What the person had filled in before the page was loaded anew or their session ended. Whoever leaves the page on purpose, or signs out, leaves nothing
 * behind.
 */
export function useKeptRows(): { kept: Kept | undefined; forget: () => void } {
  const store = useSessionStore()
  const personId = useSession()?.session?.person_id ?? ''
  const [kept, setKept] = useState(() => readKeptRows(sessionStorage, personId))
  useEffect(
    () => () => {
      if (store.facts()?.session) forgetRows(sessionStorage)
    },
    [store],
  )
  return { kept, forget: () => setKept(undefined) }
}

/** Keeps what is filled in and not sent; undefined if there is nothing. After every change: a session can end at any moment, also between two orders. */
export function useKeepRows(content: Omit<Kept, 'personId'> | undefined): void {
  const personId = useSession()?.session?.person_id
  useEffect(() => {
    if (personId === undefined) return
    if (content) keepRows(sessionStorage, { personId, ...content })
    else forgetRows(sessionStorage)
  })
}
