import { type CallInput, type Endpoint, type OutputOf, TransportError } from '@holdfast/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useToast } from '@holdfast/ui'
import { useApi } from './api-context.ts'
import { endpointKey } from './use-endpoint.ts'

export type SendOptions = {
  /** Endpoints whose answers are asked again once this call has succeeded. */
  refresh?: readonly Pick<Endpoint, 'path'>[]
}

/**
 * Calls an endpoint that changes something. Never retried by itself, and what is on its way is not sent a second time: two
 * clicks can come before the first has had its effect on the button. An answered refusal is shown by the request layer; a call
 * without an answer is told here as what it is: unknown.
 */
export function useSend<E extends Endpoint>(endpoint: E, options: SendOptions = {}): UseMutationResult<OutputOf<E>, Error, CallInput<E>> {
  const { client } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { t } = useTranslation()
  const underway = useRef(new Map<string, Promise<OutputOf<E>>>())
  const sendOnce = (input: CallInput<E>): Promise<OutputOf<E>> => {
    const same = JSON.stringify(input)
    const sent = underway.current.get(same) ?? client.call(endpoint, input).finally(() => underway.current.delete(same))
    underway.current.set(same, sent)
    return sent
  }
  return useMutation<OutputOf<E>, Error, CallInput<E>>({
    mutationFn: sendOnce,
    onSuccess: async () => {
      await Promise.all((options.refresh ?? []).map((each) => queries.invalidateQueries({ queryKey: endpointKey(each) })))
    },
    onError: (error) => {
      if (error instanceof TransportError) toast.error(t('ui.error.unknownResult'), 'httpError')
    },
  })
}
