import { type CallInput, type CallOptions, type Endpoint, type OutputOf, TransportError } from '@holdfast/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useToast } from '@holdfast/ui'
import { useApi } from './api-context.ts'
import { errorNotice } from './notice-error.ts'
import { refreshStale } from './refresh-stale.ts'
import { answeredRequests } from './request-id.ts'
import { sameCall } from './same-call.ts'

/**
 * Calls an endpoint that changes something, and then asks again for what it makes stale (`changes` and `staleOn` of the contracts). Never retried by itself, and what is on its way is not sent a second time: two
 * clicks can come before the first has had its effect on the button. An answered refusal is shown by the request layer, unless
 * whoever sends looks at its error or says that it `shows` it; a call without an answer is told here as what it is: unknown.
 */
export function useSend<E extends Endpoint>(
  endpoint: E,
  { shows = () => false, onSent }: Pick<CallOptions, 'shows' | 'onSent'> = {},
): UseMutationResult<OutputOf<E>, Error, CallInput<E>> {
  const { client } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { t } = useTranslation()
  const [notice] = useState(errorNotice)
  const [answered] = useState(answeredRequests)
  useEffect(() => answered.open(), [answered])
  const underway = useRef(new Map<string, Promise<OutputOf<E>>>())
  const sendOnce = (input: CallInput<E>): Promise<OutputOf<E>> => {
    const same = sameCall(input)
    const sent =
      underway.current.get(same) ??
      client
        .call(endpoint, input, { shows: (error) => notice.isLooked() || shows(error), ...(onSent ? { onSent } : {}) })
        .finally(() => underway.current.delete(same))
    underway.current.set(same, sent)
    return sent
  }
  const sent = useMutation<OutputOf<E>, Error, CallInput<E>>({
    mutationFn: sendOnce,
    onSuccess: (_, input) => {
      if ('request_id' in input) answered.note(String(input.request_id))
      return refreshStale(queries, endpoint.changes ?? [])
    },
    onError: (error) => {
      if (error instanceof TransportError) toast.error(t('ui.error.unknownResult'), 'httpError')
    },
  })
  return notice.on(sent)
}
