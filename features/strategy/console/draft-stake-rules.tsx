import { Button, Label, SelectField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyDraft, StakeRuleDraft } from '../contract.ts'
import { DropRules, linesOf } from './draft-additions.tsx'
import type { PolicyView } from './draft.ts'

const ACTIONS = ['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate'] as const
const AMOUNT = /^\d{1,30}(\.\d{1,36})?$/

type RulesProps = { policy: PolicyView; draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }

/** Rules for stake that are new or are to end. A new one asks the people of the first rule. */
export function DraftStakeRules({ policy, draft, onChange }: RulesProps) {
  const { t } = useTranslation('strategyEngine')
  if (policy.stake_networks.length === 0) return null
  const others = (id: string) => draft.add_stake_rules.filter((each) => each.id !== id)
  return (
    <fieldset className="hf-fieldset">
      <legend>{t('stakes.title')}</legend>
      <p className="hf-small hf-muted">{t('stakes.note')}</p>
      <DropRules kind="stake" policy={policy} draft={draft} onChange={onChange} />
      {draft.add_stake_rules.map((rule) => (
        <p key={rule.id} className="hf-spread">
          <Label text={t('stakes.added', { id: rule.id })} wrap />
          <Button size="small" onClick={() => onChange({ ...draft, add_stake_rules: others(rule.id) })}>
            {t('calls.remove')}
          </Button>
        </p>
      ))}
      <details>
        <summary>{t('stakes.add')}</summary>
        <StakeRuleForm policy={policy} onAdd={(rule) => onChange({ ...draft, add_stake_rules: [...others(rule.id), rule] })} />
      </details>
    </fieldset>
  )
}

const EMPTY = { id: '', chain: '', payers: '', receivers: '', amount: '', lock: '0', actions: [...ACTIONS] as (typeof ACTIONS)[number][] }

function StakeRuleForm({ policy, onAdd }: { policy: PolicyView; onAdd: (rule: StakeRuleDraft) => void }) {
  const { t } = useTranslation('strategyEngine')
  const [typed, setTyped] = useState(EMPTY)
  const change = (next: Partial<typeof EMPTY>) => setTyped((before) => ({ ...before, ...next }))
  const chain = typed.chain || (policy.stake_networks[0]?.chain ?? '')
  const people = policy.rules[0]
  const isWhole = typed.id.trim() !== '' && typed.actions.length > 0 && people !== undefined && AMOUNT.test(typed.amount) && /^\d{1,8}$/.test(typed.lock)
  const add = () => {
    if (!isWhole) return
    onAdd({
      id: typed.id.trim(),
      chain,
      payers: linesOf(typed.payers),
      actions: typed.actions,
      receivers: linesOf(typed.receivers),
      max_amount: typed.amount,
      max_lock_blocks: Number(typed.lock),
      initiators: people.initiators.map((each) => each.person_id),
      approvers: people.approvers.map((each) => each.person_id),
      threshold: people.threshold,
    })
    setTyped(EMPTY)
  }
  const text = (name: 'payers' | 'receivers') => (
    <TextField
      label={t(`stakes.${name}`)}
      hint={t(`stakes.${name}Note`)}
      value={typed[name]}
      onChange={(next) => change({ [name]: next })}
      rows={2}
      className="hf-mono"
    />
  )
  return (
    <div className="hf-stack">
      <TextField label={t('calls.name')} value={typed.id} onChange={(id) => change({ id })} maxLength={40} autoComplete="off" />
      <SelectField
        label={t('calls.network')}
        value={chain}
        options={policy.stake_networks.map((each) => ({ value: each.chain, label: each.name }))}
        onChange={(next) => change({ chain: next })}
      />
      {ACTIONS.map((action) => (
        <label key={action} className="hf-row-tight">
          <input
            type="checkbox"
            className="hf-tick"
            checked={typed.actions.includes(action)}
            onChange={(event) => change({ actions: ACTIONS.filter((each) => (each === action ? event.target.checked : typed.actions.includes(each))) })}
          />
          {t(`stakes.action.${action}`)}
        </label>
      ))}
      <TextField label={t('stakes.amount')} value={typed.amount} onChange={(amount) => change({ amount })} inputMode="decimal" autoComplete="off" />
      {text('payers')}
      {text('receivers')}
      <TextField
        label={t('stakes.lock')}
        hint={t('stakes.lockNote')}
        value={typed.lock}
        onChange={(lock) => change({ lock })}
        inputMode="numeric"
        autoComplete="off"
      />
      <p className="hf-small hf-muted">{t('calls.people', { rule: people?.id ?? '' })}</p>
      <div>
        <Button disabled={!isWhole} onClick={add}>
          {t('calls.take')}
        </Button>
      </div>
    </div>
  )
}
