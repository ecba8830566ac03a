import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { type FaultAt, FaultLine } from './parts.tsx'

type Value = Extract<ConditionDraft, { kind: 'value' }>

/** What it is worth, in dollars, by the table of values. */
export function ValueFields({ condition, faultAt, onChange }: { condition: Value; faultAt: FaultAt; onChange: (next: Value) => void }) {
  const { t } = useTranslation('strategyEngine')
  const { above_usd: above, at_most_usd: most } = condition
  return (
    <div className="hf-stack-tight">
      <div className="hf-rule-grid">
        <TextField
          label={t('rules.edit.above')}
          value={above === '0' ? '' : above}
          onChange={(text) => onChange({ ...condition, above_usd: text === '' ? '0' : text })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>USD</span>}
          error={faultAt('value.above')}
        />
        <TextField
          label={t('rules.edit.atMost')}
          placeholder={t('rules.edit.noBound')}
          value={most ?? ''}
          onChange={(text) => onChange({ ...condition, at_most_usd: text === '' ? null : text })}
          inputMode="decimal"
          autoComplete="off"
          suffix={<span>USD</span>}
          error={faultAt('value.at_most')}
        />
      </div>
      <FaultLine text={faultAt('value')} />
      <p className="hf-small hf-muted">{t('rules.edit.valueNote')}</p>
    </div>
  )
}
