import { useUserInfo } from '@holdfast/features/session/console'
import { Button, ErrorState, Facts, Label, LoadingState, RelativeTime, useDrawers } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { endOutOfOffice, getMember } from '../contract.ts'
import { Approves, AwayUntil } from './member-parts.tsx'
import { OwnDelegation } from './delegation/delegations.tsx'
import { openAwayDrawer } from './open-away-drawer.tsx'

/** Who the reader is to the organisation, and whether they are there. */
export function OwnProfile() {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const { data: user } = useUserInfo()
  const { data, error, refetch } = useEndpoint(getMember, { user_id: user?.user_id ?? '' }, { enabled: user !== undefined })
  const back = useSend(endOutOfOffice)
  if (!user || !data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  const away = data.out_of_office
  return (
    <div className="hf-stack">
      <section className="hf-panel hf-stack" aria-labelledby="own-profile">
        <div className="hf-section-head">
          <h2 id="own-profile">{t('own.profile')}</h2>
          {away === null ? (
            <Button size="small" onClick={() => openAwayDrawer(drawers, data, t('away.title'))}>
              {t('away.open')}
            </Button>
          ) : (
            <Button size="small" loading={back.isPending} onClick={() => back.mutate({})}>
              {t('away.back')}
            </Button>
          )}
        </div>
        <Facts
          columns={2}
          facts={[
            { label: t('column.name'), value: <Label text={data.nick_name} /> },
            { label: t('invite.account'), value: <Label text={user.account} /> },
            { label: t('tab.organisation'), value: <Label text={user.organisation.name} /> },
            { label: t('column.role'), value: t(`role.${data.workspace_role}`, { defaultValue: data.workspace_role }) },
            { label: t('column.approves'), value: <Approves member={data} /> },
            { label: t('column.seen'), value: data.last_seen_at === null ? '--' : <RelativeTime ms={data.last_seen_at} /> },
            away === null ? undefined : { label: t('away.title'), value: <AwayUntil away={away} />, wide: true },
          ]}
        />
        <p className="hf-small">
          <Link to={`/mpc/teamMember?member=${user.user_id}`}>{t('own.record')}</Link>
        </p>
      </section>
      <OwnDelegation />
    </div>
  )
}
