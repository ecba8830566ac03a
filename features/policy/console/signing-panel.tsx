import './strategy.css'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSignerReason } from '@holdfast/features/evidence/console'
import { usePermission } from '@holdfast/features/session/console'
import { Button, confirm, ErrorState, Label, LoadingState, Note, RelativeTime, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getSigningState, withdrawSignerOrder } from '../signer-order-contract.ts'
import { openAbsenceDrawer } from './open-signing-drawers.tsx'
import { type SignerOrder, type SigningState, standingOf, toneOfOrder } from './signing-words.ts'

/** Which signers answer, which of them is said to be away, and what people asked of the signers. */
export function SigningPanel() {
  const { t } = useTranslation('strategyEngine')
  const { data, error, refetch } = useEndpoint(getSigningState, {})
  return (
    <section className="hf-panel hf-signing" aria-labelledby="signing">
      <div className="hf-spread">
        <h2 id="signing">{t('signing.title')}</h2>
        {data && (
          <span className="hf-row-tight">
            <ApprovalLink size="small" variant="danger" href={data.stop_url}>
              {t('signing.stop')}
            </ApprovalLink>
          </span>
        )}
      </div>
      <p className="hf-muted hf-small">{t('signing.lead')}</p>
      {data ? <Signers state={data} /> : error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={3} />}
      {data && data.orders.length > 0 && (
        <>
          <h3>{t('signing.orders')}</h3>
          <ul className="hf-signing-orders">
            {data.orders.map((order) => (
              <li key={order.id}>
                <Order order={order} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Signers({ state: { signers, away, orders } }: { state: SigningState }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const mayAsk = usePermission('policy.propose')
  const isAsked = orders.some(({ kind, state }) => kind === 'absence' && (state === 'approving' || state === 'approved'))
  return (
    <>
      {away && (
        <Note tone="warn">
          {t('signing.away', { party: away.party })} <Time ms={away.until} />. {t('signing.awayMeans')}
        </Note>
      )}
      <ul className="hf-policy-signers">
        {signers.map(({ party, name, online }) => (
          <li key={party} className="hf-spread">
            <span>
              {t('signing.signer', { party })} · <Label text={name} />
            </span>
            <span className="hf-row-tight">
              <StatusTag tone={online ? 'good' : 'warn'} text={t(online ? 'signing.online' : 'signing.offline')} />
              {mayAsk && !isAsked && (away === null || away.party === party) && (
                <Button
                  size="small"
                  variant={online ? 'quiet' : 'default'}
                  onClick={() => openAbsenceDrawer(drawers, party, t('signing.absence.title', { party }))}
                >
                  {t('signing.absence.open')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Order({ order }: { order: SignerOrder }) {
  const { t } = useTranslation('strategyEngine')
  const reasonOf = useSignerReason()
  const names = (people: SignerOrder['approved']) => people.map(({ name }) => name).join(t('signing.comma'))
  const isOpen = order.state === 'approving'
  return (
    <div className="hf-stack-tight">
      <div className="hf-spread">
        <strong>
          <Label text={order.title} wrap />
        </strong>
        <StatusTag tone={toneOfOrder(order)} text={t(`signing.state.${standingOf(order)}`)} />
      </div>
      <p className="hf-small hf-muted">
        {t('change.askedBy')} <Label text={order.initiator.name} wrap />, <RelativeTime ms={order.created_at} />
        {order.until !== null && (
          <>
            {' · '}
            {t('signing.until')} <Time ms={order.until} />
          </>
        )}
        {isOpen && (
          <>
            {' · '}
            {t('change.expires')} <RelativeTime ms={order.expire_at} />
          </>
        )}
      </p>
      {order.remark !== '' && (
        <p className="hf-small">
          <Label text={order.remark} wrap />
        </p>
      )}
      {order.reason !== null && <p className="hf-small">{reasonOf(order.reason)}</p>}
      <p className="hf-small hf-muted">
        {t('quorum.count', { done: order.approved.length, need: order.need })}
        {order.approved.length > 0 && ` · ${t('quorum.approved')} ${names(order.approved)}`}
        {order.rejected.length > 0 && ` · ${t('quorum.rejected')} ${names(order.rejected)}`}
        {isOpen && order.waiting.length > 0 && ` · ${t('quorum.waiting')} ${names(order.waiting)}`}
      </p>
      {isOpen && <Actions order={order} />}
    </div>
  )
}

function Actions({ order }: { order: SignerOrder }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const withdraw = useSend(withdrawSignerOrder)
  const takeBack = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('signing.withdraw.title'),
      content: t('signing.withdraw.text'),
      remark: true,
      confirmText: t('change.withdraw.do'),
    })
    if (answer.outcome === 'confirm') withdraw.mutate({ id: order.id, remark: answer.remark })
  }
  return (
    <div className="hf-row">
      <ApprovalLink size="small" variant={order.mine === 'decide' ? 'primary' : 'default'} href={order.approval_url}>
        {t(order.mine === 'decide' ? 'change.decide' : 'change.open')}
      </ApprovalLink>
      {order.mine === 'initiator' && (
        <Button size="small" loading={withdraw.isPending} onClick={() => void takeBack()}>
          {t('change.withdraw.do')}
        </Button>
      )}
    </div>
  )
}
