import './batch.css'
import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { Amount, type Column, DataTable, EmptyState, ErrorState, FilterPicker, Label, LoadingState, PageHeader, RelativeTime } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { getBatch, listBatches } from '../contract.ts'
import { batchState, type BatchState } from '../shapes-contract.ts'
import { BatchLines } from './batch-lines.tsx'
import { BatchLinks } from './batch-links.tsx'
import { BatchTag } from './batch-state.tsx'
import { BatchPanel } from './batch-panel.tsx'

type Listed = OutputOf<typeof listBatches>['list'][number]

const PAGE_SIZE = 20
const PLACE = '/mpc/tools/batchTransfer/transferRecord'

/** The batches of the organisation, and of one of them its lines. */
export function RecordPage() {
  const { t } = useTranslation('tools')
  const batchId = useSearchParams()[0].get('batch')
  return (
    <>
      <PageHeader title={t('batch.record.title')} />
      <div className="hf-stack">
        <BatchLinks />
        {batchId === null ? <Batches /> : <OneBatch key={batchId} batchId={batchId} />}
      </div>
    </>
  )
}

function Batches() {
  const { t } = useTranslation('tools')
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState<BatchState>()
  const { data, error, refetch } = useEndpoint(listBatches, { page_no: page, page_size: PAGE_SIZE, ...(status && { status }) }, { keepLast: true })
  const options = batchState.options.map((value) => ({ value, label: t(`batch.state.${value}`) }))
  const columns: Column<Listed>[] = [
    {
      key: 'file',
      title: t('batch.file'),
      render: ({ batch_id: id, file_name: name, state }) => (
        <Link to={state === 'checked' ? `/mpc/tools/batchTransfer?batch=${id}` : `${PLACE}?batch=${id}`}>{name === '' ? id : name}</Link>
      ),
    },
    {
      key: 'from',
      title: t('batch.from'),
      wideOnly: true,
      render: (each) => <Label text={`${each.wallet_name} / ${each.sub_wallet_name} · ${each.network}`} wrap />,
    },
    {
      key: 'lines',
      title: t('batch.lines'),
      align: 'end',
      render: ({ lines, counts }) => <span className="hf-numbers">{`${counts.completed ?? 0} / ${lines}`}</span>,
    },
    { key: 'total', title: t('batch.total'), align: 'end', render: ({ total, symbol }) => <Amount value={total} unit={symbol} /> },
    { key: 'initiator', title: t('batch.initiator'), wideOnly: true, render: ({ initiator }) => <Label text={initiator.name} /> },
    { key: 'at', title: t('batch.at'), render: ({ created_at: at }) => <RelativeTime ms={at} /> },
    { key: 'state', title: t('batch.column.state'), render: ({ state }) => <BatchTag state={state} /> },
  ]
  return (
    <DataTable
      name="batches"
      label={t('batch.record.title')}
      columns={columns}
      rows={data?.list}
      rowKey={({ batch_id: id }) => id}
      error={error}
      onRetry={() => void refetch()}
      tools={
        <FilterPicker
          label={t('batch.column.state')}
          value={status}
          options={options}
          onChange={(next) => {
            setStatus(next)
            setPage(1)
          }}
        />
      }
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      empty={<EmptyState title={t('batch.record.none')}>{t('batch.record.noneText')}</EmptyState>}
    />
  )
}

function OneBatch({ batchId }: { batchId: string }) {
  const { t } = useTranslation('tools')
  const { data, error, refetch } = useEndpoint(getBatch, { batch_id: batchId })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  return (
    <>
      <div className="hf-row">
        <Link to={PLACE}>{t('batch.record.all')}</Link>
        {data.retry_of !== null && <Link to={`${PLACE}?batch=${data.retry_of}`}>{t('batch.record.retryOf')}</Link>}
      </div>
      <BatchPanel batch={data} />
      <BatchLines batchId={batchId} symbol={data.symbol} isAsked />
    </>
  )
}
