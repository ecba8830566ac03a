import { Button, CopyButton, IconEdit, RelativeTime, StatusTag, Time, useDrawers, useToast } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { pauseWebhookEndpoint, testWebhookEndpoint } from '../contract.ts'
import { verifyExample } from '../verify-example.ts'
import { NoEndpoint } from './no-endpoint.tsx'
import type { Config } from './notification-page.tsx'
import { openEndpointForm, openRotateForm } from './open-drawers.tsx'
import { type EndpointRow, endpointTone } from './status.ts'

type Props = { config: Config; mayWrite: boolean; onAdd: () => void }

/** Where notifications go, and the key by which their endpoints know them. */
export function EndpointList({ config, mayWrite, onAdd }: Props) {
  const { t } = useTranslation()
  return (
    <div className="hf-stack">
      {config.receivers.length === 0 ? (
        <div className="hf-panel">
          <NoEndpoint mayWrite={mayWrite} onAdd={onAdd} />
        </div>
      ) : (
        <ul className="hf-notify-endpoints" aria-label={t('notification.view.receivers')}>
          {config.receivers.map((endpoint) => (
            <li key={endpoint.endpoint_id} className="hf-panel">
              <EndpointCard endpoint={endpoint} mayWrite={mayWrite} />
            </li>
          ))}
        </ul>
      )}
      {config.keys.length > 0 && <KeyPanel config={config} mayWrite={mayWrite} />}
    </div>
  )
}

function EndpointCard({ endpoint, mayWrite }: { endpoint: EndpointRow; mayWrite: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <div className="hf-section-head">
        <p className="hf-notify-endpoint-url hf-break" translate="no">
          {endpoint.url}
        </p>
        <StatusTag tone={endpointTone(endpoint.state)} text={t(`notification.endpointState.${endpoint.state}`)} />
      </div>
      {endpoint.app_id !== null && <p className="hf-small">{t('notification.endpoint.ofKey', { key: endpoint.app_id })}</p>}
      <ul className="hf-chips" aria-label={t('notification.form.sides')}>
        {endpoint.sides.map((side) => (
          <li key={side} className="hf-chip">
            {t(`notification.side.${side}`)}
          </li>
        ))}
      </ul>
      <p className="hf-small hf-muted">
        {endpoint.confirmations_step > 0 && <>{t('notification.endpoint.step', { count: endpoint.confirmations_step })} </>}
        {t('notification.endpoint.pauseAfter', { count: endpoint.pause_after })}{' '}
        {endpoint.waiting > 0 && t('notification.endpoint.waiting', { count: endpoint.waiting })}
      </p>
      {endpoint.failing_since !== null && (
        <p className="hf-small hf-muted">
          {t('notification.endpoint.failing', { count: endpoint.failures })} <RelativeTime ms={endpoint.failing_since} />
        </p>
      )}
      {mayWrite && <EndpointActions endpoint={endpoint} />}
    </>
  )
}

function EndpointActions({ endpoint }: { endpoint: EndpointRow }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const toast = useToast()
  const [, setSearch] = useSearchParams()
  const pause = useSend(pauseWebhookEndpoint)
  const tryOut = useSend(testWebhookEndpoint)
  const isPaused = endpoint.paused_at !== null
  const toggle = () => pause.mutateAsync({ endpoint_id: endpoint.endpoint_id, paused: !isPaused }).catch(() => undefined)
  const test = async () => {
    const answer = await tryOut.mutateAsync({ endpoint_id: endpoint.endpoint_id }).catch(() => undefined)
    if (!answer) return
    toast.success(t('notification.endpoint.testSent'), 'test')
    setSearch({ open: answer.notify_id })
  }
  return (
    <div className="hf-row">
      <Button size="small" loading={tryOut.isPending} onClick={() => void test()}>
        {t('notification.endpoint.test')}
      </Button>
      <Button size="small" variant={isPaused ? 'primary' : 'default'} loading={pause.isPending} onClick={() => void toggle()}>
        {t(isPaused ? 'notification.endpoint.resume' : 'notification.endpoint.pause')}
      </Button>
      {endpoint.app_id === null && (
        <Button
          size="small"
          variant="quiet"
          icon={<IconEdit />}
          onClick={() => void openEndpointForm(drawers, { title: t('notification.form.edit'), endpoint })}
        >
          {t('notification.form.edit')}
        </Button>
      )}
    </div>
  )
}

function KeyPanel({ config, mayWrite }: { config: Config; mayWrite: boolean }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const present = config.keys.find((key) => key.retired_at === null)
  const retired = config.keys.filter((key) => key.retired_at !== null)
  if (!present) return null
  const example = verifyExample(present.key_id, present.public_key)
  return (
    <section className="hf-panel hf-stack" aria-labelledby="notify-key">
      <div className="hf-section-head">
        <h2 id="notify-key">{t('notification.key.title')}</h2>
        {mayWrite && (
          <Button size="small" onClick={() => void openRotateForm(drawers, t('notification.key.rotate'))}>
            {t('notification.key.rotate')}
          </Button>
        )}
      </div>
      <p className="hf-muted">{t('notification.key.note')}</p>
      <dl className="hf-notify-keyfacts">
        <dt>{t('notification.key.id')}</dt>
        <dd className="hf-mono">{present.key_id}</dd>
        <dt>{t('notification.key.since')}</dt>
        <dd>
          <Time ms={present.created_at} />
        </dd>
      </dl>
      <Code title={t('notification.key.public')} text={present.public_key.trim()} copy={t('notification.key.copy')} />
      <Code title={t('notification.key.example')} text={example} copy={t('notification.key.copyExample')} />
      {retired.length > 0 && (
        <div>
          <h3>{t('notification.key.retired')}</h3>
          <ul className="hf-bullets hf-small">
            {retired.map((key) => (
              <li key={key.key_id}>
                <span className="hf-mono">{key.key_id}</span> · {t('notification.key.until')} {key.retired_at !== null && <Time ms={key.retired_at} />}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function Code({ title, text, copy }: { title: string; text: string; copy: string }) {
  return (
    <div>
      <div className="hf-section-head">
        <h3>{title}</h3>
        <CopyButton text={text} label={copy} showLabel />
      </div>
      <pre className="hf-notify-raw hf-notify-code" tabIndex={0} aria-label={title} translate="no">
        {text}
      </pre>
    </div>
  )
}
