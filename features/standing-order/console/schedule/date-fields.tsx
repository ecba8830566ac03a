import { SelectField, TextField } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { REPEATS } from '../../dates.ts'
import { daysOf, monthsOf, type ScheduleDraft, sumOf } from './schedule-draft.ts'

/** On which days a schedule pays, with every one of them and the sum of all payments, as signers are to be asked for them. */
export function DateFields({ draft, onChange }: { draft: ScheduleDraft; onChange: (changes: Partial<ScheduleDraft>) => void }) {
  const { t } = useTranslation('coSigner')
  const days = daysOf(draft)
  const sum = sumOf(draft, days.length)
  const repeats = [...(draft.kept.length > 0 ? (['kept'] as const) : []), ...REPEATS]
  const isMovedToEnd = draft.repeat === 'month' && Number(draft.first.slice(8)) > 28
  return (
    <fieldset className="hf-schedule-dates">
      <legend>{t('standing.schedule.when')}</legend>
      <div className="hf-schedule-line">
        {draft.repeat !== 'kept' && (
          <TextField type="date" label={t('standing.schedule.first')} value={draft.first} onChange={(first) => onChange({ first })} />
        )}
        <TextField
          type="time"
          label={t('standing.schedule.time')}
          hint={t('standing.schedule.utc')}
          value={draft.time}
          onChange={(time) => onChange({ time: time.slice(0, 5) })}
        />
        <SelectField
          label={t('standing.schedule.repeat')}
          value={draft.repeat}
          options={repeats.map((value) => ({ value, label: t(`standing.schedule.every.${value}`) }))}
          onChange={(repeat) => onChange({ repeat: repeat as ScheduleDraft['repeat'] })}
        />
      </div>
      <div className="hf-schedule-line">
        {draft.repeat !== 'once' && draft.repeat !== 'kept' && (
          <>
            <TextField
              label={t(`standing.schedule.step.${draft.repeat}`)}
              value={draft.step}
              onChange={(step) => onChange({ step })}
              inputMode="numeric"
              maxLength={3}
            />
            <TextField label={t('standing.schedule.times')} value={draft.times} onChange={(times) => onChange({ times })} inputMode="numeric" maxLength={3} />
          </>
        )}
        <TextField
          label={t('standing.schedule.late')}
          hint={t('standing.schedule.lateNote')}
          value={draft.lateDays}
          onChange={(lateDays) => onChange({ lateDays })}
          inputMode="numeric"
          maxLength={2}
        />
      </div>
      {isMovedToEnd && <p className="hf-small hf-muted">{t('standing.schedule.monthEnds')}</p>}
      {days.length > 0 && (
        <section className="hf-stack-tight" aria-live="polite">
          <h3>
            {t('standing.schedule.payments', { count: days.length })}
            {sum !== undefined && draft.symbol !== '' && ` · ${t('standing.schedule.inAll', { sum, symbol: draft.symbol })}`}
          </h3>
          <dl className="hf-schedule-months">
            {monthsOf(days).map(({ month, days: inMonth }) => (
              <div key={month}>
                <dt className="hf-numbers">{month}</dt>
                <dd className="hf-numbers">{inMonth.join(', ')}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </fieldset>
  )
}
