import { Button, IconDown, IconTrash, IconUp, Note, PickField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { type ActionDraft, type StepDraft, STEPS_MAX } from '@holdfast/features/rule-draft/contract'
import { type NamedDraft, peopleIn } from '@holdfast/features/rule-draft/console'
import type { Names } from '../words/rule-words.ts'
import { Choice, type FaultAt, FaultLine, NumberField, Part, Piece, SpanField } from './parts.tsx'
import { FeesField } from './fees-field.tsx'
import { WhoField } from './who-field.tsx'

const EMPTY_STEP: StepDraft = { need: 1, who: [] }

/** The action as it begins, with what the one before it already said. */
function actionOf(kind: ActionDraft['kind'], before: ActionDraft): ActionDraft {
  if (kind === 'refuse') return { kind }
  const kept = before.kind === 'refuse' ? { may_stop: [], expire_s: 0 } : { may_stop: before.may_stop, expire_s: before.expire_s }
  return kind === 'pass' ? { kind, fees: [], ...kept } : { kind, steps: [EMPTY_STEP], delay_s: 0, ...kept }
}

type ActionProps = { rule: NamedDraft; names: Names; faultAt: FaultAt; onChange: (rule: NamedDraft) => void }

/** What happens where a rule decides: it refuses, asks people, or lets through. */
export function Action({ rule, names, faultAt, onChange }: ActionProps) {
  const { t } = useTranslation('strategyEngine')
  const { action } = rule
  const set = (next: ActionDraft) => onChange({ ...rule, action: next })
  const kinds = rule.covers.kind === 'payments' || action.kind === 'pass' ? (['approve', 'refuse', 'pass'] as const) : (['approve', 'refuse'] as const)
  return (
    <Part title={t('rules.edit.then')}>
      <Choice
        name="action"
        label={t('rules.edit.then')}
        value={action.kind}
        options={kinds.map((value) => ({ value, label: t(`rules.action.${value}`), note: t(`rules.actionNote.${value}`) }))}
        onChange={(kind) => set(actionOf(kind, action))}
      />
      <FaultLine text={faultAt('action')} />
      {action.kind === 'pass' && (
        <Note tone="warn" title={t('rules.edit.passTitle')}>
          {t('rules.edit.passText')}
        </Note>
      )}
      {action.kind === 'pass' && <FeesField {...{ action, names, faultAt }} onChange={set} />}
      {action.kind === 'approve' && <Steps {...{ action, names, faultAt }} onChange={set} />}
      {action.kind !== 'refuse' && <More {...{ action, names, faultAt }} onChange={set} />}
    </Part>
  )
}

type Approve = Extract<ActionDraft, { kind: 'approve' }>
type StepsProps = Omit<ActionProps, 'rule' | 'onChange'> & { action: Approve; onChange: (action: Approve) => void }

function Steps({ action, names, faultAt, onChange }: StepsProps) {
  const { t } = useTranslation('strategyEngine')
  const { steps } = action
  const set = (at: number, next: StepDraft) => onChange({ ...action, steps: steps.with(at, next) })
  const move = (at: number, by: -1 | 1) => {
    const [one, other] = [steps[at], steps[at + by]]
    if (one && other) onChange({ ...action, steps: steps.with(at, other).with(at + by, one) })
  }
  return (
    <div className="hf-stack">
      {steps.map((step, at) => (
        <Piece
          key={at}
          title={t('rules.edit.stepNo', { no: at + 1 })}
          tools={
            <StepTools {...{ at }} count={steps.length} onMove={(by) => move(at, by)} onDrop={() => onChange({ ...action, steps: steps.toSpliced(at, 1) })} />
          }
        >
          <div className="hf-rule-step-fields">
            <NumberField
              label={t('rules.edit.need')}
              value={step.need}
              max={255}
              suffix={<span>{t('rules.edit.needOf', { count: peopleIn(step.who, names.groups).length })}</span>}
              onChange={(need) => set(at, { ...step, need })}
            />
            <div className="hf-stack-tight">
              <span className="hf-label">{t('rules.edit.ofWhom')}</span>
              <WhoField
                label={t('rules.edit.ofWhomStep', { no: at + 1 })}
                who={step.who}
                names={names}
                onChange={(who) => set(at, { ...step, who })}
                error={faultAt(`steps.${at}`)}
              />
            </div>
          </div>
        </Piece>
      ))}
      <FaultLine text={faultAt('steps')} />
      {steps.length < STEPS_MAX - (action.co_signer === undefined ? 0 : 1) && (
        <div>
          <Button size="small" variant="dashed" onClick={() => onChange({ ...action, steps: [...steps, EMPTY_STEP] })}>
            {`+ ${t('rules.edit.addStep')}`}
          </Button>
        </div>
      )}
      <p className="hf-small hf-muted">{t('rules.edit.stepsNote')}</p>
      <CoSigner {...{ action, names, onChange }} />
    </div>
  )
}

const NONE = ''

/** A program that has to approve as well; nothing where the policy names none. */
function CoSigner({ action, names, onChange }: Pick<StepsProps, 'action' | 'names' | 'onChange'>) {
  const { t } = useTranslation('strategyEngine')
  const { co_signer: chosen, ...rest } = action
  const { coSigners } = names.known
  if (chosen === undefined && (coSigners.length === 0 || rest.steps.length === STEPS_MAX)) return null
  return (
    <PickField
      label={t('rules.edit.coSigner')}
      hint={t('rules.edit.coSignerNote')}
      value={chosen ?? NONE}
      options={[{ value: NONE, label: t('rules.edit.noCoSigner') }, ...coSigners.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(id) => onChange(id === NONE ? rest : { ...rest, co_signer: id })}
    />
  )
}

function StepTools({ at, count, onMove, onDrop }: { at: number; count: number; onMove: (by: -1 | 1) => void; onDrop: () => void }) {
  const { t } = useTranslation('strategyEngine')
  if (count === 1) return null
  const name = t('rules.edit.stepNo', { no: at + 1 })
  return (
    <>
      <button type="button" className="hf-icon-button" disabled={at === 0} aria-label={t('rules.list.up', { name })} onClick={() => onMove(-1)}>
        <IconUp />
      </button>
      <button type="button" className="hf-icon-button" disabled={at === count - 1} aria-label={t('rules.list.down', { name })} onClick={() => onMove(1)}>
        <IconDown />
      </button>
      <button type="button" className="hf-icon-button" aria-label={t('rules.edit.takeOut', { name })} onClick={onDrop}>
        <IconTrash />
      </button>
    </>
  )
}

type Counted = Exclude<ActionDraft, { kind: 'refuse' }>

/** How long an order waits and stays open, and who can stop it. */
function More({ action, names, faultAt, onChange }: Omit<StepsProps, 'action' | 'onChange'> & { action: Counted; onChange: (action: Counted) => void }) {
  const { t } = useTranslation('strategyEngine')
  const isSet = action.may_stop.length > 0 || (action.kind === 'approve' && action.delay_s > 0)
  return (
    <details className="hf-details" open={isSet || undefined}>
      <summary>{t('rules.edit.more')}</summary>
      <div className="hf-rule-grid">
        {action.kind === 'approve' && (
          <SpanField
            label={t('rules.edit.delay')}
            hint={t('rules.edit.delayNote')}
            value={action.delay_s}
            onChange={(delay) => onChange({ ...action, delay_s: delay })}
          />
        )}
        <SpanField
          label={t('rules.edit.expire')}
          hint={t('rules.edit.expireNote')}
          value={action.expire_s}
          onChange={(expire) => onChange({ ...action, expire_s: expire })}
        />
        <div className="hf-stack-tight hf-rule-wide">
          <span className="hf-label">{t('rules.edit.mayStop')}</span>
          <WhoField
            label={t('rules.edit.mayStop')}
            who={action.may_stop}
            names={names}
            onChange={(who) => onChange({ ...action, may_stop: who })}
            error={faultAt('may_stop')}
          />
        </div>
      </div>
    </details>
  )
}
