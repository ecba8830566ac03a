import { CallError } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSignerReason } from '@holdfast/features/evidence/console'
import { Button, confirm, Label, Note, RelativeTime, StatusTag, useDrawers } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { CHANGE_TONES, type Change, ChangeLines, ClosedOrders, stateOf, Waiting } from './change-parts.tsx'
import { withdrawPolicyChange } from '../contract.ts'
import { policyErrors } from '../errors.ts'
import { openChangeDrawer } from './open-change-drawer.tsx'
import { QuorumMeters } from './quorum-meters.tsx'

/** The change of the policy that is under way: what it changes, whose word is missing, and what the reader can do about it. */
export function ChangeCard({ change }: { change: Change }) {
  const { t } = useTranslation('strategyEngine')
  const reasonOf = useSignerReason()
  const drawers = useDrawers()
  const withdraw = useSend(withdrawPolicyChange)
  const takeBack = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('change.withdraw.title', { version: change.version }),
      content: t('change.withdraw.text'),
      remark: true,
      confirmText: t('change.withdraw.do'),
    })
    if (answer.outcome === 'confirm') withdraw.mutate({ id: change.id, remark: answer.remark }, { onError: showIfRejected })
  }
  const open = () => openChangeDrawer(drawers, change.id, t('change.title', { version: change.version }))
  // Somebody said no meanwhile: what there is to see now is who, and why.
  const showIfRejected = (error: Error) => {
    if (error instanceof CallError && error.is(policyErrors.strategy_rejected)) open()
  }
  return (
    <section className="hf-panel hf-policy-change" aria-labelledby="open-change">
      <div className="hf-section-head">
        <h2 id="open-change">{t('change.title', { version: change.version })}</h2>
        <StatusTag tone={CHANGE_TONES[change.state]} text={t(`change.state.${stateOf(change)}`)} />
      </div>
      <p className="hf-small hf-muted">
        {t('change.askedBy')} <Label text={change.initiator.name} /> · <RelativeTime ms={change.created_at} /> · {t('change.expires')}{' '}
        <RelativeTime ms={change.expire_at} />
      </p>
      <ChangeLines lines={change.lines} />
      <ClosedOrders closes={change.closes} />
      {change.reason !== null && <Note tone="info">{reasonOf(change.reason)}</Note>}
      <Waiting change={change} />
      <QuorumMeters quorums={change.quorums} />
      <div className="hf-row">
        {change.mine === 'stop' && <ApprovalLink href={change.approval_url}>{t('change.stop')}</ApprovalLink>}
        {change.mine === 'decide' && (
          <ApprovalLink variant="primary" href={change.approval_url}>
            {t('change.decide')}
          </ApprovalLink>
        )}
        {change.mine === 'initiator' && change.state === 'approving' && (
          <Button loading={withdraw.isPending} onClick={() => void takeBack()}>
            {t('change.withdraw.do')}
          </Button>
        )}
        <Button onClick={open}>{t('change.details')}</Button>
      </div>
    </section>
  )
}
