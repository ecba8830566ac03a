import { browserPorts } from '@holdfast/ports/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from './api-context.ts'
import { followLiveUpdates, type LiveState } from './live-updates.ts'
import { refreshStale } from './refresh-stale.ts'

const EVENTS_PATH = '/api/mpc/events'

/** Keeps what is on the screen current while somebody is signed in. Answers how the connection stands. */
export function useLiveUpdates(onSignedOut: () => void): LiveState {
  const { client } = useApi()
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    const stop = new AbortController()
    void followLiveUpdates({
      client,
      fetch: browserPorts.fetch,
      timer: browserPorts.timer,
      path: EVENTS_PATH,
      // The page's own clock begins when it is loaded.
      ageMs: browserPorts.clock.monotonicMs,
      signal: stop.signal,
      onChange: (topics) => void refreshStale(queries, topics),
      onState: setState,
      onSignedOut,
    })
    return () => stop.abort()
  }, [client, queries, onSignedOut])
  return state
}
