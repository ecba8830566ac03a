import './transfer.css'
import { assetName } from '@holdfast/units'
import { CallFacts } from '@holdfast/features/contract-call/console'
import { type EvidenceItem, EvidencePart } from '@holdfast/features/evidence/console'
import { useFiat } from '@holdfast/features/price/console'
import { usePermission, useSession } from '@holdfast/features/session/console'
import {
  Amount,
  Button,
  ButtonLink,
  CopyButton,
  DrawerBody,
  DrawerFooter,
  ErrorState,
  IconDownload,
  IconEdit,
  IconExternal,
  LoadingState,
  Note,
  RelativeTime,
  StatusTag,
  summaryMoney,
  Time,
  useDrawerPage,
  useDrawers,
  useDrawerTitle,
  useEndpoint,
} from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { getDeposit, getWithdrawal } from '../contract.ts'
import { Approvals } from './approvals.tsx'
import { SuspiciousNote } from './guarded-address.tsx'
import { openMarkDrawer } from './open-mark-drawer.tsx'
import { kindOf } from './kind-of.ts'
import { type Deposit, PaymentFacts, type Withdrawal } from './payment-facts.tsx'
import { openReplaceDrawer } from './open-replace-drawer.tsx'
import { OtherRecord } from './other-record.tsx'
import { Refusals } from './refusals.tsx'
import { Replacements } from './replacements.tsx'
import { canCancel, canLift, canOrderAgain, canReplace, isAlarmed, isOutsideBlocks, statusKey, subStatusKey, toneOf } from './status.ts'
import { Story } from './story.tsx'
import { linkOf, useLetGoOn, useOrderAgain, useReceipt, useTakeBack } from './use-order-actions.ts'

/** One order or deposit whole: how it stands, what comes next and whose turn it is, its money, its story, its proof. */
export function OrderDetail({ id, kind }: { id: string; kind: 'withdraw' | 'deposit' }) {
  return kind === 'deposit' ? <DepositDetail id={id} /> : <WithdrawalDetail id={id} />
}

function WithdrawalDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getWithdrawal, { id, ...useFiat().asked })
  useDrawerTitle(data && kindOf(data, t))
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />}</DrawerBody>
  return (
    <>
      <DrawerBody>
        <Standing row={data} />
        <SuspiciousNote row={data} />
        <Replacements order={data} />
        {data.refusals.length > 0 && <Refusals refusals={data.refusals} />}
        {data.call && <CallFacts id={data.id} />}
        {data.stake && <Note tone="info" title={data.stake.title} />}
        {data.lifts !== undefined && <Note tone="info">{t('transfer.lift.about')}</Note>}
        <Brought order={data} />
        <div className="hf-order-columns">
          <div className="hf-stack-wide">
            <section aria-labelledby="order-approvals">
              <h3 id="order-approvals">{t('transfer.detail.approvals')}</h3>
              <Approvals order={data} />
            </section>
            <section aria-labelledby="order-facts">
              <h3 id="order-facts">{t('transfer.detail.payment')}</h3>
              <PaymentFacts row={data} />
            </section>
          </div>
          <section aria-labelledby="order-story">
            <h3 id="order-story">{t('transfer.detail.story')}</h3>
            <Story row={data} />
          </section>
        </div>
        <EvidencePart orderId={data.id} items={evidenceOf(data)} />
      </DrawerBody>
      <Actions order={data} />
    </>
  )
}

/** A bundle for each signature that has one, and one for a refusal. */
function evidenceOf({ speed_up_history: made, refusals }: Withdrawal): EvidenceItem[] {
  const proven = made.filter((each) => each.has_evidence)
  return [
    ...proven.map(({ number }) => ({ kind: 'signature' as const, number, of: made.length })),
    ...(refusals.length > 0 ? [{ kind: 'refusal' as const }] : []),
  ]
}

/** What a call brought back, each with its own record. */
function Brought({ order }: { order: Withdrawal }) {
  const { t } = useTranslation()
  if (order.brought.length === 0) return null
  return (
    <section aria-labelledby="order-brought">
      <h3 id="order-brought">{t('transfer.brought')}</h3>
      <ul className="hf-stack">
        {order.brought.map(({ id, symbol, token_id, amount }) => (
          <li key={id} className="hf-row-tight">
            <Amount value={amount} unit={assetName(symbol, token_id)} />
            <OtherRecord id={id} kind="deposit" words={t('transfer.action.details')} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Actions({ order }: { order: Withdrawal }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const drawers = useDrawers()
  const session = useSession()
  const mayAsk = usePermission('withdraw.create')
  const takeBack = useTakeBack()
  const orderAgain = useOrderAgain()
  const mayAudit = usePermission('withdraw.audit')
  const letGoOn = useLetGoOn()
  const isMine = order.initiator?.person_id === session?.session?.person_id
  return (
    <DrawerFooter>
      <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      <ReceiptButton row={order} />
      <MarkButton row={order} />
      {mayAsk && canOrderAgain(order) && <Button onClick={() => void orderAgain(order)}>{t('transfer.action.again')}</Button>}
      {mayAsk && isMine && canCancel(order) && (
        <Button variant="danger" loading={takeBack.isPending} onClick={() => void takeBack.ask(order.id)}>
          {t('transfer.cancel.open')}
        </Button>
      )}
      {mayAsk && canReplace(order) && (
        <>
          <Button variant="danger" onClick={() => openReplaceDrawer(drawers, { orderId: order.id, isCancel: true, title: t('transfer.replace.cancelTitle') })}>
            {t('transfer.replace.cancel')}
          </Button>
          <Button
            variant="primary"
            onClick={() => openReplaceDrawer(drawers, { orderId: order.id, isCancel: false, title: t('transfer.replace.speedUpTitle') })}
          >
            {t('transfer.replace.speedUp')}
          </Button>
        </>
      )}
      {mayAudit && isAlarmed(order) && (
        <Button variant="primary" loading={letGoOn.isPending} onClick={() => void letGoOn.ask(order.id)}>
          {t('transfer.resume.open')}
        </Button>
      )}
      {order.status === 1000 && (
        <ButtonLink variant="primary" href={order.approval_url} iconEnd={<IconExternal />}>
          {t('transfer.detail.openApproval')}
        </ButtonLink>
      )}
    </DrawerFooter>
  )
}

function ReceiptButton({ row }: { row: Withdrawal | Deposit }) {
  const { t } = useTranslation()
  const receipt = useReceipt()
  return (
    <Button icon={<IconDownload />} loading={receipt.isPending} onClick={() => receipt.save(row)}>
      {t('transfer.action.receipt')}
    </Button>
  )
}

function MarkButton({ row }: { row: Withdrawal | Deposit }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayMark = usePermission('transaction.mark')
  if (!mayMark) return null
  return (
    <Button icon={<IconEdit />} onClick={() => openMarkDrawer(drawers, { row, title: t('transfer.mark.title') })}>
      {t('transfer.action.mark')}
    </Button>
  )
}

/** How it stands, why it waits, whose turn it is, what happens if nobody acts, and when. */
function Standing({ row }: { row: Withdrawal | Deposit }) {
  const { t } = useTranslation()
  const key = statusKey(row)
  const expireAt = 'expire_at' in row && row.status === 1000 ? row.expire_at : undefined
  const detailKey = row.next_action.text === '' ? subStatusKey(row.sub_status) : undefined
  return (
    <section className="hf-standing" aria-label={t('transfer.detail.standing')}>
      <div>
        <Amount value={row.amount} unit={assetName(row.symbol, row.token_id)} large />
        <Worth row={row} />
      </div>
      <div className="hf-standing-state">
        <div className="hf-spread">
          <StatusTag tone={toneOf(row)} text={key ? t(key) : String(row.status)} detail={detailKey && t(detailKey)} />
          <CopyButton text={linkOf(row)} label={t('transfer.action.copyLink')} message={t('transfer.action.linkCopied')} showLabel />
        </div>
        {row.next_action.text !== '' && <p>{row.next_action.text}</p>}
        {expireAt !== undefined && (
          <p className="hf-small hf-muted">
            {t('transfer.detail.otherwise')} <RelativeTime ms={expireAt} /> (<Time ms={expireAt} />)
          </p>
        )}
      </div>
    </section>
  )
}

function Worth({ row: { worth } }: { row: Withdrawal | Deposit }) {
  const { t } = useTranslation()
  if (worth === null || (worth.at_time === null && worth.now === null)) return null
  const shown = (value: string | null) => summaryMoney(value, worth.currency)
  return <p className="hf-small hf-muted hf-numbers">{t('transfer.worth.both', { at: shown(worth.at_time), now: shown(worth.now) })}</p>
}

function DepositDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const { data, error, refetch } = useEndpoint(getDeposit, { id, ...useFiat().asked })
  return (
    <>
      <DrawerBody>
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />)}
        {data && (
          <>
            <Standing row={data} />
            <SuspiciousNote row={data} />
            {data.sub_status === 'reorged' && <Note tone="bad">{t('transfer.subStatus.reorged')}</Note>}
            {isOutsideBlocks(data) && <Note tone={data.sub_status === 'mempool' ? 'info' : 'warn'}>{t(`transfer.lift.${data.sub_status}`)}</Note>}
            <div className="hf-order-columns">
              <section aria-labelledby="deposit-facts">
                <h3 id="deposit-facts">{t('transfer.detail.payment')}</h3>
                <PaymentFacts row={data} />
              </section>
              <section aria-labelledby="deposit-story">
                <h3 id="deposit-story">{t('transfer.detail.story')}</h3>
                <Story row={data} />
              </section>
            </div>
          </>
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        {data && <ReceiptButton row={data} />}
        {data && !isOutsideBlocks(data) && <MarkButton row={data} />}
        {data && <LiftButton row={data} />}
      </DrawerFooter>
    </>
  )
}

/** Asks for a child that lifts a deposit which waits. */
function LiftButton({ row }: { row: Deposit }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  if (!mayAsk || !canLift(row)) return null
  return (
    <Button variant="primary" onClick={() => openReplaceDrawer(drawers, { orderId: row.id, isCancel: false, title: t('transfer.lift.title') })}>
      {t('transfer.action.lift')}
    </Button>
  )
}
