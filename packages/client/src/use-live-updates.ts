import { browserPorts } from '@holdfast/ports/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from './api-context.ts'
import { followLiveUpdates, type LiveState, type LiveTopics } from './live-updates.ts'

const EVENTS_PATH = '/api/mpc/events'

/** Keeps what is on the screen current while somebody is signed in. Answers how the connection stands. */
export function useLiveUpdates(topics: LiveTopics, onSignedOut: () => void): LiveState {
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
      topics,
      signal: stop.signal,
      refresh: (path) => void queries.invalidateQueries({ queryKey: [path] }),
      onState: setState,
      onSignedOut,
    })
    return () => stop.abort()
  }, [client, queries, topics, onSignedOut])
  return state
}
