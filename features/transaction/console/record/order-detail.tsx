import '../transaction.css'
import { ApprovalLink, PhoneButton } from '@holdfast/features/approval-page/console'
import { assetName } from '@holdfast/units'
import { type EvidenceItem, EvidencePart } from '@holdfast/features/evidence/console'
import { useFiat } from '@holdfast/features/price/console'
import { usePermission, useSession } from '@holdfast/features/session/console'
import { Amount, Button, DrawerBody, DrawerFooter, ErrorState, LoadingState, Note, useDrawerPage, useDrawers, useDrawerTitle } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getWithdrawal, type TransactionKind } from '../../contract.ts'
import { Approvals } from './approvals.tsx'
import { DepositDetail } from './deposit-detail.tsx'
import { SuspiciousNote } from '@holdfast/features/known-address/console'
import { PaymentFacts, type Withdrawal } from './payment-facts.tsx'
import { kindOf } from '../kind-of.ts'
import { openReplaceDrawer } from './open-replace-drawer.tsx'
import { OtherRecord } from './other-record.tsx'
import { AllowanceSpendDetail } from './allowance-spend-detail.tsx'
import { LabelButton, ReceiptButton, Standing } from './record-parts.tsx'
import { placeOf, useRecordParts } from '../record-parts.ts'
import { Refusals } from './refusals.tsx'
import { Replacements } from './replacements.tsx'
import { canCancel, canCancelOnChain, canOrderAgain, canSpeedUp, canStop, isAlarmed } from '../status.ts'
import { OrderTimeline } from './order-timeline.tsx'
import { useLetGoOn, useOrderAgain, useTakeBack } from '../use-order-actions.ts'

const DETAILS = { withdraw: WithdrawalDetail, deposit: DepositDetail, pull: AllowanceSpendDetail }

/** One transaction whole: how it stands, what comes next and whose turn it is, its money, its story, its proof. */
export function OrderDetail({ id, kind }: { id: string; kind: TransactionKind }) {
  const Detail = DETAILS[kind]
  return <Detail id={id} />
}

function WithdrawalDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getWithdrawal, { id, ...useFiat().asked })
  const { RecordParts } = useRecordParts()
  useDrawerTitle(data && kindOf(data, t))
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />}</DrawerBody>
  return (
    <>
      <DrawerBody>
        <Standing row={data} />
        <SuspiciousNote row={data} />
        <Replacements order={data} />
        {data.refusals.length > 0 && <Refusals refusals={data.refusals} />}
        <RecordParts {...placeOf(data)} />
        {data.stake && <Note tone="info" title={data.stake.title} />}
        {data.inscribes && <Note tone="info">{t('transaction.inscribes')}</Note>}
        {data.lifts !== undefined && <Note tone="info">{t('transaction.cpfp.about')}</Note>}
        <Brought order={data} />
        <div className="hf-order-columns">
          <div className="hf-stack-wide">
            <section aria-labelledby="order-approvals">
              <h3 id="order-approvals">{t('transaction.detail.approvals')}</h3>
              <Approvals order={data} />
            </section>
            <section aria-labelledby="order-facts">
              <h3 id="order-facts">{t('transaction.detail.payment')}</h3>
              <PaymentFacts row={data} />
            </section>
          </div>
          <section aria-labelledby="order-timeline">
            <h3 id="order-timeline">{t('transaction.detail.timeline')}</h3>
            <OrderTimeline row={data} />
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
      <h3 id="order-brought">{t('transaction.brought')}</h3>
      <ul className="hf-stack">
        {order.brought.map(({ id, symbol, token_id, amount }) => (
          <li key={id} className="hf-row-tight">
            <Amount value={amount} unit={assetName(symbol, token_id)} />
            <OtherRecord id={id} kind="deposit" words={t('transaction.action.details')} />
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
      <LabelButton row={order} />
      {mayAsk && canOrderAgain(order) && <Button onClick={() => orderAgain(order)}>{t('transaction.action.again')}</Button>}
      {mayAsk && isMine && canCancel(order) && (
        <Button variant="danger" loading={takeBack.isPending} onClick={() => void takeBack.ask(order.id)}>
          {t('transaction.cancel.open')}
        </Button>
      )}
      {mayAsk && canCancelOnChain(order) && (
        <Button variant="danger" onClick={() => openReplaceDrawer(drawers, { orderId: order.id, isCancel: true, title: t('transaction.replace.cancelTitle') })}>
          {t('transaction.replace.cancel')}
        </Button>
      )}
      {mayAsk && canSpeedUp(order) && (
        <Button
          variant="primary"
          onClick={() => openReplaceDrawer(drawers, { orderId: order.id, isCancel: false, title: t('transaction.replace.speedUpTitle') })}
        >
          {t('transaction.replace.speedUp')}
        </Button>
      )}
      {mayAudit && isAlarmed(order) && (
        <Button variant="primary" loading={letGoOn.isPending} onClick={() => void letGoOn.ask(order.id)}>
          {t('transaction.resume.open')}
        </Button>
      )}
      {order.status === 1000 && order.approvers.some(({ person_id: id, state }) => id === session?.session?.person_id && state === 'waiting') && (
        <PhoneButton itemId={order.id} />
      )}
      {canStop(order, session?.session?.person_id) && (
        <ApprovalLink variant="danger" href={order.approval_url}>
          {t('transaction.detail.stop')}
        </ApprovalLink>
      )}
      {order.status === 1000 && (
        <ApprovalLink variant="primary" href={order.approval_url}>
          {t('transaction.detail.openApproval')}
        </ApprovalLink>
      )}
    </DrawerFooter>
  )
}
