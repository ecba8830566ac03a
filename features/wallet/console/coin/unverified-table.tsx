import type { OutputOf } from '@holdfast/contract'
import { Address, type Column, DataTable, EmptyState, Note, ShortAddress, Time } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listUnverified } from '../../contract.ts'

type Row = OutputOf<typeof listUnverified>[number]

/** Tokens that arrived and that nobody knows. They have no name here and no amount: both would be the token's own claim. */
export function UnverifiedTable({ subWalletId }: { subWalletId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch, isPending } = useEndpoint(listUnverified, { sub_wallet_id: subWalletId })
  const columns: Column<Row>[] = [
    {
      key: 'contract',
      title: t('wallet.unverified.contract'),
      render: (row) => <Address address={row.contract_address} copyMessage={t('wallet.unverified.copied')} copyIsWarning />,
    },
    { key: 'network', title: t('wallet.unverified.network'), render: (row) => row.network },
    { key: 'arrivals', title: t('wallet.unverified.arrivals'), align: 'end', render: (row) => <span className="hf-numbers">{row.arrivals}</span> },
    { key: 'from', title: t('wallet.unverified.from'), render: (row) => <ShortAddress address={row.last_from} /> },
    { key: 'last', title: t('wallet.unverified.last'), align: 'end', render: (row) => <Time ms={row.last_in_at} /> },
  ]
  return (
    <section className="hf-stack" aria-labelledby="unverified">
      <h2 id="unverified">{t('wallet.unverified.title')}</h2>
      <Note tone="warn">{t('wallet.unverified.note')}</Note>
      <DataTable
        label={t('wallet.unverified.title')}
        columns={columns}
        rows={data}
        rowKey={(row) => `${row.chain} ${row.contract_address}`}
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="hf-panel">
            <EmptyState title={t('wallet.unverified.none')} />
          </div>
        }
      />
    </section>
  )
}
