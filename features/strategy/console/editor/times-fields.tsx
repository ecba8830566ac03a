import { PickField, SelectField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'
import { clockText } from '../words/rule-words.ts'
import { type FaultAt, FaultLine } from './parts.tsx'

type Times = Extract<ConditionDraft, { kind: 'times' }>

const WEEK = [1, 2, 3, 4, 5, 6, 0] as const
const STEP_MINUTES = 30
const HALF_HOURS = Array.from({ length: (24 * 60) / STEP_MINUTES + 1 }, (_, at) => at * STEP_MINUTES)

/** Half hours of a day, and the minute that is chosen. */
const minuteOptions = (chosen: number) =>
  [...new Set([...HALF_HOURS, chosen])].toSorted((one, other) => one - other).map((minute) => ({ value: String(minute), label: clockText(minute) }))

/** On which days and between which hours, by the clock of each signer. */
export function TimesFields({ condition, faultAt, onChange }: { condition: Times; faultAt: FaultAt; onChange: (next: Times) => void }) {
  const { t } = useTranslation('strategyEngine')
  const { days, zone, from_minute: from, until_minute: until } = condition
  const toggle = (day: number, isOn: boolean) => onChange({ ...condition, days: isOn ? [...days, day].toSorted() : days.filter((each) => each !== day) })
  const zones = [...new Set([zone, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <div className="hf-stack-tight">
      <div className="hf-rule-days" role="group" aria-label={t('rules.edit.days')}>
        {WEEK.map((day) => (
          <label key={day} className="hf-rule-day">
            <input type="checkbox" checked={days.includes(day)} onChange={(event) => toggle(day, event.target.checked)} />
            <span>{t(`rules.day.${day}`)}</span>
          </label>
        ))}
      </div>
      <FaultLine text={faultAt('times.days')} />
      <div className="hf-rule-grid">
        <SelectField
          label={t('rules.edit.from')}
          value={String(from)}
          options={minuteOptions(from).slice(0, -1)}
          onChange={(minute) => onChange({ ...condition, from_minute: Number(minute) })}
        />
        <SelectField
          label={t('rules.edit.until')}
          value={String(until)}
          options={minuteOptions(until).slice(1)}
          error={faultAt('times.until')}
          onChange={(minute) => onChange({ ...condition, until_minute: Number(minute) })}
        />
        <PickField
          label={t('rules.edit.zone')}
          value={zone}
          options={zones.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
          onChange={(next) => onChange({ ...condition, zone: next })}
        />
      </div>
      <p className="hf-small hf-muted">{t('rules.edit.timesNote')}</p>
    </div>
  )
}
