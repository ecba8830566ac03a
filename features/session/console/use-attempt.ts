import { CallError, readCookie, TransportError, XSRF_COOKIE } from '@holdfast/contract'
import { useApi } from '@holdfast/client'
import { useToast } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSessionStore } from './session-context.ts'

export type Attempt = {
  /** The name of what is being tried, or undefined. */
  running: string | undefined
  /** Why the browser or the device did not do it, in words. */
  fault: string | undefined
  attempt(name: string, work: () => Promise<void>): Promise<boolean>
}

/** Tries to sign in or to register, one thing at a time. What the server refuses is shown by the request layer already. */
export function useAttempt(): Attempt {
  const { t } = useTranslation()
  const toast = useToast()
  const { client } = useApi()
  const store = useSessionStore()
  const [running, setRunning] = useState<string>()
  const [fault, setFault] = useState<string>()
  const attempt = async (name: string, work: () => Promise<void>) => {
    setRunning(name)
    setFault(undefined)
    try {
      // Signing out, here or in another tab, took the browser's tokens away; only this question brings new ones.
      if (readCookie(document.cookie, XSRF_COOKIE) === undefined) await store.load(client, { again: true })
      await work()
      return true
    } catch (error) {
      if (error instanceof TransportError) toast.error(t('ui.error.unknownResult'), 'httpError')
      else if (!(error instanceof CallError)) setFault(t(faultKey(error)))
      return false
    } finally {
      setRunning(undefined)
    }
  }
  return { running, fault, attempt }
}

function faultKey(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  // A person who closes the dialogue, a time that ran out and a device without a fitting passkey all look like this.
  if (name === 'NotAllowedError' || name === 'AbortError') return 'session.passkey.declined'
  if (name === 'InvalidStateError') return 'session.passkey.known'
  return 'session.passkey.failed'
}
