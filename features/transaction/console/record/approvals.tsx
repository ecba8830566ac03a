import { Screenings } from '@holdfast/features/kyt/console'
import { MailStandings } from '@holdfast/features/mail/console'
import { Avatar, formatDay, Label, RelativeTime, StatusTag, Time, type Tone, useLocale } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Withdrawal } from './payment-facts.tsx'

const TONES: Record<Withdrawal['approvers'][number]['state'], Tone> = { waiting: 'neutral', approved: 'good', rejected: 'bad' }

/** The steps an order passes by its policy, who may speak at each, and what each of them said. */
export function Approvals({ order }: { order: Withdrawal }) {
  const { t } = useTranslation()
  const { done, need } = order.approvals ?? { done: 0, need: 0 }
  const isMet = done >= need
  // Every rule asks somebody, if only whoever asks for the order.
  const isUnasked = need === 0
  const isSigned = order.txid !== null
  const isOpen = order.status === 1000
  return (
    <ol className="hf-nodes">
      <li className="hf-node">
        <span className={`hf-node-mark hf-node-${isMet ? 'done' : isOpen ? 'now' : 'off'}`}>1</span>
        <div className="hf-stack-tight">
          {isUnasked ? (
            <Before order={order} />
          ) : (
            <>
              <div className="hf-spread">
                <strong>{t('transaction.node.quorum', { need, of: order.approvers.filter((each) => !each.only_stops).length })}</strong>
                <span className="hf-small hf-muted">{t('transaction.approvals.count', { done, need })}</span>
              </div>
              <p className="hf-small hf-muted">
                {t('transaction.fact.policyValue', { version: order.policy_version, rule: order.rule_name || order.rule_id })}
              </p>
            </>
          )}
          <ul className="hf-members">
            {order.approvers.map((person) => (
              <li key={person.person_id}>
                <Avatar name={person.name} size={28} />
                <span className="hf-grow">
                  <Label text={person.name} />
                  {person.by !== null && (
                    <span className="hf-small hf-muted">
                      {' '}
                      · <Label text={t('transaction.approvals.by', { name: person.by })} />
                    </span>
                  )}
                  {person.at !== null && (
                    <span className="hf-small hf-faint">
                      {' '}
                      · <Time ms={person.at} />
                    </span>
                  )}
                  {isOpen && person.state === 'waiting' && person.away && <Away away={person.away} />}
                </span>
                <StatusTag tone={TONES[person.state]} text={t(`transaction.approvals.${saidBy(person, isOpen)}`)} />
              </li>
            ))}
          </ul>
          {order.screenings && <Screenings screenings={order.screenings} isOver={isSigned || order.status >= 2000} />}
          {order.initiator && !isUnasked && <p className="hf-small hf-muted">{t('transaction.approvals.initiator', { name: order.initiator.name })}</p>}
          {order.reminded && isOpen && (
            <p className="hf-small hf-muted">
              {t('transaction.approvals.reminded', { name: order.reminded.by, count: order.reminded.times })} <RelativeTime ms={order.reminded.at} />
            </p>
          )}
          {order.reminded && isOpen && <MailStandings mails={order.reminded.letters} />}
          {order.stoppable && <MailStandings mails={order.stoppable.letters} />}
        </div>
      </li>
      <li className="hf-node">
        <span className={`hf-node-mark hf-node-${isSigned ? 'done' : order.status === 1100 ? 'now' : 'off'}`}>2</span>
        <div className="hf-stack-tight">
          <strong>{t('transaction.node.signers')}</strong>
          <p className="hf-small hf-muted">{t(isSigned ? 'transaction.node.signed' : 'transaction.node.signersNote')}</p>
        </div>
      </li>
    </ol>
  )
}

/** What people approved before, so that nobody was asked about this order: a batch, or a standing order. */
function Before({ order: { batch_id: batchId, initiator } }: { order: Withdrawal }) {
  const { t } = useTranslation()
  if (batchId === null) return <strong>{t('transaction.node.standing', { name: initiator?.name ?? '' })}</strong>
  return (
    <>
      <strong>{t('transaction.node.batch')}</strong>
      <Link to={`/mpc/tools/batchTransfer/transferRecord?batch=${batchId}`}>{t('transaction.node.toBatch')}</Link>
    </>
  )
}

/** What is told of a person: what they said, or what is awaited of them. Who only counts by a no is never waited for. */
const saidBy = ({ state, only_stops: onlyStops }: Withdrawal['approvers'][number], isOpen: boolean) =>
  state !== 'waiting' ? state : onlyStops ? 'stops' : isOpen ? 'waiting' : 'silent'

/** Who is not there, until when, and whom to ask. */
function Away({ away }: { away: NonNullable<Withdrawal['approvers'][number]['away']> }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <span className="hf-small hf-muted hf-away">
      {t('transaction.approvals.away', { day: formatDay(away.until, locale) })}
      {away.delegate !== null && (
        <>
          {' · '}
          {t('transaction.approvals.ask')} <Label text={away.delegate} />
        </>
      )}
    </span>
  )
}
