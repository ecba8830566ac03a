import { usePermission } from '@holdfast/features/session/console'
import {
  Amount,
  Button,
  CopyButton,
  DrawerBody,
  DrawerFooter,
  ErrorState,
  IconDownload,
  IconEdit,
  LoadingState,
  RelativeTime,
  StatusTag,
  summaryMoney,
  Time,
  useDrawerPage,
  useDrawers,
} from '@holdfast/ui'
import { assetName } from '@holdfast/units'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { momentOf } from '../../moment-of.ts'
import { SuspiciousNote } from '@holdfast/features/known-address/console'
import { openLabelDrawer } from '../open-label-drawer.tsx'
import { type Deposit, PaymentFacts, type AllowanceSpend, type Withdrawal } from './payment-facts.tsx'
import { statusKey, subStatusKey, toneOf } from '../status.ts'
import { OrderTimeline } from './order-timeline.tsx'
import { linkOf, useReceipt } from '../use-order-actions.ts'

/* What the details of every kind of transaction have. */

type Shown = Withdrawal | Deposit | AllowanceSpend

/** Saves the record as a PDF. */
export function ReceiptButton({ row }: { row: Shown }) {
  const { t } = useTranslation()
  const receipt = useReceipt()
  // A receipt is of a payment, and this is about one that has its own.
  if (row.about) return null
  return (
    <Button icon={<IconDownload />} loading={receipt.isPending} onClick={() => receipt.save(row)}>
      {t('transaction.action.receipt')}
    </Button>
  )
}

/** Opens the form that files the record. */
export function LabelButton({ row }: { row: Shown }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayLabel = usePermission('transaction.mark')
  if (!mayLabel) return null
  return (
    <Button icon={<IconEdit />} onClick={() => openLabelDrawer(drawers, { row, title: t('transaction.label.title') })}>
      {t('transaction.action.label')}
    </Button>
  )
}

/** How it stands, why it waits, whose turn it is, what happens if nobody acts, and when. */
export function Standing({ row }: { row: Shown }) {
  const { t } = useTranslation()
  const key = statusKey(row)
  const expireAt = 'expire_at' in row && row.status === 1000 ? row.expire_at : undefined
  const stoppable = 'stoppable' in row ? row.stoppable : null
  const detailKey = row.next_action.text === '' ? subStatusKey(row.sub_status) : undefined
  return (
    <section className="hf-standing" aria-label={t('transaction.detail.standing')}>
      <div>
        {row.about ? (
          <p className="hf-muted">{t('transaction.replace.paysNobody')}</p>
        ) : (
          <Amount value={row.amount} unit={assetName(row.symbol, row.token_id)} large />
        )}
        <Worth row={row} />
      </div>
      <div className="hf-standing-state">
        <div className="hf-spread">
          <StatusTag tone={toneOf(row)} text={key ? t(key) : String(row.status)} detail={detailKey && t(detailKey)} />
          <CopyButton text={linkOf(row)} label={t('transaction.action.copyLink')} message={t('transaction.action.linkCopied')} showLabel />
        </div>
        {row.next_action.text !== '' && <p>{row.next_action.text}</p>}
        {['waiting_third_signer', 'waiting_freeze'].includes(row.sub_status) && (
          <Link to="/mpc/teamMember?tab=organisation">{t('transaction.detail.signers')}</Link>
        )}
        {stoppable && (
          <p className="hf-small hf-muted">
            {t('transaction.detail.signed')} <RelativeTime ms={stoppable.until} /> (<Time ms={stoppable.until} />)
          </p>
        )}
        {expireAt !== undefined && (
          <p className="hf-small hf-muted">
            {t('transaction.detail.otherwise')} <RelativeTime ms={expireAt} /> (<Time ms={expireAt} />)
          </p>
        )}
      </div>
    </section>
  )
}

function Worth({ row }: { row: Shown }) {
  const { t } = useTranslation()
  const { worth } = row
  if (worth === null || (worth.at_time === null && worth.now === null)) return null
  const shown = (value: string | null) => summaryMoney(value, worth.currency)
  return <p className="hf-small hf-muted hf-numbers">{t(`transaction.worth.${momentOf(row)}`, { at: shown(worth.at_time), now: shown(worth.now) })}</p>
}

type RecordDrawerProps = {
  row: Deposit | AllowanceSpend | undefined
  error: unknown
  onRetry: () => void
  title: string
  /** What there is to know and to do before its facts. */
  children: ReactNode
  /** Whether it can be labelled. */
  isLabellable?: boolean
  /** What can be done with it beside saving and labelling it. */
  action?: ReactNode
}

/** A record of the chain whole: what no order of ours made has no approvals. */
export function RecordDrawer({ row, error, onRetry, title, children, isLabellable = true, action }: RecordDrawerProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        {!row && (error ? <ErrorState error={error} onRetry={onRetry} /> : <LoadingState rows={10} />)}
        {row && (
          <>
            <Standing row={row} />
            {children}
            <SuspiciousNote row={row} />
            <div className="hf-order-columns">
              <section aria-labelledby="record-facts">
                <h3 id="record-facts">{title}</h3>
                <PaymentFacts row={row} />
              </section>
              <section aria-labelledby="record-timeline">
                <h3 id="record-timeline">{t('transaction.detail.timeline')}</h3>
                <OrderTimeline row={row} />
              </section>
            </div>
          </>
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        {row && <ReceiptButton row={row} />}
        {row && isLabellable && <LabelButton row={row} />}
        {action}
      </DrawerFooter>
    </>
  )
}
