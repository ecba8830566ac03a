import './team.css'
import type { OutputOf } from '@holdfast/contract'
import { useSession } from '@holdfast/features/session/console'
import { exportLoginHistory, listLoginHistory, trustDevice } from '@holdfast/features/session/contract'
import { Button, type Column, DataTable, DayRange, EmptyState, ExportMenu, FilterPicker, Label, PageHeader, StatusTag, Time, useToast } from '@holdfast/ui'
import { useApi, useEndpoint, useRememberedPage, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type HistoryFilters, historyInput, readHistoryFilters, writeHistoryFilters } from './history-filters.ts'

type Row = OutputOf<typeof listLoginHistory>['list'][number]

const PAGE_SIZE = 20

/** Every sign-in and refused attempt. */
export function LoginHistoryPage() {
  const { t } = useTranslation('teamMember')
  const [search, setSearch] = useSearchParams()
  const filters = readHistoryFilters(search)
  const change = (next: Partial<HistoryFilters>) => setSearch(writeHistoryFilters({ ...filters, page: 1, ...next }))
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listLoginHistory,
    { ...historyInput(filters), page_no: filters.page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  useRememberedPage({
    name: 'loginHistory',
    page: filters.page,
    data,
    isBare: search.size === 0,
    show: (page) => setSearch(writeHistoryFilters({ ...filters, page }), { replace: true }),
  })
  return (
    <>
      <PageHeader title={t('history.title')} actions={<Export filters={filters} />}>
        {t(data?.all ? 'history.noteAll' : 'history.noteOwn')}
      </PageHeader>
      <div className="hf-stack-wide">
        <section aria-label={t('history.list')}>
          <DataTable
            label={t('history.list')}
            name="login-history"
            tools={<FilterBar filters={filters} people={data?.people ?? []} onChange={change} />}
            columns={useColumns()}
            rows={data?.list}
            rowKey={(row) => row.id}
            isLoading={isPlaceholderData}
            error={error}
            onRetry={() => void refetch()}
            empty={
              <div className="hf-panel">
                <EmptyState
                  title={t('history.none')}
                  action={search.size > 0 ? <Button onClick={() => setSearch({})}>{t('filter.clear')}</Button> : undefined}
                />
              </div>
            }
            paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => change({ page }) }}
          />
        </section>
      </div>
    </>
  )
}

function Export({ filters }: { filters: HistoryFilters }) {
  const { t } = useTranslation('teamMember')
  const { client } = useApi()
  const toast = useToast()
  const read = async () => {
    try {
      const { file_name: name, content, rows, complete } = await client.call(exportLoginHistory, historyInput(filters))
      if (!complete) toast.info(t('history.exportCut', { count: rows }))
      return { name: name.replace(/\.csv$/, ''), csv: content }
    } catch {
      toast.error(t('history.exportFailed'))
      return undefined
    }
  }
  return <ExportMenu label={t('history.export')} read={read} />
}

type FilterBarProps = { filters: HistoryFilters; people: readonly { user_id: string; name: string }[]; onChange: (next: Partial<HistoryFilters>) => void }

function FilterBar({ filters, people, onChange }: FilterBarProps) {
  const { t } = useTranslation('teamMember')
  return (
    <search className="hf-filters">
      {people.length > 0 && (
        <FilterPicker
          label={t('history.person')}
          value={filters.user}
          options={people.map((each) => ({ value: each.user_id, label: each.name }))}
          onChange={(user) => onChange({ user })}
        />
      )}
      <FilterPicker
        label={t('history.result')}
        value={filters.result}
        options={(['ok', 'refused'] as const).map((result) => ({ value: result, label: t(`history.${result}`) }))}
        onChange={(result) => onChange({ result })}
      />
      <DayRange label={t('history.days')} fromLabel={t('history.from')} toLabel={t('history.to')} from={filters.from} to={filters.to} onChange={onChange} />
    </search>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('teamMember')
  const unknown = <span className="hf-faint">--</span>
  return [
    { key: 'at', title: t('history.time'), render: (row) => <Time ms={row.at} /> },
    { key: 'person', title: t('history.person'), render: (row) => <Label text={row.name} /> },
    {
      key: 'result',
      title: t('history.result'),
      render: (row) => (
        <StatusTag
          tone={row.result === 'ok' ? 'good' : 'bad'}
          text={t(`history.${row.result}`)}
          {...(row.reason_text === '' ? {} : { detail: row.reason_text })}
        />
      ),
    },
    { key: 'way', title: t('history.way'), render: (row) => t(`way.${row.method}`) },
    {
      key: 'device',
      title: t('history.device'),
      render: (row) => (
        <span className="hf-stack-tight">
          <span>{row.device === '' && row.os === '' ? unknown : [`${row.device} ${row.app_version}`.trim(), row.os].filter(Boolean).join(t('comma'))}</span>
          {row.new_device && !row.trusted && <span className="hf-small hf-new-device">{t('history.newDevice')}</span>}
          {row.trusted && <span className="hf-small hf-muted">{t('history.trusted')}</span>}
        </span>
      ),
    },
    { key: 'ip', title: t('history.ip'), render: (row) => (row.ip === '' ? unknown : <code>{row.ip}</code>) },
    { key: 'place', title: t('history.place'), wideOnly: true, render: (row) => row.location ?? unknown },
    {
      key: 'session',
      title: t('history.session'),
      wideOnly: true,
      render: (row) => (row.session_state === null ? unknown : t(`history.sessionState.${row.session_state}`)),
    },
    { key: 'trust', title: t('history.trustTitle'), hidesTitle: true, align: 'end', width: 1, render: (row) => <Trust row={row} /> },
  ]
}

/** Whoever signed in says whether the device is theirs. */
function Trust({ row }: { row: Row }) {
  const { t } = useTranslation('teamMember')
  const own = useSession()?.session?.person_id
  const send = useSend(trustDevice)
  const device = [row.device, row.os].filter(Boolean).join(' ')
  // What nothing is known of cannot be told from anything else.
  if (row.result !== 'ok' || row.user_id !== own || device === '') return null
  const words = t(row.trusted ? 'history.distrust' : 'history.trust')
  return (
    <Button
      size="small"
      variant="quiet"
      loading={send.isPending}
      label={`${words}: ${device}`}
      onClick={() => send.mutate({ id: row.id, trusted: !row.trusted })}
    >
      {words}
    </Button>
  )
}
