import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { listStandingReasons } from '@holdfast/features/standing-order/contract'
import { Amount, type Column, DataTable, EmptyState, FilterPicker, Label, ShortAddress, StatusTag, type Tone } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AUTH_STATES, listAllowing } from '../contract.ts'
import { type Collector, OfCollector } from './of-collector.tsx'

type Allowing = OutputOf<typeof listAllowing>['list'][number]
type Reason = OutputOf<typeof listStandingReasons>['list'][number]

const PAGE_SIZE = 20
const TONES: Record<(typeof AUTH_STATES)[number], Tone> = {
  ...{ none: 'neutral', exact: 'good', bounded: 'good', unlimited: 'bad', delegated: 'good', elsewhere: 'bad', unread: 'warn', pending: 'active' },
}

/** The states that there are by each way. */
const statesOf = (way: Collector['way']) =>
  AUTH_STATES.filter((state) => !(way === 'delegation' ? ['exact', 'bounded', 'unlimited'] : ['delegated', 'elsewhere']).includes(state))

/** What each address allows a collector to take, or to whom it delegates, and why an address is left. */
export function AllowingPage() {
  const { t } = useTranslation('collection')
  return (
    <OfCollector title={(way) => t(`collector.auth.title.${way}`)} lead={(way) => t(`collector.auth.lead.${way}`)}>
      {(of) => (
        <div className="hf-stack-wide">
          <List of={of} />
          {of.orders.collect !== null && <Reasons id={of.orders.collect} />}
        </div>
      )}
    </OfCollector>
  )
}

function List({ of }: { of: Collector }) {
  const { t } = useTranslation('collection')
  const [page, setPage] = useState(1)
  const [state, setState] = useState<(typeof AUTH_STATES)[number]>()
  const asked = { id: of.id, page_no: page, page_size: PAGE_SIZE, ...(state !== undefined && { auth_status: state }) }
  const { data, error, refetch } = useEndpoint(listAllowing, asked, { keepLast: true })
  const allowance: Column<Allowing> = {
    key: 'allowance',
    title: t('collector.auth.allowance'),
    align: 'end',
    wideOnly: true,
    render: ({ allowance, symbol }) => <Amount value={allowance} unit={symbol} />,
  }
  const columns: Column<Allowing>[] = [
    {
      key: 'address',
      title: t('collector.auth.address'),
      render: ({ address, sub_wallet_name: name }) => (
        <span className="hf-stack-tight">
          <ShortAddress address={address} />
          <Label text={name} />
        </span>
      ),
    },
    { key: 'balance', title: t('collector.auth.balance'), align: 'end', render: ({ balance, symbol }) => <Amount value={balance} unit={symbol} /> },
    // Nothing bounds a delegation.
    ...(of.way === 'delegation' ? [] : [allowance]),
    {
      key: 'state',
      title: t('collector.statusTitle'),
      render: ({ auth_status: each }) => <StatusTag tone={TONES[each]} text={t(`collector.auth.state.${each}`)} />,
    },
  ]
  return (
    <DataTable
      label={t(`collector.auth.title.${of.way}`)}
      columns={columns}
      rows={data?.list}
      rowKey={({ address, symbol }) => `${address} ${symbol}`}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('collector.auth.none')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      tools={
        <FilterPicker
          label={t('collector.statusTitle')}
          value={state}
          options={statesOf(of.way).map((value) => ({ value, label: t(`collector.auth.state.${value}`) }))}
          onChange={(value) => {
            setState(value)
            setPage(1)
          }}
        />
      }
    />
  )
}

function Reasons({ id }: { id: string }) {
  const { t } = useTranslation('collection')
  const { t: standing } = useTranslation('coSigner')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(listStandingReasons, { id, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const columns: Column<Reason>[] = [
    { key: 'address', title: t('collector.auth.address'), render: ({ address }) => <ShortAddress address={address} /> },
    { key: 'amount', title: t('collector.auth.balance'), align: 'end', render: ({ amount, symbol }) => <Amount value={amount} unit={symbol} /> },
    {
      key: 'why',
      title: t('collector.auth.why'),
      render: ({ reason, detail }) => (
        <span className="hf-stack-tight">
          <span>{standing(`standing.reason.${reason}`, { detail })}</span>
          <span className="hf-small hf-muted">{standing(`standing.change.${reason}`)}</span>
        </span>
      ),
    },
  ]
  return (
    <DataTable
      label={t('collector.auth.why')}
      columns={columns}
      rows={data?.list}
      rowKey={({ address, symbol }) => `${address} ${symbol}`}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('collector.auth.allTaken')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}
