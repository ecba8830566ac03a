import './api.css'
import { useApi, useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import {
  type Column,
  DataTable,
  DayRange,
  EmptyState,
  ExportMenu,
  FilterPicker,
  Label,
  PageHeader,
  StatusTag,
  Tabs,
  TextFilter,
  Time,
  useToast,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { listMachines } from '../contract.ts'
import { exportCalls, listCalls, listSettingsLog } from '../log-contract.ts'
import { type CallFilters, callsInput, isStatus, readCallFilters, writeCallFilters } from './log-filters.ts'
import { SettingsDiff } from './settings-words.tsx'

type Call = OutputOf<typeof listCalls>['list'][number]
type Change = OutputOf<typeof listSettingsLog>['list'][number]

const PAGE_SIZE = 20
const KINDS = ['call', 'config'] as const

/** What programs called, and who wrote which settings. */
export function LogPage() {
  const { t } = useTranslation('apiPage')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('call')
  return (
    <>
      <PageHeader title={t('api.logTitle')}>{t('api.log.lead')}</PageHeader>
      <Tabs label={t('api.logTitle')} tabs={KINDS.map((key) => ({ key, label: t(`api.log.kind.${key}`) }))} active={kind} onChange={setKind}>
        {kind === 'call' ? <Calls /> : <Changes />}
      </Tabs>
    </>
  )
}

function Calls() {
  const { t } = useTranslation('apiPage')
  const [search, setSearch] = useSearchParams()
  const filters = readCallFilters(search)
  const change = (next: Partial<CallFilters>) => setSearch(writeCallFilters({ ...filters, page: 1, ...next }))
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listCalls,
    { ...callsInput(filters), page_no: filters.page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  return (
    <DataTable
      label={t('api.log.kind.call')}
      tools={<Filters filters={filters} onChange={change} />}
      columns={useCallColumns()}
      rows={data?.list}
      rowKey={({ id }) => id}
      isLoading={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('api.log.none')} />}
      paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => change({ page }) }}
    />
  )
}

function useCallColumns(): Column<Call>[] {
  const { t } = useTranslation('apiPage')
  return [
    { key: 'at', title: t('api.log.at'), render: ({ at }) => <Time ms={at} /> },
    { key: 'key', title: t('api.log.key'), render: ({ app_id: id }) => <code>{id}</code> },
    {
      key: 'call',
      title: t('api.log.call'),
      width: 240,
      render: ({ method, path, request_id: id }) => (
        <span className="hf-stack-tight">
          <code className="hf-api-body">{`${method} ${path}`}</code>
          {id !== null && <Label text={id} />}
        </span>
      ),
    },
    {
      key: 'result',
      title: t('api.log.result'),
      render: ({ http_code: status, code, refused }) => (
        <StatusTag
          tone={code === '0' ? 'good' : 'bad'}
          text={`${status} · ${code}`}
          {...(refused === null ? {} : { detail: t(`api.log.refusedWhy.${refused as 'off'}`) })}
        />
      ),
    },
    { key: 'ip', title: t('api.log.ip'), render: ({ ip }) => <code>{ip}</code> },
    {
      key: 'duration',
      title: t('api.log.duration'),
      align: 'end',
      render: ({ duration_ms: ms }) => <span className="hf-numbers">{t('api.ms', { count: ms })}</span>,
    },
    { key: 'body', title: t('api.log.body'), render: ({ body_masked: body }) => <code className="hf-api-body">{body || '--'}</code> },
  ]
}

function Filters({ filters, onChange }: { filters: CallFilters; onChange: (next: Partial<CallFilters>) => void }) {
  const { t } = useTranslation('apiPage')
  const machines = useEndpoint(listMachines, {})
  const keys = machines.data?.list.filter(({ kind }) => kind === 'api') ?? []
  const field = (name: 'keyword' | 'ip' | 'http_code' | 'code', label: string) => (
    <TextFilter
      key={name}
      label={label}
      value={filters[name] ?? ''}
      maxLength={64}
      onChange={(value) => onChange({ [name]: value || undefined })}
      {...(name === 'http_code' && { accept: (text: string) => text === '' || isStatus(text) })}
    />
  )
  return (
    <search className="hf-filters">
      <FilterPicker
        label={t('api.log.key')}
        value={filters.app_id}
        options={keys.map((each) => ({ value: each.app_id, label: each.name }))}
        onChange={(id) => onChange({ app_id: id })}
      />
      <FilterPicker
        label={t('api.log.method')}
        value={filters.method}
        options={(['GET', 'POST'] as const).map((value) => ({ value, label: value }))}
        onChange={(method) => onChange({ method })}
      />
      <FilterPicker
        label={t('api.log.letIn')}
        value={filters.refused}
        options={(['let_in', 'refused'] as const).map((value) => ({ value, label: t(`api.log.door.${value}`) }))}
        onChange={(refused) => onChange({ refused })}
      />
      <DayRange
        label={t('api.log.days')}
        fromLabel={t('api.log.fromDay')}
        toLabel={t('api.log.toDay')}
        from={filters.from}
        to={filters.to}
        onChange={onChange}
      />
      {field('keyword', t('api.log.keyword'))}
      {field('ip', t('api.log.ip'))}
      {field('http_code', t('api.log.http'))}
      {field('code', t('api.log.code'))}
      <Export filters={filters} />
    </search>
  )
}

function Export({ filters }: { filters: CallFilters }) {
  const { t } = useTranslation('apiPage')
  const { client } = useApi()
  const toast = useToast()
  const read = async () => {
    try {
      const { file_name: name, content, rows, complete } = await client.call(exportCalls, callsInput(filters))
      if (!complete) toast.info(t('api.log.exportCut', { count: rows }))
      return { name: name.replace(/\.csv$/, ''), csv: content }
    } catch {
      toast.error(t('api.log.exportFailed'))
      return undefined
    }
  }
  return <ExportMenu label={t('api.log.export')} read={read} />
}

function Changes() {
  const { t } = useTranslation('apiPage')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(listSettingsLog, { page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const machines = useEndpoint(listMachines, {})
  const columns: Column<Change>[] = [
    { key: 'at', title: t('api.log.at'), render: ({ at }) => <Time ms={at} /> },
    { key: 'key', title: t('api.log.key'), render: ({ app_id: id, version }) => <code>{`${id} · ${version}`}</code> },
    { key: 'who', title: t('api.log.who'), render: ({ user }) => (user === null ? t('api.byKey') : <Label text={user} />) },
    {
      key: 'diff',
      title: t('api.log.diff'),
      render: ({ before, after }) => <SettingsDiff before={before} after={after} wallets={machines.data?.wallets ?? []} />,
    },
    {
      key: 'state',
      title: t('api.log.result'),
      render: ({ state, decided_by: by }) => (
        <span className="hf-stack-tight">
          <span>{t(`api.log.state.${state}`)}</span>
          {by !== null && <Label text={by} />}
        </span>
      ),
    },
  ]
  return (
    <DataTable
      label={t('api.log.kind.config')}
      columns={columns}
      rows={data?.list}
      rowKey={({ app_id: id, version }) => `${id} ${version}`}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('api.log.noneConfig')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}
