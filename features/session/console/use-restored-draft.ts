import { useDrawers } from '@holdfast/ui'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dropDraft, keepDraft, type Reopen, takeDraft } from './kept-draft.ts'
import { useSession, useSessionStore } from './session-context.ts'

/**
 * Keeps what is filled into a form while its drawer is open, for whoever is signed out meanwhile. To be called by what stays there through all steps of the
 * form; the answer is called after every change, with what opens the form again. Once it `isSent` nothing is kept any more.
 */
export function useKeptDraft(isSent: boolean): (reopen: Reopen) => void {
  const store = useSessionStore()
  const personId = useSession()?.session?.person_id
  const [form] = useState(() => ({}))
  // Whoever closes it on purpose does not want it back; whoever was signed out does.
  useEffect(
    () => () => {
      if (store.facts()?.session) dropDraft(form)
    },
    [store, form],
  )
  useEffect(() => {
    if (isSent) dropDraft(form)
  }, [isSent, form])
  return useCallback(
    (reopen) => {
      if (personId !== undefined && !isSent) keepDraft(form, personId, reopen)
    },
    [personId, isSent, form],
  )
}

/** Opens the form again that the person had filled in before they were signed out. */
export function useRestoredDraft(): void {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const personId = useSession()?.session?.person_id
  useEffect(() => {
    if (personId !== undefined) takeDraft(personId)?.(drawers, t)
    // Words that change with the language must not open it again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [personId, drawers])
}
