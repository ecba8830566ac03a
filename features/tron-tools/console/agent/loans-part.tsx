import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import {
  Address,
  Amount,
  type Column,
  DataTable,
  DrawerBody,
  EmptyState,
  exactAmount,
  Facts,
  FilterPicker,
  Label,
  MISSING,
  Note,
  RelativeTime,
  StatusTag,
  Time,
  type Tone,
  useDrawers,
} from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listDelegations, SUPPLY_STATES } from '../../agent-contract.ts'

type Loan = OutputOf<typeof listDelegations>['list'][number]

const PAGE_SIZE = 20
const TONES: Record<Loan['status'], Tone> = {
  waiting: 'warn',
  lending: 'active',
  ready: 'active',
  burning: 'warn',
  stopped: 'bad',
  returning: 'active',
  over: 'good',
  renting: 'active',
}

/** What was lent for payments, and what they used and burned. */
export function LoansPart({ symbol }: { symbol: string }) {
  const { t } = useTranslation('tools')
  const drawers = useDrawers()
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState<Loan['status'] | undefined>()
  const { data, error, refetch } = useEndpoint(listDelegations, { page_no: page, page_size: PAGE_SIZE, ...(status && { status }) })
  const columns: Column<Loan>[] = [
    { key: 'account', title: t('tronAgent.loan.account'), render: (each) => <Label text={each.sub_wallet_name ?? each.address} wrap /> },
    { key: 'status', title: t('tronAgent.loan.status'), render: (each) => <Status of={each} /> },
    { key: 'needed', title: t('tronAgent.loan.needed'), render: (each) => <span className="hf-numbers">{exactAmount(each.energy_num)}</span> },
    { key: 'stake', title: t('tronAgent.loan.stake'), render: (each) => (each.stake_trx === null ? MISSING : <Amount value={each.stake_trx} unit={symbol} />) },
    {
      key: 'burned',
      title: t('tronAgent.loan.burned'),
      render: (each) => (each.burned_trx === null ? MISSING : <Amount value={each.burned_trx} unit={symbol} />),
    },
    {
      key: 'rented',
      title: t('tronAgent.loan.rented'),
      render: (each) => (each.rented_trx === null ? MISSING : <Amount value={each.rented_trx} unit={symbol} />),
    },
    { key: 'saved', title: t('tronAgent.loan.saved'), render: (each) => (each.saved_trx === null ? MISSING : <Amount value={each.saved_trx} unit={symbol} />) },
    { key: 'at', title: t('tronAgent.loan.at'), render: (each) => <RelativeTime ms={each.created_at} /> },
  ]
  const open = (loan: Loan) => void drawers.push({ title: t('tronAgent.loan.title'), body: <LoanDrawer loan={loan} symbol={symbol} /> })
  return (
    <section className="hf-stack" aria-labelledby="tron-agent-loans">
      <h2 id="tron-agent-loans">{t('tronAgent.loan.list')}</h2>
      <DataTable
        label={t('tronAgent.loan.list')}
        columns={columns}
        rows={data?.list}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        onOpen={open}
        tools={
          <FilterPicker
            label={t('tronAgent.loan.status')}
            anyLabel={t('tronAgent.loan.all')}
            value={status}
            options={SUPPLY_STATES.map((value) => ({ value, label: t(`tronAgent.state.${value}`) }))}
            onChange={(value) => {
              setStatus(value)
              setPage(1)
            }}
          />
        }
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
        empty={<EmptyState title={t('tronAgent.loan.none')}>{t('tronAgent.loan.noneText')}</EmptyState>}
      />
    </section>
  )
}

const Status = ({ of: { status, reason } }: { of: Loan }) => {
  const { t } = useTranslation('tools')
  return (
    <span className="hf-stack-tight">
      <StatusTag tone={TONES[status]} text={t(`tronAgent.state.${status}`)} />
      {reason !== null && <span className="hf-small hf-muted">{t(`tronAgent.reason.${reason}`)}</span>}
    </span>
  )
}

/** One loan: for what, by whom, in which transactions, and what the payment used, burned and saved. */
function LoanDrawer({ loan, symbol }: { loan: Loan; symbol: string }) {
  const { t } = useTranslation('tools')
  const coin = (value: string | null) => (value === null ? MISSING : <Amount value={value} unit={symbol} />)
  const units = (value: string | null) => (value === null ? MISSING : exactAmount(value))
  const sent = (txid: string | null, at: number | null) =>
    txid === null ? (
      MISSING
    ) : (
      <span className="hf-stack-tight">
        <Address address={txid} />
        {at !== null && <Time ms={at} />}
      </span>
    )
  return (
    <DrawerBody>
      {loan.reason !== null && (
        <Note tone={loan.status === 'stopped' ? 'bad' : 'warn'} title={t(`tronAgent.reason.${loan.reason}`)}>
          {t(`tronAgent.change.${loan.reason}`)}
        </Note>
      )}
      <Facts
        facts={[
          { label: t('tronAgent.loan.status'), value: <StatusTag tone={TONES[loan.status]} text={t(`tronAgent.state.${loan.status}`)} /> },
          { label: t('tronAgent.loan.account'), value: <Address address={loan.address} />, wide: true },
          {
            label: t('tronAgent.loan.for'),
            value: loan.order_id === null ? t('tronAgent.loan.asked') : <span className="hf-mono hf-break">{loan.order_id}</span>,
          },
          { label: t('tronAgent.loan.needed'), value: units(loan.energy_num) },
          { label: t('tronAgent.loan.lacked'), value: units(loan.lacked) },
          { label: t('tronAgent.loan.lender'), value: loan.lender === null ? MISSING : <Address address={loan.lender} />, wide: true },
          { label: t('tronAgent.loan.stake'), value: coin(loan.stake_trx) },
          { label: t('tronAgent.loan.given'), value: sent(loan.energy_txid, loan.energy_time), wide: true },
          { label: t('tronAgent.loan.returned'), value: sent(loan.reclaim_energy_txid, loan.reclaim_energy_time), wide: true },
          { label: t('tronAgent.loan.used'), value: units(loan.used) },
          { label: t('tronAgent.loan.covered'), value: units(loan.covered) },
          { label: t('tronAgent.loan.rented'), value: coin(loan.rented_trx) },
          loan.rented === null ? undefined : { label: t('tronAgent.loan.rentedUnits'), value: units(loan.rented) },
          loan.rent_txid === null ? undefined : { label: t('tronAgent.loan.rentPaid'), value: <Address address={loan.rent_txid} />, wide: true },
          { label: t('tronAgent.loan.burned'), value: coin(loan.burned_trx) },
          { label: t('tronAgent.loan.saved'), value: coin(loan.saved_trx) },
          { label: t('tronAgent.loan.at'), value: <Time ms={loan.created_at} /> },
        ]}
      />
      {loan.passed.length > 0 && (
        <section className="hf-stack-tight" aria-labelledby="tron-loan-passed">
          <h3 id="tron-loan-passed">{t('tronAgent.loan.passed')}</h3>
          <ol className="hf-tron-steps">
            {loan.passed.map((each, i) => (
              <li key={`${i} ${each.who}`}>
                <span className="hf-break">{each.who === '' ? MISSING : each.who}</span>
                <p className="hf-small hf-muted">{t(`tronAgent.reason.${each.reason}`)}</p>
              </li>
            ))}
          </ol>
        </section>
      )}
    </DrawerBody>
  )
}
