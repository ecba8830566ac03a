import { useUserInfo } from '@holdfast/features/session/console'
import { Button, ErrorState, IconPlus, LoadingState, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getMember } from '../contract.ts'
import { KeyList } from './key-list.tsx'
import { openOwnKeyDrawer } from './open-own-key-drawer.tsx'

/** The keys with which the reader approves. */
export function OwnKeys() {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const { data: user } = useUserInfo()
  const { data, error, refetch } = useEndpoint(getMember, { user_id: user?.user_id ?? '' }, { enabled: user !== undefined })
  return (
    <section className="hf-panel hf-stack" aria-labelledby="own-keys">
      <div className="hf-section-head">
        <h2 id="own-keys">{t('own.keys')}</h2>
        {user && (
          <Button
            size="small"
            icon={<IconPlus />}
            onClick={() => openOwnKeyDrawer(drawers, user.nick_name, t('action.ownKey.title', { name: user.nick_name }))}
          >
            {t('action.ownKey.open')}
          </Button>
        )}
      </div>
      <p className="hf-muted">{t('own.keysNote')}</p>
      {data ? <KeyList member={data} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={3} />}
    </section>
  )
}
