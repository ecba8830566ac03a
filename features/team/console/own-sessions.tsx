import { endOtherSessions, endSession, listSessions } from '@holdfast/features/session/contract'
import { Button, ErrorState, LoadingState, RelativeTime, StatusTag } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'

/** Where the reader is signed in now, and the way to end it. */
export function OwnSessions() {
  const { t } = useTranslation('teamMember')
  const { data, error, refetch } = useEndpoint(listSessions, {})
  const end = useSend(endSession)
  const endOthers = useSend(endOtherSessions)
  const others = data?.filter((each) => !each.current) ?? []
  return (
    <section className="hf-panel hf-stack" aria-labelledby="own-sessions">
      <div className="hf-section-head">
        <h2 id="own-sessions">{t('sessions.title')}</h2>
        {others.length > 0 && (
          <Button size="small" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            {t('sessions.endOthers')}
          </Button>
        )}
      </div>
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={2} />)}
      <ul className="hf-sessions">
        {data?.map((each) => (
          <li key={each.session_id}>
            <span>
              <span className="hf-row-tight">
                {[each.device, each.os].filter(Boolean).join(t('comma')) || t('detail.unknownDevice')}
                {each.current && <StatusTag tone="active" text={t('sessions.this')} />}
              </span>
              <span className="hf-small hf-muted">
                <code>{each.ip === '' ? '--' : each.ip}</code> · {t('sessions.since')} <RelativeTime ms={each.created_at} /> · {t('sessions.seen')}{' '}
                <RelativeTime ms={each.last_seen_at} />
              </span>
            </span>
            {!each.current && (
              <Button
                size="small"
                label={t('sessions.endThis', { device: [each.device, each.os].filter(Boolean).join(' ') || t('detail.unknownDevice') })}
                loading={end.isPending && end.variables.session_id === each.session_id}
                onClick={() => end.mutate({ session_id: each.session_id })}
              >
                {t('sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
