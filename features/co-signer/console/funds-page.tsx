import './co-signer.css'
import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Amount, Button, type Column, DataTable, EmptyState, FilterPicker, Label, RelativeTime, ShortAddress, Tabs } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { collectNow, listCollectingDeposits, listCollectingFunds, mergeDeposits, modifyDeposit } from '../contract.ts'
import { OfWallet } from './of-wallet.tsx'
import { editPath } from './rule-list.tsx'

type Held = OutputOf<typeof listCollectingFunds>['list'][number]
type Deposit = OutputOf<typeof listCollectingDeposits>['list'][number]

const PAGE_SIZE = 20
const TABS = ['addresses', 'deposits'] as const
const SAID = ['rule', 'now', 'leave'] as const

/** What waits to be collected, why, and the one thing that would change it. */
export function FundsPage() {
  const { t } = useTranslation('coSigner')
  const [tab, setTab] = useState<(typeof TABS)[number]>('addresses')
  return (
    <OfWallet title={t('collect.funds.title')} lead={t('collect.funds.lead')}>
      {(walletId) => (
        <Tabs label={t('collect.funds.title')} tabs={TABS.map((key) => ({ key, label: t(`collect.funds.tab.${key}`) }))} active={tab} onChange={setTab}>
          {tab === 'addresses' ? <Addresses walletId={walletId} /> : <Deposits walletId={walletId} />}
        </Tabs>
      )}
    </OfWallet>
  )
}

function Addresses({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const mayWrite = usePermission('co_signer.write')
  const [page, setPage] = useState(1)
  const [reason, setReason] = useState<string>()
  const asked = { wallet_id: walletId, page_no: page, page_size: PAGE_SIZE, ...(reason !== undefined && { reason }) }
  const { data, error, refetch } = useEndpoint(listCollectingFunds, asked, { keepLast: true })
  const collect = useSend(collectNow)
  const columns: Column<Held>[] = [
    {
      key: 'address',
      title: t('collect.funds.address'),
      render: ({ address, sub_wallet_name: name }) => (
        <span className="hf-stack-tight">
          <ShortAddress address={address} />
          <span className="hf-small hf-muted">
            <Label text={name} />
          </span>
        </span>
      ),
    },
    {
      key: 'has',
      title: t('collect.funds.has'),
      align: 'end',
      render: ({ balance, symbol, network, parts, fee_coins: coins }) => (
        <span className="hf-stack-tight">
          <Amount value={balance} unit={symbol} />
          <span className="hf-small hf-muted">{network}</span>
          {coins !== null && (
            <span className="hf-small hf-muted">
              {t('collect.funds.feeCoins')} <Amount value={coins.amount} unit={coins.symbol} />
            </span>
          )}
          {(parts ?? []).map(({ part, amount }) => (
            <span key={part} className="hf-small hf-muted">
              {t(`collect.funds.part.${part}`)} <Amount value={amount} unit={symbol} />
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'why',
      title: t('collect.funds.why'),
      render: ({ reason: why, detail, next_try_at: next }) => (
        <span className="hf-stack-tight">
          <span>
            {t(`standing.reason.${why}`, { detail: detail ?? '' })} {next !== null && <RelativeTime ms={next} />}
          </span>
          <span className="hf-small hf-muted">{t(`standing.change.${why}`)}</span>
        </span>
      ),
    },
    { key: 'since', title: t('collect.funds.since'), wideOnly: true, render: ({ at }) => <RelativeTime ms={at} /> },
    {
      key: 'do',
      title: t('collect.funds.do'),
      align: 'end',
      render: (row) => (mayWrite ? <Act row={row} walletId={walletId} isPending={collect.isPending} now={collect.mutate} /> : null),
    },
  ]
  return (
    <DataTable
      label={t('collect.funds.tab.addresses')}
      columns={columns}
      rows={data?.list}
      rowKey={({ id }) => id}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('collect.funds.none')}>{t('collect.funds.noneText')}</EmptyState>}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      tools={
        <div className="hf-row">
          <FilterPicker
            label={t('collect.funds.why')}
            value={reason}
            options={(data?.stat.reasons ?? []).map(({ reason: value, count }) => ({
              value,
              label: t(`standing.reason.${value}`, { detail: '…' }),
              detail: String(count),
            }))}
            onChange={(value) => {
              setReason(value)
              setPage(1)
            }}
          />
          {data && data.stat.waiting_usd !== null && (
            <span className="hf-muted">
              {t('collect.funds.sum')} <Amount value={data.stat.waiting_usd} unit="USD" summary />
            </span>
          )}
        </div>
      }
    />
  )
}

type ActProps = { row: Held; walletId: string; isPending: boolean; now: (given: { wallet_id: string; ids: string[] }) => void }

/** The one thing that would change why an address is not collected. */
function Act({ row, walletId, isPending, now }: ActProps) {
  const { t } = useTranslation('coSigner')
  const { id, action, chain, symbol } = row
  if (action === 'none') return null
  const name = t(`collect.funds.action.${action}`)
  if (action === 'collect_now' || action === 'follow_rule') {
    return (
      <Button size="small" loading={isPending} onClick={() => now({ wallet_id: walletId, ids: [id] })}>
        {name}
      </Button>
    )
  }
  return <Link to={action === 'set_rule' ? editPath({ chain, symbol }) : '/mpc/coSigner'}>{name}</Link>
}

function Deposits({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const mayWrite = usePermission('co_signer.write')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(listCollectingDeposits, { wallet_id: walletId, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const modify = useSend(modifyDeposit)
  const merge = useSend(mergeDeposits)
  const sameAs = (row: Deposit) =>
    (data?.list ?? []).filter(({ address, chain, symbol }) => address === row.address && chain === row.chain && symbol === row.symbol)
  const columns: Column<Deposit>[] = [
    { key: 'at', title: t('collect.record.at'), render: ({ credited_at: at }) => <RelativeTime ms={at} /> },
    { key: 'amount', title: t('collect.record.amount'), align: 'end', render: ({ amount, symbol }) => <Amount value={amount} unit={symbol} /> },
    {
      key: 'address',
      title: t('collect.funds.address'),
      render: ({ address, sub_wallet_name: name }) => (
        <span className="hf-stack-tight">
          <ShortAddress address={address} />
          <span className="hf-small hf-muted">
            <Label text={name} />
          </span>
        </span>
      ),
    },
    { key: 'said', title: t('collect.deposit.said'), render: ({ said }) => t(`collect.deposit.is.${said}`) },
    ...(mayWrite
      ? [
          {
            key: 'do',
            title: t('collect.funds.do'),
            align: 'end' as const,
            render: (row: Deposit) => (
              <span className="hf-row hf-row-end">
                {SAID.filter((said) => said !== row.said).map((said) => (
                  <Button key={said} size="small" onClick={() => modify.mutate({ wallet_id: walletId, id: row.id, credit_status: said })}>
                    {t(`collect.deposit.do.${said}`)}
                  </Button>
                ))}
                {sameAs(row).length > 1 && (
                  <Button size="small" onClick={() => merge.mutate({ wallet_id: walletId, ids: sameAs(row).map(({ id }) => id) })}>
                    {t('collect.deposit.merge', { count: sameAs(row).length })}
                  </Button>
                )}
              </span>
            ),
          },
        ]
      : []),
  ]
  return (
    <DataTable
      label={t('collect.funds.tab.deposits')}
      columns={columns}
      rows={data?.list}
      rowKey={({ id }) => id}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('collect.deposit.none')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}
