import '../team.css'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useUserInfo } from '@holdfast/features/session/console'
import { Button, ErrorState, Label, LoadingState, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listVoteDelegations } from '../../contract.ts'
import { openDelegateDrawer } from './open-delegate-drawer.tsx'

type Delegations = OutputOf<typeof listVoteDelegations>

/** Who decides for the reader while they are away, whom they decide for, and the way to name somebody or to end it. */
export function OwnDelegation() {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const { data: user } = useUserInfo()
  const { data, error, refetch } = useEndpoint(listVoteDelegations, {})
  if (!user || !data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={3} />
  const own = data.list.filter(({ delegator, delegate }) => [delegator, delegate].some(({ user_id: id }) => id === user.user_id))
  const hasNamed = own.some(({ delegator }) => delegator.user_id === user.user_id)
  return (
    <section className="hf-panel hf-stack" aria-labelledby="own-delegation">
      <div className="hf-section-head">
        <h2 id="own-delegation">{t('delegation.own')}</h2>
        <span className="hf-row-tight">
          {hasNamed && (
            <ApprovalLink size="small" variant="danger" href={data.url}>
              {t('delegation.end')}
            </ApprovalLink>
          )}
          {data.may_name.length > 0 && (
            <Button size="small" onClick={() => openDelegateDrawer(drawers, t('delegation.title'))}>
              {t(hasNamed ? 'delegation.change' : 'delegation.open')}
            </Button>
          )}
        </span>
      </div>
      <p className="hf-muted">{t('delegation.note')}</p>
      {data.may_name.length === 0 && <p>{t('delegation.nobodyMay')}</p>}
      {own.length > 0 && <List of={own} />}
    </section>
  )
}

/** Who decides for whom, of everybody. Nothing where nobody does. */
export function DelegationList() {
  const { t } = useTranslation('teamMember')
  const { data } = useEndpoint(listVoteDelegations, {})
  if (!data || data.list.length === 0) return null
  return (
    <section className="hf-panel hf-stack" aria-labelledby="delegations">
      <h2 id="delegations">{t('delegation.all')}</h2>
      <List of={data.list} />
    </section>
  )
}

const SIGNERS = 3

function List({ of }: { of: Delegations['list'] }) {
  const { t } = useTranslation('teamMember')
  return (
    <ul className="hf-stack-tight">
      {of.map(({ delegator, delegate, from, to, now, told }) => (
        <li key={delegator.user_id} className="hf-spread">
          <span className="hf-grow">
            <Label text={t('delegation.for', { delegate: delegate.name, delegator: delegator.name })} wrap />
            <span className="hf-small hf-muted hf-away">
              <Time ms={from} /> – <Time ms={to} />
              {told < SIGNERS && <> · {t('delegation.told', { count: told })}</>}
            </span>
          </span>
          <StatusTag tone={now ? 'good' : 'neutral'} text={t(now ? 'delegation.now' : 'delegation.later')} />
        </li>
      ))}
    </ul>
  )
}
