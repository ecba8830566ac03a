import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { type Column, DataTable, DrawerBody, EmptyState, Label, RelativeTime, ShortAddress } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listStandingReasons } from '../contract.ts'

type Row = OutputOf<typeof listStandingReasons>['list'][number]

const PAGE_SIZE = 20

/** Every address that has something the standing order would move, why it is not moved, and what would change that. */
export function ReasonsDrawer({ id }: { id: string }) {
  const { t } = useTranslation('coSigner')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listStandingReasons, { id, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const columns: Column<Row>[] = [
    { key: 'address', title: t('standing.reasons.address'), render: ({ address }) => <ShortAddress address={address} /> },
    { key: 'wallet', title: t('standing.reasons.wallet'), wideOnly: true, render: ({ sub_wallet_name: name }) => <Label text={name} /> },
    {
      key: 'amount',
      title: t('standing.reasons.amount'),
      render: ({ amount, symbol }) => (
        <span className="hf-numbers">
          {amount} {symbol}
        </span>
      ),
    },
    {
      key: 'reason',
      title: t('standing.reasons.why'),
      render: ({ reason, detail }) => (
        <span className="hf-stack-tight">
          <span>{t(`standing.reason.${reason}`, { detail: detail ?? '' })}</span>
          <span className="hf-small hf-muted">{t(`standing.change.${reason}`)}</span>
        </span>
      ),
    },
    { key: 'at', title: t('standing.reasons.since'), wideOnly: true, render: ({ at }) => <RelativeTime ms={at} /> },
  ]
  return (
    <DrawerBody>
      <DataTable
        label={t('standing.reasons.open')}
        columns={columns}
        rows={data?.list}
        rowKey={({ chain, address, symbol }) => `${chain} ${address} ${symbol}`}
        error={error}
        onRetry={() => void refetch()}
        isLoading={isPlaceholderData}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
        empty={<EmptyState title={t('standing.reasons.none')} />}
      />
    </DrawerBody>
  )
}
