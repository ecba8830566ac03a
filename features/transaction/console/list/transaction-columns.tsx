import { CoinMark, NetworkChip } from '@holdfast/features/network/console'
import { WalletName } from '@holdfast/features/wallet/console'
import { assetName } from '@holdfast/units'
import {
  Amount,
  type Column,
  exactMoney,
  IconDown,
  IconUp,
  IconWarning,
  Label,
  shortAddress,
  ShortAddress,
  StatusTag,
  summaryMoney,
  Time,
  useMediaQuery,
} from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { momentOf } from '../../moment-of.ts'
import { kindOf } from '../kind-of.ts'
import { NotifyStanding } from '../record/notify-standing.tsx'
import type { Row } from '../row.ts'
import { RowMenu } from './row-menu.tsx'
import { isOutsideBlocks, statusKey, subStatusKey, toneOf } from '../status.ts'

const WIDE = '(min-width: 1680px)'
const MISSING = <span className="hf-faint">--</span>

/** The columns of the list. On a wide screen more of them start in sight; each person chooses their own. */
export function useTransactionColumns(onOpen: (row: Pick<Row, 'id' | 'type'>) => void): Column<Row>[] {
  const { t } = useTranslation()
  const startsHidden = !useMediaQuery(WIDE)
  return [
    { key: 'type', title: t('transaction.column.type'), render: (row) => <Kind row={row} /> },
    { key: 'status', title: t('transaction.column.status'), render: (row) => <State row={row} /> },
    { key: 'amount', title: t('transaction.column.amount'), align: 'end', render: (row) => <SignedAmount row={row} /> },
    {
      key: 'parties',
      title: t('transaction.column.parties'),
      render: (row) => (row.about ? <AboutPayment row={row} onOpen={onOpen} /> : <Parties row={row} />),
    },
    { key: 'progress', title: t('transaction.column.progress'), wideOnly: true, render: (row) => <Progress row={row} /> },
    { key: 'filed', title: t('transaction.column.filed'), wideOnly: true, startsHidden, render: (row) => <Labels row={row} /> },
    {
      key: 'initiator',
      title: t('transaction.column.initiator'),
      wideOnly: true,
      startsHidden,
      render: (row) => (row.initiator ? <Label text={row.initiator.name} /> : MISSING),
    },
    { key: 'fee', title: t('transaction.column.fee'), align: 'end', wideOnly: true, startsHidden: true, render: (row) => <Fee row={row} /> },
    {
      key: 'txid',
      title: t('transaction.column.txid'),
      wideOnly: true,
      startsHidden: true,
      render: (row) => (row.txid === null ? MISSING : <ShortAddress address={row.txid} />),
    },
    { key: 'source', title: t('transaction.column.source'), wideOnly: true, startsHidden: true, render: (row) => t(`transaction.source.${row.source}`) },
    {
      key: 'remark',
      title: t('transaction.column.remark'),
      wideOnly: true,
      startsHidden: true,
      render: (row) => (row.remark === '' ? MISSING : <Label text={row.remark} />),
    },
    {
      key: 'notify',
      title: t('transaction.column.notify'),
      wideOnly: true,
      startsHidden: true,
      render: (row) => <NotifyStanding row={row} />,
    },
    { key: 'actions', title: t('transaction.column.actions'), hidesTitle: true, width: 48, render: (row) => <RowMenu row={row} onOpen={onOpen} /> },
  ]
}

function Kind({ row }: { row: Row }) {
  const { t } = useTranslation()
  const isIn = row.type === 'deposit'
  return (
    <span className={row.about ? 'hf-transaction hf-transaction-about' : 'hf-transaction'}>
      <span className={isIn ? 'hf-transaction-icon hf-transaction-in' : 'hf-transaction-icon'}>{isIn ? <IconDown /> : <IconUp />}</span>
      <span className="hf-stack-tight">
        <span className="hf-transaction-type">{kindOf(row, t)}</span>
        <span className="hf-small hf-faint">
          <Time ms={row.created_at} />
        </span>
      </span>
    </span>
  )
}

function State({ row }: { row: Row }) {
  const { t } = useTranslation()
  if (row.suspicious && row.type === 'deposit') return <StatusTag tone="bad" text={t('knownAddress.tag')} next={t('knownAddress.short')} />
  const key = statusKey(row)
  // Why an order ended unpaid, that a deposit never came, and that nobody has looked at what was taken, is said by the finer state.
  const says = (row.status >= 2100 && (row.type === 'withdraw' || isOutsideBlocks(row))) || row.sub_status === 'unacknowledged'
  const reason = says ? subStatusKey(row.sub_status) : undefined
  const next = row.next_action.text || (reason && t(reason))
  return <StatusTag tone={toneOf(row)} text={key ? t(key) : String(row.status)} {...(next ? { next } : {})} />
}

function SignedAmount({ row }: { row: Row }) {
  const { t } = useTranslation()
  if (row.about) return <OwnCost row={row} />
  // What was not paid, and never will be by this order, is no money that went.
  const isUnpaid = row.type === 'withdraw' && row.status >= 2100
  const isFolded = isUnpaid || (row.suspicious && row.type === 'deposit')
  const { at_time: worth = null, currency = 'USD' } = row.worth ?? {}
  return (
    <span className={isFolded ? 'hf-amounts hf-folded' : 'hf-amounts'}>
      <span className={row.type === 'deposit' && !isFolded ? 'hf-amount-in hf-amount-marked' : 'hf-amount-marked'}>
        {row.type === 'deposit' ? '+' : row.stake || row.lifts !== undefined || isUnpaid ? '' : '−'}
        <Amount value={row.amount} unit={assetName(row.symbol, row.token_id)} />
        <CoinMark chain={row.chain} contract={row.contract_address} symbol={row.symbol} size="small" />
      </span>
      <span className="hf-amount-under">
        <NetworkChip chain={row.chain} network={row.network} />
        {worth !== null && (
          <span
            className="hf-small hf-faint hf-nowrap"
            title={t(`transaction.worth.${momentOf(row)}`, { at: exactMoney(worth, currency), now: exactMoney(row.worth?.now, currency) })}
          >
            {summaryMoney(worth, currency)}
          </span>
        )}
      </span>
    </span>
  )
}

/** An order about a payment moves nothing but its fee, once it has cost one. */
function OwnCost({ row }: { row: Row }) {
  const { t } = useTranslation()
  return (
    <span className="hf-amounts">
      <span className="hf-faint">–</span>
      {row.real_fee !== null && (
        <span className="hf-small hf-faint hf-nowrap">
          {t('transaction.column.fee')} <Amount value={row.real_fee} unit={row.fee_symbol} />
        </span>
      )}
      <NetworkChip chain={row.chain} network={row.network} />
    </span>
  )
}

/** Which payment an order is about, with the way there. */
function AboutPayment({ row, onOpen }: { row: Row; onOpen: (row: Pick<Row, 'id' | 'type'>) => void }) {
  const { t } = useTranslation()
  const { about, replaces } = row
  if (!about || replaces == null) return MISSING
  const to = about.recipients === undefined ? shortAddress(about.address_to) : t('transaction.party.several', { count: about.recipients })
  return (
    <span className="hf-parties">
      <button
        type="button"
        className="hf-text-button hf-stack-tight hf-about-payment"
        onClick={(event) => {
          event.stopPropagation()
          onOpen({ id: replaces, type: 'withdraw' })
        }}
      >
        <span className="hf-small hf-faint">{t('transaction.party.about')}</span>
        <span className="hf-nowrap">
          {about.amount} {assetName(row.symbol, row.token_id)} → {to}
        </span>
      </button>
      <Side word={t('transaction.party.from')}>
        <WalletName of={row} />
      </Side>
    </span>
  )
}

/** Whence and whither: names where there are some, short addresses where not. What imitates a known address is not shown before it is asked for. */
function Parties({ row }: { row: Row }) {
  const { t } = useTranslation()
  const ours = <WalletName of={row} />
  const several = row.recipients === undefined ? undefined : t('transaction.party.several', { count: row.recipients })
  const isIn = row.type === 'deposit'
  return (
    <span className="hf-parties">
      <Side word={t('transaction.party.from')}>{isIn ? <Stranger row={row} address={row.address_from} label={row.from_label} /> : ours}</Side>
      <Side word={t('transaction.party.to')}>{isIn ? ours : <Stranger row={row} address={row.address_to} label={several ?? row.to_label} />}</Side>
    </span>
  )
}

function Side({ word, children }: { word: string; children: ReactNode }) {
  return (
    <span className="hf-party">
      <span className="hf-party-word">{word}</span>
      {children}
    </span>
  )
}

/** The side that is not the sub-wallet of the row. */
function Stranger({ row, address, label }: { row: Row; address: string | null; label: string | null }) {
  const { t } = useTranslation()
  if (row.suspicious) {
    return (
      <span className="hf-party-planted">
        <IconWarning /> {t('knownAddress.folded')}
      </span>
    )
  }
  if (label !== null) return <Label text={label} />
  return address ? <ShortAddress address={address} /> : MISSING
}

function Progress({ row }: { row: Row }) {
  const { t } = useTranslation()
  const isConfirming = row.status === 1200 || (row.type !== 'withdraw' && row.status < 2000)
  if (row.approvals && row.status === 1000) return <Meter {...row.approvals} text={t('transaction.progress.approvals', row.approvals)} />
  if (isConfirming) {
    const counts = { done: row.confirmations, need: row.need_confirmations }
    return <Meter {...counts} text={t('transaction.progress.confirmations', counts)} />
  }
  return row.approvals && row.approvals.need > 0 ? <span className="hf-small hf-muted">{t('transaction.progress.approvals', row.approvals)}</span> : MISSING
}

const MOST_PARTS = 12

function Meter({ done, need, text }: { done: number; need: number; text: string }) {
  const parts = Math.min(need, MOST_PARTS)
  const filled = need === 0 ? 0 : Math.floor((done / need) * parts)
  return (
    <span className="hf-progress">
      <span className="hf-meter" aria-hidden>
        {Array.from({ length: parts }, (_, at) => (
          <span key={at} className={at < filled ? 'hf-meter-done' : undefined} />
        ))}
      </span>
      <span className="hf-small hf-muted hf-nowrap">{text}</span>
    </span>
  )
}

/** The labels of a transaction. */
function Labels({ row }: { row: Row }) {
  if (row.category === null && row.tags.length === 0 && row.note === '') return MISSING
  return (
    <span className="hf-labels">
      {row.category !== null && <Label text={row.category} />}
      {row.tags.length > 0 && (
        <span className="hf-row-tight">
          {row.tags.map((tag) => (
            <span key={tag} className="hf-labels-tag">
              <Label text={tag} />
            </span>
          ))}
        </span>
      )}
      {row.note !== '' && (
        <span className="hf-small hf-muted">
          <Label text={row.note} />
        </span>
      )}
    </span>
  )
}

function Fee({ row }: { row: Row }) {
  const { t } = useTranslation()
  if (row.real_fee !== null) return <Amount value={row.real_fee} unit={row.fee_symbol} />
  if (row.fee === null) return MISSING
  return (
    <span className="hf-small hf-muted hf-nowrap">
      {t('transaction.column.feeCap')} <Amount value={row.fee} unit={row.fee_symbol} />
    </span>
  )
}
