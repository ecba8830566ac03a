import { Address, Amount, Note, Time } from '@holdfast/ui'
import { assetName } from '@holdfast/units'
import { useTranslation } from 'react-i18next'
import { OtherRecord } from './other-record.tsx'
import type { Withdrawal } from './payment-facts.tsx'

/** What an order about a payment is about; of a payment, the orders about it and every transaction made for it: the chain takes one of them at most. */
export function Replacements({ order }: { order: Withdrawal }) {
  const { t } = useTranslation()
  const about = order.purpose === 'speed_up' || order.purpose === 'cancel' ? order.purpose : undefined
  if (about) {
    return (
      <Note tone="info">
        {t(`transaction.replace.about.${about}`)} {order.about && <AboutWhat order={order} about={order.about} />}{' '}
        {order.replaces && <OtherRecord id={order.replaces} kind="withdraw" words={t('transaction.replace.openPayment')} />}
      </Note>
    )
  }
  return (
    <>
      <AboutThis order={order} />
      <History order={order} />
    </>
  )
}

/** The payment in a few words. */
function AboutWhat({ order, about }: { order: Withdrawal; about: NonNullable<Withdrawal['about']> }) {
  const { t } = useTranslation()
  const to = about.recipients === undefined ? about.address_to : t('transaction.party.several', { count: about.recipients })
  return (
    <strong className="hf-break">
      {about.amount} {assetName(order.symbol, order.token_id)} → {to}
    </strong>
  )
}

/** The orders by which people allow a higher fee, or cancel it. */
function AboutThis({ order }: { order: Withdrawal }) {
  const { t } = useTranslation()
  if (order.replacements.length === 0) return null
  return (
    <section aria-labelledby="order-about">
      <h3 id="order-about">{t('transaction.replace.orders')}</h3>
      <ul className="hf-stack">
        {order.replacements.map(({ id, purpose, status, by, at }) => (
          <li key={id} className="hf-row-tight">
            <strong>{t(`transaction.replace.kind.${purpose}`)}</strong>
            <span>{t(`transaction.status.${status}`)}</span>
            <span className="hf-small hf-muted">
              <Time ms={at} /> {by}
            </span>
            <OtherRecord id={id} kind="withdraw" words={t('transaction.action.details')} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was made for the payment, and how each stands. */
function History({ order }: { order: Withdrawal }) {
  const { t } = useTranslation()
  if (order.speed_up_history.length < 2) return null
  return (
    <section aria-labelledby="order-replacements">
      <h3 id="order-replacements">{t('transaction.replace.history')}</h3>
      <p className="hf-small hf-muted">{t('transaction.replace.historyHint')}</p>
      <ol className="hf-stack">
        {order.speed_up_history.map(({ number, purpose, state, txid, fee, by, reason, at }) => (
          <li key={number} className="hf-stack-tight">
            <span className="hf-row-tight">
              <strong>{t(`transaction.replace.purpose.${purpose}`)}</strong>
              <span>{t(`transaction.replace.state.${state}`)}</span>
              <span className="hf-small hf-muted">
                <Time ms={at} /> {by}
              </span>
            </span>
            {txid !== null && <Address address={txid} copyMessage={t('ui.copy.done')} />}
            {fee !== null && (
              <span className="hf-small hf-muted hf-row-tight">
                {t('transaction.replace.feeAtMost')} <Amount value={fee} unit={order.fee_symbol} />
              </span>
            )}
            {reason !== null && <span className="hf-small hf-muted">{reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}
