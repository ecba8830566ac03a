import { useApi } from '@holdfast/client'
import { usePermission, useSession } from '@holdfast/features/session/console'
import { confirm, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { restoreRules } from '../../contract.ts'
import { writeKept } from '../draft/kept-draft.ts'

/** Loads the rules of a version into the draft, where they are looked at and proposed like any other change; nothing for whoever may not propose. */
export function useRestoreRules(): ((version: number) => Promise<void>) | undefined {
  const { t } = useTranslation('strategyEngine')
  const { client } = useApi()
  const drawers = useDrawers()
  const navigate = useNavigate()
  const mayWrite = usePermission('strategy.write')
  const personId = useSession()?.session?.person_id ?? ''
  if (!mayWrite) return undefined
  return async (version) => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('rules.log.restoreTitle', { version }),
      content: t('rules.log.restoreText'),
      confirmText: t('rules.log.restore'),
    })
    if (answer.outcome !== 'confirm') return
    const found = await client.call(restoreRules, { version }).catch(() => undefined)
    if (!found) return
    writeKept(sessionStorage, { personId, draft: found.draft })
    void navigate('/mpc/strategyEngine')
  }
}
