import { TransportError } from '@holdfast/contract'
import { useApi } from '@holdfast/client'
import { useToast } from '@holdfast/ui'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useSessionStore } from './session-context.ts'

/**
 * Ends the session at the server and then, whatever the server said, in this page. The cookie is the server's to clear: where it
 * did not answer, the session may go on, and the person is told so.
 */
export function useSignOut(leave: () => void): () => Promise<void> {
  const { client } = useApi()
  const session = useSessionStore()
  const toast = useToast()
  const { t } = useTranslation()
  return useCallback(async () => {
    const failure: unknown = await session.signOut(client).then(
      () => undefined,
      (error: unknown) => error,
    )
    leave()
    if (failure instanceof TransportError) toast.error(t('session.signOut.unanswered'), 'httpError')
  }, [client, session, leave, toast, t])
}
