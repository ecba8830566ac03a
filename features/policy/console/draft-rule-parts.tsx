import { networkOption } from '@holdfast/features/network/console'
import { Button, Label, PickField, TextField } from '@holdfast/ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallRuleDraft, PolicyDraft } from '../contract.ts'
import { plainRules, type PolicyView } from './draft.ts'

/* What the editors of rules for calls and for stake have in common. */

export type RulesProps = { policy: PolicyView; draft: PolicyDraft; onChange: (draft: PolicyDraft) => void }

/** Lines of a text, without what is empty. */
export const linesOf = (text: string) => text.split(/\s+/).filter((line) => line !== '')

/** An amount as it is typed. */
export const AMOUNT = /^\d{1,30}(\.\d{1,36})?$/

type SectionProps<Rule> = RulesProps & {
  kind: 'call' | 'stake'
  /** Where its words are. */
  words: 'calls' | 'stakes'
  added: readonly Rule[]
  nameOf: (rule: Rule) => string
  onAdded: (rules: Rule[]) => void
  form: (onAdd: (rule: Rule) => void) => ReactNode
}

/** Rules of a kind that are new or are to end; nothing where all rules have names: what is called and staked is decided by such then. */
export function RuleSection<Rule extends { id: string }>({ kind, words, added, nameOf, onAdded, form, ...props }: SectionProps<Rule>) {
  const { t } = useTranslation('strategyEngine')
  const others = (id: string) => added.filter((each) => each.id !== id)
  if (plainRules(props.policy).length === 0) return null
  return (
    <fieldset className="hf-fieldset">
      <legend>{t(`${words}.title`)}</legend>
      <p className="hf-small hf-muted">{t(`${words}.note`)}</p>
      <DropRules kind={kind} {...props} />
      {added.map((rule) => (
        <p key={rule.id} className="hf-spread">
          <Label text={nameOf(rule)} wrap />
          <Button size="small" onClick={() => onAdded(others(rule.id))}>
            {t('calls.remove')}
          </Button>
        </p>
      ))}
      <details>
        <summary>{t(`${words}.add`)}</summary>
        {form((rule) => onAdded([...others(rule.id), rule]))}
      </details>
    </fieldset>
  )
}

/** The rules of a kind that are there, each with a tick to end it. */
function DropRules({ kind, policy, draft, onChange }: RulesProps & { kind: 'call' | 'stake' }) {
  const { t } = useTranslation('strategyEngine')
  const isDropped = (id: string) => draft.drop_rules.includes(id)
  const toggled = (id: string) => (isDropped(id) ? draft.drop_rules.filter((each) => each !== id) : [...draft.drop_rules, id])
  return plainRules(policy)
    .filter((rule) => rule.kind === kind)
    .map(({ id, covers }) => (
      <label key={id} className="hf-draft-key">
        <input type="checkbox" className="hf-tick" checked={isDropped(id)} onChange={() => onChange({ ...draft, drop_rules: toggled(id) })} />
        <Label text={t('calls.drop', { id, calls: covers })} wrap />
      </label>
    ))
}

/** What every new rule says. */
export type NewRule = Pick<CallRuleDraft, 'id' | 'chain' | 'initiators' | 'approvers' | 'threshold'>
type RuleFormProps = {
  policy: PolicyView
  networks: PolicyView['networks']
  /** Whether what is typed into `children` is whole. */
  isWhole: boolean
  onAdd: (rule: NewRule) => void
  children: ReactNode
}

/** The form of a new rule: its name and network, its own fields, and the people of the first rule, whom it asks. */
export function RuleForm({ policy, networks, isWhole, onAdd, children }: RuleFormProps) {
  const { t } = useTranslation('strategyEngine')
  const [id, setId] = useState('')
  const [chosen, setChosen] = useState('')
  const chain = chosen || (networks[0]?.chain ?? '')
  const people = plainRules(policy)[0]
  const add = () => {
    if (!people) return
    onAdd({
      id: id.trim(),
      chain,
      initiators: people.initiators.map((each) => each.person_id),
      approvers: people.approvers.map((each) => each.person_id),
      threshold: people.threshold,
    })
    setId('')
    setChosen('')
  }
  return (
    <div className="hf-stack">
      <TextField label={t('calls.name')} value={id} onChange={setId} maxLength={40} autoComplete="off" />
      <PickField label={t('calls.network')} value={chain} options={networks.map((each) => networkOption(each.chain, each.name))} onChange={setChosen} />
      {children}
      <p className="hf-small hf-muted">{t('calls.people', { rule: people?.id ?? '' })}</p>
      <div>
        <Button disabled={!isWhole || id.trim() === '' || !people} onClick={add}>
          {t('calls.take')}
        </Button>
      </div>
    </div>
  )
}

/** A field of several lines, such as addresses. */
export function LinesField({ label, hint, value, onChange }: { label: string; hint?: string; value: string; onChange: (value: string) => void }) {
  return <TextField label={label} {...(hint !== undefined && { hint })} value={value} onChange={onChange} rows={2} className="hf-mono" />
}

/** A choice to tick. */
export function Tick({ checked, onChange, children }: { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }) {
  return (
    <label className="hf-row-tight">
      <input type="checkbox" className="hf-tick" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  )
}
