import type { CallInput, Endpoint, OutputOf } from '@holdfast/contract'
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from './api-context.ts'
import { errorNotice } from './notice-error.ts'

export type EndpointOptions<T> = {
  /** Not asked while false. */
  enabled?: boolean
  /** Asks again after so many milliseconds; a function decides by what was answered. */
  refetchEveryMs?: number | ((data: T | undefined) => number | false)
  /** Shows the last answer while another input is asked for, so that a list does not blink. */
  keepLast?: boolean
  /** What is asked for stands beside something else and is missing without a word: nobody is told that it could not be asked again. */
  isAside?: boolean
}

/** The key under which an endpoint's answers are cached. The path alone matches all its inputs. */
export function endpointKey(endpoint: Endpoint, input?: object): readonly unknown[] {
  return input === undefined ? [endpoint.path] : [endpoint.path, input]
}

/**
 * What a GET endpoint answers, cached, and asked again after a change that the endpoint names in `staleOn`. Whoever looks at its error shows it in the place of
 * what is not there: the request layer tells of a refusal only where nobody does, or where something older stands in that place.
 */
export function useEndpoint<E extends Endpoint>(endpoint: E, input: CallInput<E>, options: EndpointOptions<OutputOf<E>> = {}): UseQueryResult<OutputOf<E>> {
  const { client, presence } = useApi()
  const queries = useQueryClient()
  const { refetchEveryMs } = options
  const queryKey = endpointKey(endpoint, input)
  const [notice] = useState(errorNotice)
  const shows = () => options.isAside === true || (notice.isLooked() && queries.getQueryData(queryKey) === undefined)
  const answer = useQuery<OutputOf<E>>({
    queryKey,
    queryFn: ({ signal }) => client.call(endpoint, input, { signal, background: presence.isAway(), shows }),
    enabled: options.enabled ?? true,
    meta: { staleOn: endpoint.staleOn ?? [] },
    ...(options.keepLast ? { placeholderData: keepPreviousData as never } : {}),
    ...(refetchEveryMs === undefined
      ? {}
      : {
          refetchInterval: typeof refetchEveryMs === 'number' ? refetchEveryMs : (query) => refetchEveryMs(query.state.data as OutputOf<E> | undefined),
        }),
  })
  return notice.on(answer)
}
