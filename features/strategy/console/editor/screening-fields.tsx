import type { Known } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { SCREENING_LEVELS } from '@holdfast/intent/screening-levels'
import { useTranslation } from 'react-i18next'
import { Chips, type FaultAt, FaultLine, SpanField } from './parts.tsx'

type Screening = Extract<ConditionDraft, { kind: 'screening' }>
type Props = { condition: Screening; known: Pick<Known, 'screeners'>; faultAt: FaultAt; onChange: (next: Screening) => void }

/** What screeners have to have said before it is signed: which, what, and how long ago at most. */
export function ScreeningFields({ condition, known: { screeners: all }, faultAt, onChange }: Props) {
  const { t } = useTranslation('strategyEngine')
  const { screeners, levels, within_s: within } = condition
  const choose = (level: Screening['levels'][number], isChosen: boolean) =>
    onChange({ ...condition, levels: SCREENING_LEVELS.filter((each) => (each === level ? isChosen : levels.includes(each))) })
  const nameOf = (id: string) => all.find((each) => each.id === id)?.name ?? id
  return (
    <div className="hf-stack-tight">
      <p className="hf-small hf-muted">{t(all.length === 0 ? 'rules.edit.screenersFirst' : 'rules.edit.screeningNote')}</p>
      <Chips
        label={t('rules.edit.screeners')}
        addLabel={t('rules.edit.addScreener')}
        chosen={screeners.map((id) => ({ value: id, label: nameOf(id) }))}
        options={all.map(({ id, name }) => ({ value: id, label: name }))}
        onAdd={(id) => onChange({ ...condition, screeners: [...screeners, id] })}
        onDrop={(id) => onChange({ ...condition, screeners: screeners.filter((each) => each !== id) })}
        error={faultAt('screening.screeners')}
      />
      <div className="hf-rule-days" role="group" aria-label={t('rules.edit.levels')}>
        {SCREENING_LEVELS.map((level) => (
          <label key={level} className="hf-rule-day">
            <input type="checkbox" checked={levels.includes(level)} onChange={(event) => choose(level, event.target.checked)} />
            <span>{t(`rules.risk.${level}`)}</span>
          </label>
        ))}
      </div>
      <FaultLine text={faultAt('screening.levels')} />
      <SpanField
        label={t('rules.edit.screeningAge')}
        value={within}
        onChange={(seconds) => onChange({ ...condition, within_s: seconds })}
        error={faultAt('screening.within')}
      />
    </div>
  )
}
