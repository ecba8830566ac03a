import { TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StakeRuleDraft } from '../contract.ts'
import type { PolicyView } from './draft.ts'
import { AMOUNT, LinesField, linesOf, type NewRule, RuleForm, RuleSection, type RulesProps, Tick } from './draft-rule-parts.tsx'

const ACTIONS = ['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate'] as const

/** Rules for stake that are new or are to end. A new one asks the people of the first rule. */
export function DraftStakeRules(props: RulesProps) {
  const { t } = useTranslation('strategyEngine')
  const { policy, draft, onChange } = props
  if (policy.stake_networks.length === 0) return null
  return (
    <RuleSection
      kind="stake"
      words="stakes"
      {...props}
      added={draft.add_stake_rules}
      nameOf={(rule) => t('stakes.added', { id: rule.id })}
      onAdded={(rules) => onChange({ ...draft, add_stake_rules: rules })}
      form={(onAdd) => <StakeRuleForm policy={policy} onAdd={onAdd} />}
    />
  )
}

const EMPTY = { payers: '', receivers: '', amount: '', lock: '0', actions: [...ACTIONS] as (typeof ACTIONS)[number][] }

function StakeRuleForm({ policy, onAdd }: { policy: PolicyView; onAdd: (rule: StakeRuleDraft) => void }) {
  const { t } = useTranslation('strategyEngine')
  const [typed, setTyped] = useState(EMPTY)
  const change = (next: Partial<typeof EMPTY>) => setTyped((before) => ({ ...before, ...next }))
  const isWhole = typed.actions.length > 0 && AMOUNT.test(typed.amount) && /^\d{1,8}$/.test(typed.lock)
  const add = (rule: NewRule) => {
    onAdd({
      ...rule,
      payers: linesOf(typed.payers),
      actions: typed.actions,
      receivers: linesOf(typed.receivers),
      max_amount: typed.amount,
      max_lock_blocks: Number(typed.lock),
    })
    setTyped(EMPTY)
  }
  const ticked = (action: (typeof ACTIONS)[number], checked: boolean) => ACTIONS.filter((each) => (each === action ? checked : typed.actions.includes(each)))
  return (
    <RuleForm policy={policy} networks={policy.stake_networks} isWhole={isWhole} onAdd={add}>
      {ACTIONS.map((action) => (
        <Tick key={action} checked={typed.actions.includes(action)} onChange={(checked) => change({ actions: ticked(action, checked) })}>
          {t(`stakes.action.${action}`)}
        </Tick>
      ))}
      <TextField label={t('stakes.amount')} value={typed.amount} onChange={(amount) => change({ amount })} inputMode="decimal" autoComplete="off" />
      {(['payers', 'receivers'] as const).map((name) => (
        <LinesField key={name} label={t(`stakes.${name}`)} hint={t(`stakes.${name}Note`)} value={typed[name]} onChange={(next) => change({ [name]: next })} />
      ))}
      <TextField
        label={t('stakes.lock')}
        hint={t('stakes.lockNote')}
        value={typed.lock}
        onChange={(lock) => change({ lock })}
        inputMode="numeric"
        autoComplete="off"
      />
    </RuleForm>
  )
}
