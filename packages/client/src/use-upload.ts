import type { CallInput, CallOptions, Endpoint } from '@holdfast/contract'
import { useState } from 'react'
import { useSend } from './use-send.ts'

/** As `useSend`, for a call with a file: `sent` is how much of it has left, from 0 to 1, while it is under way. */
export function useUpload<E extends Endpoint>(endpoint: E, options: Pick<CallOptions, 'shows'> = {}) {
  const [part, setPart] = useState(0)
  const sending = useSend(endpoint, { ...options, onSent: setPart })
  const send = (input: CallInput<E>) => {
    setPart(0)
    sending.mutate(input)
  }
  return { send, reset: sending.reset, data: sending.data, isPending: sending.isPending, sent: sending.isPending ? part : undefined }
}
