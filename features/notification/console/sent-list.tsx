import { Button, type Column, DataTable, EmptyState, RelativeTime, StatusTag, useDrawers } from '@holdfast/ui'
import { useEndpoint, useRememberedPage } from '@holdfast/client'
import { dayLimits } from '@holdfast/ui/url-filters'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { listNotifications } from '../contract.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, isNarrowed, readFilters, writeFilters } from './filters.ts'
import { NoEndpoint } from './no-endpoint.tsx'
import type { Config } from './notification-page.tsx'
import { openNotification, openResendForm } from './open-drawers.tsx'
import { type NotificationRow, stateKey, toneOf } from './status.ts'
import { Statistics } from './statistics.tsx'

const PAGE_SIZE = 20
const FRESH_MS = 5_000

type Props = { filters: Filters; config: Config; mayWrite: boolean; onChange: (next: Partial<Filters>) => void; onAdd: () => void }

/** What was sent and is to be sent, newest first. */
export function SentList({ filters, config, mayWrite, onChange, onAdd }: Props) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch, isPlaceholderData } = useNotifications(filters)
  useOpenNotification(mayWrite)
  useRememberedPage({
    name: 'notifications',
    page: filters.page,
    data,
    isBare: search.size === 0,
    show: (page) => setSearch((present) => writeFilters({ ...readFilters(present), page }), { replace: true }),
  })
  return (
    <div className="hf-stack">
      <Statistics stat={data?.stat} onFailed={() => onChange({ status: 'failed' })} />
      <DataTable
        label={t('notification.view.sent')}
        columns={useColumns()}
        rows={data?.list}
        rowKey={(row) => row.notify_id}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="hf-panel">
            {<Nothing filters={filters} hasEndpoint={config.receivers.length > 0} mayWrite={mayWrite} onAdd={onAdd} onClear={() => setSearch({})} />}
          </div>
        }
        onOpen={(row) => setSearch({ ...writeFilters(filters), open: row.notify_id })}
        tools={
          <FilterBar filters={filters} endpoints={config.receivers} onChange={onChange}>
            {mayWrite && config.receivers.length > 0 && (
              <Button onClick={() => void openResendForm(drawers, t('notification.resend.window'))}>{t('notification.resend.window')}</Button>
            )}
          </FilterBar>
        }
        paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => onChange({ page }) }}
      />
    </div>
  )
}

type NothingProps = { filters: Filters; hasEndpoint: boolean; mayWrite: boolean; onAdd: () => void; onClear: () => void }

function Nothing({ filters, hasEndpoint, mayWrite, onAdd, onClear }: NothingProps) {
  const { t } = useTranslation()
  if (isNarrowed(filters))
    return <EmptyState drawing="search" title={t('notification.list.noMatch')} action={<Button onClick={onClear}>{t('notification.filter.clear')}</Button>} />
  if (hasEndpoint) return <EmptyState title={t('notification.list.none')}>{t('notification.list.noneNote')}</EmptyState>
  return <NoEndpoint mayWrite={mayWrite} onAdd={onAdd} />
}

function useNotifications(filters: Filters) {
  return useEndpoint(
    listNotifications,
    {
      ...(filters.side === undefined ? {} : { side: filters.side }),
      ...(filters.status === undefined ? {} : { status: filters.status }),
      ...(filters.wallet === undefined ? {} : { wallet_id: filters.wallet }),
      ...(filters.receiver === undefined ? {} : { endpoint_id: filters.receiver }),
      ...(filters.keyword === '' ? {} : { keyword: filters.keyword }),
      ...dayLimits(filters),
      page_no: filters.page,
      page_size: PAGE_SIZE,
    },
    { keepLast: true, refetchEveryMs: FRESH_MS },
  )
}

/** Opens the notification that the address names, and takes it out of the address when its drawer closes. */
function useOpenNotification(mayWrite: boolean): void {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const [search, setSearch] = useSearchParams()
  const id = search.get('open')
  useEffect(() => {
    if (id === null) return undefined
    let isHere = true
    void openNotification(drawers, { id, title: t('notification.detail.title'), mayWrite }).then(() => {
      if (isHere) setSearch((present) => writeFilters(readFilters(present)), { replace: true })
    })
    return () => {
      isHere = false
      drawers.close()
    }
    // The drawer follows the address only; words and rights that arrive later must not open it again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id, drawers])
}

function useColumns(): Column<NotificationRow>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'event',
      title: t('notification.column.event'),
      render: (row) => (
        <span className="hf-stack-tight">
          <span className="hf-notify-event">{t(`notification.side.${row.side}`, { defaultValue: row.side })}</span>
          <span className="hf-small hf-faint hf-mono hf-notify-name">{`${row.event} #${row.seq}`}</span>
        </span>
      ),
    },
    {
      key: 'state',
      title: t('notification.column.state'),
      render: (row) => (
        <StatusTag
          tone={toneOf(row)}
          text={t(stateKey(row))}
          {...(row.failure_reason !== null && row.status !== 'success'
            ? { detail: t(`notification.failure.${row.failure_reason}`, { defaultValue: row.failure_reason }) }
            : {})}
        />
      ),
    },
    {
      key: 'record',
      title: t('notification.column.record'),
      wideOnly: true,
      render: (row) => (
        <span className="hf-stack-tight">
          <span className="hf-small hf-mono hf-notify-id" title={row.biz_id ?? undefined}>
            {row.request_id ?? row.biz_id ?? '--'}
          </span>
          {row.biz_status !== null && <span className="hf-small hf-faint hf-numbers hf-nowrap">{t('notification.told', { status: row.biz_status })}</span>}
        </span>
      ),
    },
    {
      key: 'url',
      title: t('notification.column.url'),
      wideOnly: true,
      render: (row) => <EndpointName url={row.url} />,
    },
    {
      key: 'answer',
      title: t('notification.column.answer'),
      align: 'end',
      render: (row) => (
        <span className="hf-stack-tight">
          <span className="hf-numbers">{row.http_code ?? '--'}</span>
          {row.duration_ms !== null && <span className="hf-small hf-faint hf-numbers hf-nowrap">{t('notification.ms', { ms: row.duration_ms })}</span>}
        </span>
      ),
    },
    {
      key: 'times',
      title: t('notification.column.times'),
      align: 'end',
      render: (row) => <span className="hf-numbers hf-nowrap">{`${row.times} / ${row.max_times}`}</span>,
    },
    {
      key: 'when',
      title: t('notification.column.when'),
      render: (row) => (
        <span className="hf-stack-tight hf-small">
          {row.last_at === null ? <span className="hf-faint">--</span> : <RelativeTime ms={row.last_at} />}
          {row.next_at !== null && row.hold === null && (
            <span className="hf-faint hf-nowrap">
              {t('notification.column.next')} <RelativeTime ms={row.next_at} />
            </span>
          )}
        </span>
      ),
    },
  ]
}

/** The address of an endpoint in two lines, because many differ only in their paths. */
function EndpointName({ url }: { url: string }) {
  const { host, pathname, search } = new URL(url)
  const path = pathname + search
  return (
    <span className="hf-small hf-notify-url" title={url} translate="no">
      <span>{host}</span>
      {path !== '/' && <span className="hf-faint">{path}</span>}
    </span>
  )
}
