import './audit.css'
import type { OutputOf } from '@holdfast/contract'
import { useEndpoint, useRememberedPage } from '@holdfast/client'
import { usePermissionAnswer } from '@holdfast/features/session/console'
import { Button, type Column, DataTable, DayRange, EmptyState, FilterPicker, Label, LoadingState, PageHeader, TextFilter, Time } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { listLog, LOG_KINDS } from '../contract.ts'
import { type AuditFilters, auditInput, readAuditFilters, writeAuditFilters } from './audit-filters.ts'
import { AuditProof } from './audit-proof.tsx'

type Answer = OutputOf<typeof listLog>
type Row = Answer['list'][number]

const PAGE_SIZE = 20

/** Everything that the organisation's log says, and the way to check that nothing of it was changed. */
export function AuditPage() {
  const { t } = useTranslation()
  const may = usePermissionAnswer('log.read')
  return (
    <>
      <PageHeader title={t('evidence.audit.title')}>{t('evidence.audit.note')}</PageHeader>
      {may === undefined && <LoadingState rows={8} />}
      {may === false && (
        <div className="hf-panel">
          <EmptyState title={t('evidence.audit.mayNot')}>{t('evidence.audit.mayNotNote')}</EmptyState>
        </div>
      )}
      {may && <Audit />}
    </>
  )
}

function Audit() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const filters = readAuditFilters(search)
  const change = (next: Partial<AuditFilters>) => setSearch(writeAuditFilters({ ...filters, page: 1, ...next }), { replace: true })
  const input = { ...auditInput(filters), page_no: filters.page, page_size: PAGE_SIZE }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listLog, input, { keepLast: true })
  useRememberedPage({ name: 'audit', page: filters.page, data, isBare: search.size === 0, show: (page) => change({ page }) })
  return (
    <div className="hf-stack-wide">
      {data && <AuditProof log={data} />}
      <DataTable
        name="audit"
        label={t('evidence.audit.title')}
        tools={<FilterBar filters={filters} people={data?.people ?? []} onChange={change} />}
        columns={useColumns()}
        rows={data?.list}
        rowKey={({ sequence }) => String(sequence)}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="hf-panel">
            <EmptyState title={t('evidence.audit.none')} action={<Button onClick={() => setSearch({})}>{t('evidence.audit.clear')}</Button>} />
          </div>
        }
        paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => change({ page }) }}
      />
      {data && data.facts_from > 0 && data.entries > 0 && <p className="hf-small hf-muted">{t('evidence.audit.factsFrom', { number: data.facts_from })}</p>}
    </div>
  )
}

type FilterBarProps = { filters: AuditFilters; people: Answer['people']; onChange: (next: Partial<AuditFilters>) => void }

function FilterBar({ filters, people, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  return (
    <search className="hf-filters">
      <TextFilter search label={t('evidence.audit.keyword')} value={filters.keyword} onChange={(keyword) => onChange({ keyword })} />
      <FilterPicker
        label={t('evidence.audit.kind')}
        value={filters.kind}
        options={LOG_KINDS.map((kind) => ({ value: kind, label: t(`evidence.log.${kind}`) }))}
        onChange={(kind) => onChange({ kind })}
      />
      <FilterPicker
        label={t('evidence.audit.person')}
        value={filters.person}
        options={people.map(({ person_id: value, name: label }) => ({ value, label }))}
        onChange={(person) => onChange({ person })}
      />
      <DayRange
        label={t('evidence.audit.days')}
        fromLabel={t('evidence.audit.from')}
        toLabel={t('evidence.audit.to')}
        from={filters.from}
        to={filters.to}
        onChange={onChange}
      />
    </search>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation()
  const nothing = <span className="hf-faint">--</span>
  return [
    { key: 'sequence', title: t('evidence.audit.number'), align: 'end', width: 1, render: ({ sequence }) => <span className="hf-numbers">#{sequence}</span> },
    { key: 'at', title: t('evidence.audit.time'), render: ({ at }) => <Time ms={at} /> },
    { key: 'kind', title: t('evidence.audit.kind'), render: ({ kind }) => t(`evidence.log.${kind}`, { defaultValue: kind }) },
    { key: 'person', title: t('evidence.audit.person'), render: ({ person }) => (person ? <Label text={person.name} /> : nothing) },
    { key: 'detail', title: t('evidence.audit.detail'), render: (row) => <Detail row={row} /> },
    {
      key: 'hash',
      title: t('evidence.audit.hash'),
      wideOnly: true,
      render: ({ hash }) => (
        <code className="hf-nowrap" title={hash}>
          {hash.slice(0, 12)}…
        </code>
      ),
    },
  ]
}

function Detail({ row: { kind, detail, order_id: order } }: { row: Row }) {
  const { t } = useTranslation()
  const said = kind === 'approval' ? t(`evidence.decision.${detail}`, { defaultValue: detail }) : detail
  return (
    <span className="hf-row-tight">
      {said !== '' && <Label text={said} />}
      {order !== null && <Link to={`/mpc/center/wallet/transactions?wallets=all&q=${order}`}>{t('evidence.audit.order')}</Link>}
      {said === '' && order === null && <span className="hf-faint">--</span>}
    </span>
  )
}
