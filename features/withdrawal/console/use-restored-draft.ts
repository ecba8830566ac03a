import { useSession } from '@holdfast/features/session/console'
import { useDrawers } from '@holdfast/ui'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { takeDraft } from './kept-draft.ts'
import { openWithdrawDrawer } from './open-withdraw-drawer.tsx'

/** Opens the form of a payment again with what the person had filled in before they were signed out. */
export function useRestoredDraft(): void {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const personId = useSession()?.session?.person_id
  useEffect(() => {
    const draft = personId === undefined ? undefined : takeDraft(personId)
    if (draft) openWithdrawDrawer(drawers, { title: t('wallet.withdraw.title'), ...draft.target, again: draft.fields, kept: draft.choices })
    // Words that change with the language must not open it again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [personId, drawers])
}
