import './strategy.css'
import { usePermission } from '@holdfast/features/session/console'
import { Button, ErrorState, Fingerprint, IconEdit, Label, LoadingState, Note, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getPolicy } from '../contract.ts'
import { ChangeCard } from './change-card.tsx'
import { ChangeHistory } from './change-history.tsx'
import { Persons } from './change-parts.tsx'
import type { PolicyView } from './draft.ts'
import { openProposeDrawer } from './open-change-drawer.tsx'

/** Who may approve: the policy the signers follow, what is being changed in it, and what was changed before. */
export function PolicyPanel() {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const mayPropose = usePermission('policy.propose')
  const { data, error, refetch } = useEndpoint(getPolicy, {})
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />
  return (
    <div className="hf-stack hf-policy-page">
      <div className="hf-spread">
        <p className="hf-muted hf-policy-lead">{t('lead')}</p>
        {mayPropose && (
          <Button
            variant="primary"
            icon={<IconEdit />}
            disabled={data.open_change !== null}
            onClick={() => openProposeDrawer(drawers, t('propose.title', { version: data.version + 1 }))}
          >
            {t('propose.open')}
          </Button>
        )}
      </div>
      {data.broken.length > 0 && (
        <Note tone="bad" title={t('broken')}>
          <ul className="hf-bullets">
            {data.broken.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Note>
      )}
      {data.open_change && <ChangeCard change={data.open_change} />}
      <Rules policy={data} />
      <InForce policy={data} />
      <ChangeHistory />
    </div>
  )
}

function Rules({ policy }: { policy: PolicyView }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <div className="hf-policy-rules">
      {policy.rules.map((rule) => (
        <RuleCard key={rule.id} title={t('ruleTitle', { rule: rule.id })} note={<Limits rule={rule} />} threshold={rule.threshold} approvers={rule.approvers}>
          <People title={t('mayAsk')} people={rule.initiators} />
        </RuleCard>
      ))}
      <RuleCard title={t('governance')} note={t('governanceNote')} threshold={policy.governance.threshold} approvers={policy.governance.approvers} />
    </div>
  )
}

/** What a rule covers and how much it lets through. */
function Limits({ rule }: { rule: PolicyView['rules'][number] }) {
  const { t } = useTranslation('strategyEngine')
  const { network, symbol, max_amount: max, window, covers } = rule
  if (covers !== null) return <Label text={covers} wrap />
  const unit = symbol ?? t('limit.baseUnits')
  return [
    t('limit.scope', { symbol: symbol ?? t('limit.anyAsset'), network: network ?? t('limit.anyNetwork') }),
    max === null ? t('limit.none') : t('limit.max', { amount: max, unit }),
    ...(window ? [t('limit.window', { amount: window.max_amount, unit, hours: window.hours })] : []),
  ].join(' · ')
}

type RuleCardProps = { title: string; note: ReactNode; threshold: number; approvers: readonly { person_id: string; name: string }[]; children?: ReactNode }

function RuleCard({ title, note, threshold, approvers, children }: RuleCardProps) {
  const { t } = useTranslation('strategyEngine')
  return (
    <section className="hf-panel hf-stack-tight">
      <h2>
        <Label text={title} wrap />
      </h2>
      <p className="hf-small hf-muted">{note}</p>
      <p className="hf-policy-needs">
        <strong className="hf-numbers">{threshold}</strong> {t('needs', { count: threshold, of: approvers.length })}
      </p>
      <People title={t('mayApprove')} people={approvers} />
      {children}
      <p className="hf-small hf-faint">{t('never')}</p>
    </section>
  )
}

function People({ title, people }: { title: string; people: readonly { person_id: string; name: string }[] }) {
  return (
    <div className="hf-stack-tight">
      <h3 className="hf-small hf-muted">{title}</h3>
      <Persons people={people} />
    </div>
  )
}

/** Which version is in force, until when, and whether each signer follows it. */
function InForce({ policy }: { policy: PolicyView }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <section className="hf-panel hf-stack" aria-labelledby="in-force">
      <div className="hf-section-head">
        <h2 id="in-force">{t('inForce', { version: policy.version })}</h2>
        <span className="hf-small hf-muted">
          {t('expires')} <Time ms={policy.expire_at} />
        </span>
      </div>
      <ul className="hf-policy-signers">
        {policy.signers.map((signer) => {
          const isCurrent = signer.policy_version === policy.version
          const text =
            signer.policy_version === null
              ? t(signer.online ? 'signer.begins' : 'signer.away')
              : isCurrent
                ? t('signer.follows')
                : t('signer.behind', { version: signer.policy_version })
          return (
            <li key={signer.party} className="hf-spread">
              <Label text={signer.name} />
              <StatusTag tone={isCurrent ? 'good' : signer.policy_version === null ? 'neutral' : 'warn'} text={text} />
            </li>
          )
        })}
      </ul>
      <details>
        <summary>{t('words')}</summary>
        <ul className="hf-bullets hf-policy-lines">
          {policy.description.map((line) => (
            <li key={line}>
              <Label text={line} wrap />
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>{t('hash')}</summary>
        <Fingerprint hex={policy.hash} />
      </details>
    </section>
  )
}
