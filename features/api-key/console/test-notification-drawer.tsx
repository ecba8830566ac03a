import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { getNotification, getWebhookEndpoints, testWebhookEndpoint } from '@holdfast/features/notification/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Button, DrawerBody, EmptyState, ErrorState, LoadingState, StatusTag, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

type Sent = OutputOf<typeof getNotification>
const FRESH_MS = 1000
const NOTIFICATIONS = '/mpc/transactionNotification'
const TONES: Record<Sent['status'], Tone> = { success: 'good', retrying: 'active', failed: 'bad', stopped: 'neutral' }

/** Sends a signed test event to a webhook endpoint of the organisation, and shows what came back. */
export function TestNotificationDrawer() {
  const { t } = useTranslation('apiPage')
  const { data, error, refetch } = useEndpoint(getWebhookEndpoints, {})
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={3} />}</DrawerBody>
  const open = <Link to={NOTIFICATIONS}>{t('api.notify.open')}</Link>
  if (data.receivers.length === 0)
    return (
      <DrawerBody>
        <EmptyState title={t('api.notify.none')} action={open}>
          {t('api.notify.noneText')}
        </EmptyState>
      </DrawerBody>
    )
  return (
    <DrawerBody>
      <p>{t('api.notify.text')}</p>
      <ul className="hf-api-steps" aria-label={t('api.notify.endpoints')}>
        {data.receivers.map(({ endpoint_id: id, url }) => (
          <Endpoint key={id} id={id} url={url} />
        ))}
      </ul>
      {open}
    </DrawerBody>
  )
}

function Endpoint({ id, url }: { id: string; url: string }) {
  const { t } = useTranslation('apiPage')
  const mayWrite = usePermission('notification.write')
  const test = useSend(testWebhookEndpoint)
  return (
    <li>
      <code translate="no">{url}</code>
      {mayWrite && (
        <Button size="small" loading={test.isPending} label={t('api.notify.sendTo', { url })} onClick={() => test.mutate({ endpoint_id: id })}>
          {t('api.notify.send')}
        </Button>
      )}
      <span role="status">{test.data && <Outcome id={test.data.notify_id} />}</span>
    </li>
  )
}

/** What became of a test event; asked again until that is known. */
function Outcome({ id }: { id: string }) {
  const { t } = useTranslation('apiPage')
  const { t: common } = useTranslation()
  const { data } = useEndpoint(getNotification, { notify_id: id }, { refetchEveryMs: (sent) => (sent?.status === 'retrying' ? FRESH_MS : false) })
  if (!data) return null
  const { status, http_code: http, failure_reason: reason, duration_ms: ms } = data
  return (
    <span className="hf-row-tight">
      <StatusTag tone={TONES[status]} text={t(`api.notify.status.${status}`)} />
      {http !== null && <span>{t('api.notify.http', { code: http })}</span>}
      {reason !== null && <span>{common(`notification.failure.${reason as 'unknown'}`)}</span>}
      {ms !== null && <span className="hf-muted hf-numbers">{t('api.ms', { count: ms })}</span>}
    </span>
  )
}
