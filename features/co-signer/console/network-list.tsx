import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { Amount, type Column, DataTable, EmptyState, StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listCollectingChains } from '../contract.ts'

type Chain = OutputOf<typeof listCollectingChains>['list'][number]

const FEW_DAYS = 7

/** The networks of a wallet, and how long the coins for fees last on each. */
export function NetworkList({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const { data, error, refetch } = useEndpoint(listCollectingChains, { wallet_id: walletId })
  const daysOf = ({ needs_fuel: needs, gas_balance: balance, gas_days_left: days }: Chain) => {
    if (!needs) return <span className="hf-muted">{t('collect.network.noFuel')}</span>
    if (balance === null) return <StatusTag tone="bad" text={t('collect.network.nobody')} />
    if (balance === '0') return <StatusTag tone="bad" text={t('collect.network.empty')} />
    if (days === null) return <span className="hf-muted">{t('collect.network.unknown')}</span>
    return <StatusTag tone={days < FEW_DAYS ? 'warn' : 'good'} text={t('collect.network.days', { count: days })} />
  }
  const columns: Column<Chain>[] = [
    { key: 'network', title: t('collect.network.name'), render: ({ network }) => <strong>{network}</strong> },
    {
      key: 'open',
      title: t('collect.network.open'),
      render: ({ open }) => <StatusTag tone={open ? 'good' : 'neutral'} text={t(open ? 'collect.network.isOpen' : 'collect.network.isClosed')} />,
    },
    {
      key: 'gas',
      title: t('collect.network.gas'),
      align: 'end',
      render: ({ gas_balance: balance, symbol }) => <Amount value={balance} unit={symbol} />,
    },
    { key: 'days', title: t('collect.network.left'), render: daysOf },
  ]
  return (
    <DataTable
      label={t('collect.tab.networks')}
      columns={columns}
      rows={data?.list}
      rowKey={({ chain }) => chain}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('collect.network.none')} />}
    />
  )
}
