import { type CallInput, type Endpoint, type OutputOf, TransportError } from '@holdfast/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useToast } from '../components/toast.tsx'
import { useApi } from './api-context.ts'
import { endpointKey } from './use-endpoint.ts'

export type SendOptions = {
  /** Endpoints whose answers are asked again once this call has succeeded. */
  refresh?: readonly Pick<Endpoint, 'path'>[]
}

/**
 * Calls an endpoint that changes something. Never retried by itself. An answered refusal is shown by the request layer; a call
 * without an answer is told here as what it is: unknown.
 */
export function useSend<E extends Endpoint>(endpoint: E, options: SendOptions = {}): UseMutationResult<OutputOf<E>, Error, CallInput<E>> {
  const { client } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { t } = useTranslation()
  return useMutation<OutputOf<E>, Error, CallInput<E>>({
    mutationFn: (input) => client.call(endpoint, input),
    onSuccess: async () => {
      await Promise.all((options.refresh ?? []).map((each) => queries.invalidateQueries({ queryKey: endpointKey(each) })))
    },
    onError: (error) => {
      if (error instanceof TransportError) toast.error(t('ui.error.unknownResult'), 'httpError')
    },
  })
}
