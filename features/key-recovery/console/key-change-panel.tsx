import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { useSignerReason } from '@holdfast/features/evidence/console'
import { Button, confirm, Label, Note, RelativeTime, StatusTag, Timeline, type TimelineItem, type Tone, useDrawers } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { withdrawKeyChange } from '../contract.ts'
import { HolderList } from './holder-list.tsx'
import type { KeyView } from './key-card.tsx'
import { openExportDetail } from './open-key-drawers.tsx'
import { RepairWalk } from './repair-walk.tsx'

type Change = NonNullable<KeyView['change']>
type StepState = Change['steps'][number]['state']

const TONES: Record<Change['state'], Tone> = {
  approving: 'warn',
  approved: 'active',
  active: 'warn',
  done: 'good',
  rejected: 'bad',
  refused: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
  superseded: 'neutral',
}
const STEP_TONES: Record<StepState, Tone> = { waiting: 'neutral', running: 'active', done: 'good', failed: 'bad' }

/** An order for new shares: whose word is missing, how far the signers are, and what it means that one of them is away. */
export function KeyChangePanel({ change, signers }: { change: Change; signers: KeyView['signers'] }) {
  const { t } = useTranslation('privateKeyRecovery')
  const reasonOf = useSignerReason()
  const title = t(`change.title.${change.action}`, { party: change.party ?? 0, from: change.from_epoch, to: change.to_epoch })
  const away = signers.filter(({ online }) => !online).map(({ party }) => party)
  const isUnderWay = change.state === 'approved'
  return (
    <div className="hf-key-change">
      <div className="hf-spread">
        <h3>{title}</h3>
        <StatusTag tone={TONES[change.state]} text={t(`change.state.${change.state}`)} />
      </div>
      <p className="hf-small hf-muted">
        {t('change.askedBy')} <Label text={change.initiator.name} /> · <RelativeTime ms={change.created_at} />
      </p>
      <Quorum change={change} />
      {change.state === 'active' && (
        <Note tone="warn" title={t('change.active.title')}>
          {t('change.active.text')}
        </Note>
      )}
      {change.reason !== null && <Note tone={change.state === 'refused' ? 'bad' : 'warn'}>{reasonOf(change.reason)}</Note>}
      {change.holders.length > 0 && <HolderList holders={change.holders} />}
      {change.party !== null && change.state !== 'done' && <RepairWalk party={change.party} signers={signers} change={change} />}
      {isUnderWay && <Steps change={change} />}
      {isUnderWay && away.length === 0 && change.to_epoch !== change.from_epoch && <p className="hf-small hf-muted">{t('change.ifAway')}</p>}
      <Decisions change={change} />
    </div>
  )
}

function Quorum({ change }: { change: Change }) {
  const { t } = useTranslation('privateKeyRecovery')
  const { need, approved, waiting } = change.quorum
  const names = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(t('comma'))
  return (
    <p className="hf-small">
      {t('change.approvals', { have: approved.length, need })}
      {approved.length > 0 && (
        <>
          {': '}
          <Label text={names(approved)} />
        </>
      )}
      {change.state === 'approving' && waiting.length > 0 && (
        <span className="hf-muted">
          {' · '}
          {t('change.canApprove')} <Label text={names(waiting)} />
        </span>
      )}
    </p>
  )
}

function Steps({ change }: { change: Change }) {
  const { t } = useTranslation('privateKeyRecovery')
  const items: TimelineItem[] = change.steps.map((step) => ({
    key: step.name,
    tone: STEP_TONES[step.state],
    title: t(`step.${step.name}`),
    isAhead: step.state === 'waiting',
    ...(step.state === 'done' ? { atMs: step.at } : step.state === 'running' ? { note: t('step.running') } : {}),
  }))
  return <Timeline items={items} label={t('step.label')} />
}

function Decisions({ change }: { change: Change }) {
  const { t } = useTranslation('privateKeyRecovery')
  const drawers = useDrawers()
  const withdraw = useSend(withdrawKeyChange)
  const details = <Button onClick={() => openExportDetail(drawers, change.id, t('export.detail'))}>{t('export.detail')}</Button>
  if (change.state !== 'approving' && change.action === 'export') return <div className="hf-row-tight">{details}</div>
  if (change.state !== 'approving') return null
  const takeBack = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('change.withdraw.title'),
      content: t('change.withdraw.text'),
      remark: true,
      confirmText: t('change.withdraw.do'),
    })
    if (answer.outcome === 'confirm') withdraw.mutate({ id: change.id, remark: answer.remark })
  }
  return (
    <div className="hf-row-tight">
      <ApprovalLink variant={change.mine === 'decide' ? 'primary' : 'default'} href={change.approval_url}>
        {t(change.mine === 'decide' ? 'change.decide' : 'change.look')}
      </ApprovalLink>
      {change.action === 'export' && details}
      {change.mine === 'initiator' && (
        <Button loading={withdraw.isPending} onClick={() => void takeBack()}>
          {t('change.withdraw.do')}
        </Button>
      )}
    </div>
  )
}
