import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { openOrderDrawer, subStatusKey } from '@holdfast/features/transaction/console'
import { usePermission } from '@holdfast/features/session/console'
import {
  Amount,
  Button,
  type Column,
  confirm,
  DataTable,
  EmptyState,
  FilterPicker,
  FlowChart,
  RelativeTime,
  ShareChart,
  ShortAddress,
  StatusTag,
  summaryMoney,
  type Tone,
  useDrawers,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelCollectingRecord, getCollectingStatistics, listCollectingRecords, speedUpCollectingRecord } from '../contract.ts'

type Moved = OutputOf<typeof listCollectingRecords>['list'][number]

const PAGE_SIZE = 20
const TYPES = ['10', '11'] as const

/** What was collected each day and for which fees, and every transfer of it. */
export function RecordList({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const { t: common } = useTranslation()
  const drawers = useDrawers()
  const mayWrite = usePermission('co_signer.write')
  const [page, setPage] = useState(1)
  const [type, setType] = useState<(typeof TYPES)[number]>()
  const asked = { wallet_id: walletId, page_no: page, page_size: PAGE_SIZE, ...(type !== undefined && { type }) }
  const { data, error, refetch } = useEndpoint(listCollectingRecords, asked, { keepLast: true })
  const cancel = useSend(cancelCollectingRecord)
  const speedUp = useSend(speedUpCollectingRecord)
  const takeBack = async ({ id }: Moved) => {
    const { outcome } = await confirm(drawers, {
      type: 'warning',
      title: t('collect.record.cancel'),
      content: t('collect.record.cancelText'),
      confirmText: t('collect.record.cancelDo'),
    })
    if (outcome === 'confirm') cancel.mutate({ wallet_id: walletId, id })
  }
  const raise = async ({ id }: Moved) => {
    const { outcome } = await confirm(drawers, {
      type: 'info',
      title: t('collect.record.raise'),
      content: t('collect.record.raiseText'),
      confirmText: t('collect.record.raiseDo'),
    })
    if (outcome === 'confirm') speedUp.mutate({ wallet_id: walletId, id })
  }
  const columns: Column<Moved>[] = [
    {
      key: 'at',
      title: t('collect.record.at'),
      render: ({ created_at: at, trans_type: kind }) => (
        <span className="hf-stack-tight">
          <RelativeTime ms={at} />
          <span className="hf-small hf-muted">{t(`collect.record.type.${kind}`)}</span>
        </span>
      ),
    },
    { key: 'amount', title: t('collect.record.amount'), align: 'end', render: (row) => <Moving row={row} /> },
    { key: 'from', title: t('collect.record.from'), render: ({ address_from: address }) => <ShortAddress address={address} /> },
    { key: 'to', title: t('collect.record.to'), wideOnly: true, render: ({ address_to: address }) => <ShortAddress address={address} /> },
    {
      key: 'fee',
      title: t('collect.record.fee'),
      align: 'end',
      wideOnly: true,
      render: ({ fee, fee_symbol: unit, fee_pct: percent }) => (
        <span className="hf-stack-tight">
          <Amount value={fee} unit={unit} />
          {percent !== null && <span className="hf-small hf-muted">{t('collect.rule.ofAmount', { percent })}</span>}
        </span>
      ),
    },
    {
      key: 'status',
      title: t('collect.record.status'),
      render: ({ status, sub_status: finer }) => {
        const why = status === 2000 ? undefined : subStatusKey(finer)
        return <StatusTag tone={toneOf(status)} text={common(`transaction.status.${status}`)} detail={why && common(why)} />
      },
    },
    {
      key: 'do',
      title: t('collect.rule.do'),
      hidesTitle: true,
      align: 'end',
      render: (row) => {
        const [can, text] = row.can_cancel ? [takeBack, t('collect.record.cancelDo')] : row.can_speed_up ? [raise, t('collect.record.raiseDo')] : []
        return mayWrite && can ? (
          <Button
            size="small"
            onClick={(event) => {
              event.stopPropagation()
              void can(row)
            }}
          >
            {text}
          </Button>
        ) : null
      },
    },
  ]
  return (
    <div className="hf-stack-wide">
      <Statistics walletId={walletId} />
      <DataTable
        label={t('collect.tab.records')}
        columns={columns}
        rows={data?.list}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        onOpen={({ id, trans_type: kind }) => void openOrderDrawer(drawers, { id, kind: 'withdraw', title: t(`collect.record.type.${kind}`) })}
        empty={<EmptyState title={t('collect.record.none')} />}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
        tools={
          <FilterPicker
            label={t('collect.record.kind')}
            value={type}
            options={TYPES.map((value) => ({ value, label: t(`collect.record.type.${value}`) }))}
            onChange={(value) => {
              setType(value)
              setPage(1)
            }}
          />
        }
      />
    </div>
  )
}

/** How much was moved, of how many coins, and what stayed behind. */
function Moving({ row: { amount, symbol, joined, stays, fee_symbol: unit } }: { row: Moved }) {
  const { t } = useTranslation('coSigner')
  return (
    <span className="hf-stack-tight">
      <Amount value={amount} unit={symbol} />
      {joined !== null && joined > 1 && <span className="hf-small hf-muted">{t('collect.record.joined', { count: joined })}</span>}
      {stays !== null && (
        <span className="hf-small hf-muted">
          {t(`collect.record.stays.${stays.what}`)} <Amount value={stays.amount} unit={unit} />
        </span>
      )}
    </span>
  )
}

const toneOf = (status: number): Tone => (status === 2000 ? 'good' : status >= 2000 ? 'bad' : 'active')

function Statistics({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const { data } = useEndpoint(getCollectingStatistics, { wallet_id: walletId, period: '30' })
  if (!data || data.count === 0) return null
  const { count, value, fee, fee_pct: percent, days } = data
  return (
    <>
      <FlowChart
        title={t('collect.chart.title')}
        note={
          value === null
            ? t('collect.chart.noPrices')
            : t('collect.chart.sum', { count, value: summaryMoney(value, 'USD'), fee: summaryMoney(fee, 'USD'), percent: percent ?? 0 })
        }
        days={days.map((day) => ({ atMs: day.day, in: day.value, out: '0', fee: day.fee }))}
        names={{ in: t('collect.chart.collected'), out: t('collect.chart.back'), fee: t('collect.chart.fees') }}
        dayTitle={t('collect.chart.day')}
        unit="USD"
      />
      <ShareChart title={t('collect.chart.share')} days={days.map((day) => ({ atMs: day.day, percent: day.fee_pct }))} />
    </>
  )
}
