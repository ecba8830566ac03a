import { useEndpoint } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { Amount, type Column, DataTable, EmptyState, Label, ShortAddress, StatusTag } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { listCollectors } from '../contract.ts'
import { type Collector, HOME, OfWallet, TONES } from './of-collector.tsx'

const PAGE_SIZE = 20

/** The collector contracts of the wallet in use. */
export function CollectorsPage() {
  const { t } = useTranslation('collection')
  const mayWrite = usePermission('collection.write')
  const actions = (
    <>
      <Link className="hf-button hf-button-default hf-button-middle" to={`${HOME}/history`}>
        {t('collector.toHistory')}
      </Link>
      {mayWrite && (
        <Link className="hf-button hf-button-primary hf-button-middle" to={`${HOME}/add`}>
          {t('collector.add')}
        </Link>
      )}
    </>
  )
  return (
    <OfWallet title={t('collector.title')} lead={t('collector.lead')} actions={actions}>
      {(walletId) => <List walletId={walletId} />}
    </OfWallet>
  )
}

function List({ walletId }: { walletId: string }) {
  const { t } = useTranslation('collection')
  const go = useNavigate()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(listCollectors, { wallet_id: walletId, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const columns: Column<Collector>[] = [
    {
      key: 'name',
      title: t('collector.name'),
      render: ({ name, network }) => (
        <span className="hf-stack-tight">
          <Label text={name} />
          <span className="hf-small hf-muted">{network}</span>
        </span>
      ),
    },
    { key: 'status', title: t('collector.statusTitle'), render: ({ status }) => <StatusTag tone={TONES[status]} text={t(`collector.status.${status}`)} /> },
    { key: 'tokens', title: t('collector.tokens'), align: 'end', render: ({ tokens }) => <span className="hf-numbers">{tokens}</span> },
    {
      key: 'auth',
      title: t('collector.letting'),
      align: 'end',
      render: ({ auth: { done, total } }) => <span className="hf-numbers">{`${done} / ${total}`}</span>,
    },
    { key: 'target', title: t('collector.target'), wideOnly: true, render: ({ target }) => <ShortAddress address={target.address} /> },
    {
      key: 'gas',
      title: t('collector.gas'),
      align: 'end',
      wideOnly: true,
      render: ({ gas_balance: value, gas_symbol: unit }) => <Amount value={value} unit={unit} />,
    },
  ]
  return (
    <DataTable
      label={t('collector.title')}
      columns={columns}
      rows={data?.list}
      rowKey={({ id }) => id}
      error={error}
      onRetry={() => void refetch()}
      onOpen={({ id }) => void go(`${HOME}/detail/${id}`)}
      empty={
        <EmptyState drawing="coins" title={t('collector.none')}>
          {t('collector.noneText')}
        </EmptyState>
      }
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}
