import { useTranslation } from 'react-i18next'
import type { Known, NamedDraft } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import type { Names } from '../words/rule-words.ts'
import { AssetRows } from './asset-rows.tsx'
import { DestinationsFields } from './destinations-fields.tsx'
import { ParameterRows } from './parameter-rows.tsx'
import { AddButtons, Chips, Choice, type FaultAt, Part, Piece } from './parts.tsx'
import { ScreeningFields } from './screening-fields.tsx'
import { TimesFields } from './times-fields.tsx'
import { ValueFields } from './value-fields.tsx'
import { WhoField } from './who-field.tsx'

type Kind = ConditionDraft['kind']

const KINDS_OF: Record<NamedDraft['covers']['kind'], readonly Kind[]> = {
  payments: ['askers', 'sources', 'assets', 'value', 'destinations', 'memo', 'times', 'screening'],
  calls: ['askers', 'sources', 'parameters', 'times', 'screening'],
  stake: ['askers', 'sources', 'value', 'times', 'screening'],
  trades: ['askers', 'sources', 'times', 'screening'],
}

const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A condition as it begins. */
const EMPTY: Record<Kind, () => ConditionDraft> = {
  askers: () => ({ kind: 'askers', who: [] }),
  sources: () => ({ kind: 'sources', wallets: [] }),
  assets: () => ({ kind: 'assets', assets: [] }),
  destinations: () => ({ kind: 'destinations', own: false, listed: true, lists: [], paid_before: false, addresses: [] }),
  memo: () => ({ kind: 'memo', is_present: true }),
  times: () => ({ kind: 'times', zone: localZone(), days: [1, 2, 3, 4, 5], from_minute: 9 * 60, until_minute: 18 * 60 }),
  value: () => ({ kind: 'value', above_usd: '0', at_most_usd: null }),
  parameters: () => ({ kind: 'parameters', parameters: [] }),
  screening: () => ({ kind: 'screening', screeners: [], levels: ['low'], within_s: 30 * 60 }),
}

type ConditionsProps = { rule: NamedDraft; names: Names; faultAt: FaultAt; onChange: (rule: NamedDraft) => void }

/** When a rule decides: each condition with its fields, and the ones that can be added. */
export function Conditions({ rule, names, faultAt, onChange }: ConditionsProps) {
  const { t } = useTranslation('strategyEngine')
  const has = (kind: string) => rule.conditions.some((each) => each.kind === kind)
  const set = (next: ConditionDraft) => onChange({ ...rule, conditions: rule.conditions.map((each) => (each.kind === next.kind ? next : each)) })
  const drop = (kind: string) => onChange({ ...rule, conditions: rule.conditions.filter((each) => each.kind !== kind) })
  const offered = rule.level === 'basic' ? (['sources'] as const) : KINDS_OF[rule.covers.kind]
  const missing = offered.filter((kind) => !has(kind))
  return (
    <Part title={t('rules.edit.when')} note={t(rule.level === 'basic' ? 'rules.edit.whenBasic' : 'rules.edit.whenNote')}>
      {rule.conditions.map((condition) => (
        <Piece
          key={condition.kind}
          title={t(`rules.condition.${condition.kind}`)}
          dropLabel={t('rules.edit.takeOut', { name: t(`rules.condition.${condition.kind}`) })}
          onDrop={() => drop(condition.kind)}
        >
          <ConditionFields {...{ condition, rule, names, faultAt }} onChange={set} />
        </Piece>
      ))}
      <AddButtons
        title={t('rules.edit.addCondition')}
        options={missing.map((kind) => ({
          key: kind,
          label: t(`rules.condition.${kind}`),
          add: () => onChange({ ...rule, conditions: [...rule.conditions, EMPTY[kind]()] }),
        }))}
      />
    </Part>
  )
}

type FieldsProps = { condition: ConditionDraft; rule: NamedDraft; names: Names; faultAt: FaultAt; onChange: (condition: ConditionDraft) => void }

function ConditionFields({ condition, rule: { covers }, names, faultAt, onChange }: FieldsProps) {
  const { t } = useTranslation('strategyEngine')
  switch (condition.kind) {
    case 'askers':
      return (
        <WhoField
          label={t('rules.condition.askers')}
          who={condition.who}
          names={names}
          onChange={(who) => onChange({ ...condition, who })}
          error={faultAt('askers')}
        />
      )
    case 'sources':
      return <SourcesField condition={condition} known={names.known} error={faultAt('sources')} onChange={onChange} />
    case 'assets':
      return <AssetRows condition={condition} names={names} faultAt={faultAt} onChange={onChange} />
    case 'destinations':
      return <DestinationsFields condition={condition} known={names.known} faultAt={faultAt} onChange={onChange} />
    case 'memo':
      return (
        <Choice
          name="memo"
          label={t('rules.condition.memo')}
          value={condition.is_present ? 'with' : 'without'}
          options={(['with', 'without'] as const).map((value) => ({ value, label: t(`rules.edit.memo.${value}`) }))}
          onChange={(value) => onChange({ ...condition, is_present: value === 'with' })}
        />
      )
    case 'times':
      return <TimesFields condition={condition} faultAt={faultAt} onChange={onChange} />
    case 'value':
      return <ValueFields condition={condition} faultAt={faultAt} onChange={onChange} />
    case 'screening':
      return <ScreeningFields condition={condition} known={names.known} faultAt={faultAt} onChange={onChange} />
    case 'parameters':
      return <ParameterRows condition={condition} functions={covers.kind === 'calls' ? covers.functions : []} faultAt={faultAt} onChange={onChange} />
  }
}

type Sources = Extract<ConditionDraft, { kind: 'sources' }>

/** Wallets and sub-wallets by name; one stands for the addresses of each of its keys. */
function SourcesField({
  condition,
  known,
  error,
  onChange,
}: {
  condition: Sources
  known: Known
  error: string | undefined
  onChange: (next: Sources) => void
}) {
  const { t } = useTranslation('strategyEngine')
  const names = [...new Set(known.wallets.map(({ name }) => name))]
  const chosen = [...new Set(condition.wallets.map(({ name }) => name))]
  const add = (name: string) => {
    const places = known.wallets.filter((each) => each.name === name).map((each) => ({ ...each, path: [...each.path] }))
    onChange({ ...condition, wallets: [...condition.wallets, ...places] })
  }
  return (
    <Chips
      label={t('rules.condition.sources')}
      addLabel={t('rules.edit.addWallet')}
      chosen={chosen.map((name) => ({ value: name, label: name }))}
      options={names.map((name) => ({ value: name, label: name }))}
      onAdd={add}
      onDrop={(name) => onChange({ ...condition, wallets: condition.wallets.filter((each) => each.name !== name) })}
      error={error}
    />
  )
}
