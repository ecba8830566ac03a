import './team.css'
import { type ApprovalPage, getApprovalPages } from '@holdfast/features/approval-page/contract'
import { useSession } from '@holdfast/features/session/console'
import { Button, Note, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { openOwnKeyDrawer } from './open-own-key-drawer.tsx'

/**
 * Says to somebody who approves at which page they have no key, and leads to making one: a key serves the page alone at which it was made, and whoever has one
 * at a single page can approve nothing while the signer that serves it is away. Nothing for everybody else.
 */
export function PageKeyNote() {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const name = useSession()?.session?.name
  const { data } = useEndpoint(getApprovalPages, {})
  if (!data?.approves || name === undefined) return null
  const hostsWith = (key: ApprovalPage['key']) => data.pages.filter((page) => page.key === key).map(({ origin }) => new URL(origin).host)
  const [missing, waiting] = [hostsWith('none'), hostsWith('waits')]
  if (missing.length > 0) {
    return (
      <div className="hf-page-key">
        <Note tone="warn" title={t('pageKey.missing', { page: missing.join(t('comma')) })}>
          <div className="hf-spread">
            <span>{t('pageKey.missingNote')}</span>
            <Button size="small" onClick={() => openOwnKeyDrawer(drawers, name, t('action.ownKey.title', { name }))}>
              {t('pageKey.make')}
            </Button>
          </div>
        </Note>
      </div>
    )
  }
  return waiting.length === 0 ? null : (
    <div className="hf-page-key">
      <Note tone="info" title={t('pageKey.waiting', { page: waiting.join(t('comma')) })}>
        {t('pageKey.waitingNote')}
      </Note>
    </div>
  )
}
