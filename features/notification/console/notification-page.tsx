import './notification.css'
import type { OutputOf } from '@holdfast/contract'
import { MailStandings } from '@holdfast/features/mail/console'
import { usePermission } from '@holdfast/features/session/console'
import { Button, ErrorState, IconPlus, LoadingState, Note, PageHeader, Tabs, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { getWebhookEndpoints } from '../contract.ts'
import { ChangeList } from './change-list.tsx'
import { type Filters, readFilters, VIEWS, writeFilters } from './filters.ts'
import { openEndpointForm } from './open-drawers.tsx'
import { EndpointList } from './endpoint-list.tsx'
import { SentList } from './sent-list.tsx'

export type Config = OutputOf<typeof getWebhookEndpoints>

/** Who is told of what, what was sent, and what came of it. */
export function NotificationPage() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const filters = readFilters(search)
  const drawers = useDrawers()
  const mayWrite = usePermission('notification.write')
  const { data, error, refetch } = useEndpoint(getWebhookEndpoints, {}, { refetchEveryMs: 10_000 })
  const change = (next: Partial<Filters>) => setSearch(writeFilters({ ...filters, page: 1, ...next }))
  const add = () => data && void openEndpointForm(drawers, { title: t('notification.form.add') })
  return (
    <>
      <PageHeader
        title={t('notification.title')}
        actions={
          mayWrite &&
          data && (
            <Button variant="primary" icon={<IconPlus />} onClick={add}>
              {t('notification.form.add')}
            </Button>
          )
        }
      >
        {t('notification.note')}
      </PageHeader>
      <div className="hf-stack">
        {data?.receivers
          .filter(({ state }) => state === 'auto_paused')
          .map((endpoint) => (
            <Note key={endpoint.endpoint_id} tone="bad" title={t('notification.autoPaused.title')}>
              {t('notification.autoPaused.text', { count: endpoint.failures })} <span className="hf-break">{endpoint.url}</span>
              <MailStandings mails={endpoint.letters} />
            </Note>
          ))}
        <Tabs
          label={t('notification.title')}
          tabs={VIEWS.map((key) => ({ key, label: t(`notification.view.${key}`) }))}
          active={filters.view}
          onChange={(view) => setSearch(writeFilters({ ...filters, view, page: 1 }))}
        >
          {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />)}
          {data && filters.view === 'sent' && <SentList filters={filters} config={data} mayWrite={mayWrite} onChange={change} onAdd={add} />}
          {data && filters.view === 'receivers' && <EndpointList config={data} mayWrite={mayWrite} onAdd={add} />}
          {data && filters.view === 'changes' && <ChangeList changes={data.changes} />}
        </Tabs>
      </div>
    </>
  )
}
