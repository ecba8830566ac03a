import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { openOrderDrawer } from '@holdfast/features/transaction/console'
import {
  Amount,
  Button,
  type Column,
  DataTable,
  DrawerBody,
  DrawerFooter,
  EmptyState,
  ErrorState,
  LoadingState,
  RelativeTime,
  ShortAddress,
  StatusTag,
  type Tone,
  useDrawerPage,
  useDrawers,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelRun, getRun, listRuns } from '../contract.ts'

type Run = OutputOf<typeof listRuns>['list'][number]
type Output = OutputOf<typeof getRun>['outputs'][number]

const PAGE_SIZE = 20
const toneOf = (status: number): Tone => (status === 2000 ? 'good' : status >= 2000 ? 'bad' : 'active')
const TONES: Record<Output['state'], Tone> = { held: 'active', taken: 'good', left: 'warn' }

/** The collections of a wallet, or of one collector of it. */
export function RunList({ walletId, id }: { walletId: string; id?: string }) {
  const { t } = useTranslation('collection')
  const { t: common } = useTranslation()
  const drawers = useDrawers()
  const [page, setPage] = useState(1)
  const asked = { wallet_id: walletId, page_no: page, page_size: PAGE_SIZE, ...(id !== undefined && { id }) }
  const { data, error, refetch } = useEndpoint(listRuns, asked, { keepLast: true })
  const columns: Column<Run>[] = [
    {
      key: 'at',
      title: t('collector.run.at'),
      render: ({ created_at: at, trans_type: kind }) => (
        <span className="hf-stack-tight">
          <RelativeTime ms={at} />
          <span className="hf-small hf-muted">{t(`collector.run.type.${kind}`)}</span>
        </span>
      ),
    },
    { key: 'amount', title: t('collector.run.amount'), align: 'end', render: ({ amount, symbol }) => <Amount value={amount} unit={symbol} /> },
    { key: 'from', title: t('collector.run.from'), align: 'end', render: ({ from_count: count }) => <span className="hf-numbers">{count}</span> },
    {
      key: 'fee',
      title: t('collector.run.fee'),
      align: 'end',
      wideOnly: true,
      render: ({ fee, fee_symbol: unit, fee_pct: percent }) => (
        <span className="hf-stack-tight">
          <Amount value={fee} unit={unit} />
          {percent !== null && <span className="hf-small hf-muted">{t('collector.run.ofAmount', { percent })}</span>}
        </span>
      ),
    },
    {
      key: 'status',
      title: t('collector.statusTitle'),
      render: ({ status }) => <StatusTag tone={toneOf(status)} text={common(`transaction.status.${status}`)} />,
    },
  ]
  return (
    <DataTable
      label={t('collector.run.title')}
      columns={columns}
      rows={data?.list}
      rowKey={(row) => row.id}
      error={error}
      onRetry={() => void refetch()}
      onOpen={(run) => void drawers.push({ title: t(`collector.run.type.${run.trans_type}`), body: <RunDrawer id={run.id} /> })}
      empty={<EmptyState title={t('collector.run.none')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}

/** What a collection takes of each address. */
function RunDrawer({ id }: { id: string }) {
  const { t } = useTranslation('collection')
  const drawers = useDrawers()
  const { close } = useDrawerPage()
  const mayCancel = usePermission('collection.operate')
  const cancel = useSend(cancelRun)
  const { data, error, refetch } = useEndpoint(getRun, { id })
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</DrawerBody>
  const columns: Column<Output>[] = [
    { key: 'address', title: t('collector.auth.address'), render: ({ address }) => <ShortAddress address={address} /> },
    { key: 'amount', title: t('collector.run.amount'), align: 'end', render: ({ amount }) => <Amount value={amount} unit={data.symbol} /> },
    { key: 'state', title: t('collector.statusTitle'), render: ({ state }) => <StatusTag tone={TONES[state]} text={t(`collector.run.state.${state}`)} /> },
  ]
  return (
    <>
      <DrawerBody>
        <DataTable
          label={t('collector.run.outputs')}
          columns={columns}
          rows={data.outputs}
          rowKey={({ address }) => address}
          empty={<EmptyState title={t('collector.run.noOutputs')} />}
        />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => void openOrderDrawer(drawers, { id, kind: 'withdraw', title: t(`collector.run.type.${data.trans_type}`) })}>
          {t('collector.run.order')}
        </Button>
        {mayCancel && data.can_cancel && (
          <Button variant="danger" loading={cancel.isPending} onClick={() => cancel.mutate({ id }, { onSuccess: () => close() })}>
            {t('collector.run.cancel')}
          </Button>
        )}
      </DrawerFooter>
    </>
  )
}
