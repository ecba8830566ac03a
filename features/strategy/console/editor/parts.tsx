import '../rules.css'
import { Button, Field, IconClose, Label, Picker, type PickerOption, TextField } from '@holdfast/ui'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** What is wrong at a field, as a sentence; undefined where nothing is, or where nothing is to be said yet. */
export type FaultAt = (field: string) => string | undefined

/** A part of the editor with its heading. */
export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="hf-panel hf-rule-part" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <p className="hf-small hf-muted">{note}</p>}
      </header>
      {children}
    </section>
  )
}

/** Takes one line out of several, by its name. */
export function DropRow({ name, onDrop }: { name: string; onDrop: () => void }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <button type="button" className="hf-icon-button hf-rule-row-drop" aria-label={t('rules.edit.takeOut', { name })} onClick={onDrop}>
      <IconClose />
    </button>
  )
}

/** A list that adds one of what is left; nothing where nothing is. `label` stands on it. */
export function AddPicker({ label, options, onAdd }: { label: string; options: readonly PickerOption<string>[]; onAdd: (value: string) => void }) {
  if (options.length === 0) return null
  return <Picker label={label} placeholder={label} className="hf-rule-add" value={undefined} options={options} onChange={onAdd} />
}

/** One thing of several that a rule has, such as a condition, with its name and a way to take it out. */
export function Piece({
  title,
  onDrop,
  dropLabel,
  tools,
  children,
}: {
  title: ReactNode
  onDrop?: () => void
  dropLabel?: string
  tools?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className="hf-rule-piece" role="group" aria-labelledby={id}>
      <div className="hf-rule-piece-head">
        <h3 id={id}>{title}</h3>
        <span className="hf-row-tight">
          {tools}
          {onDrop && dropLabel !== undefined && (
            <button type="button" className="hf-icon-button" aria-label={dropLabel} title={dropLabel} onClick={onDrop}>
              <IconClose />
            </button>
          )}
        </span>
      </div>
      {children}
    </div>
  )
}

/** What went wrong with a whole piece. */
export function FaultLine({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="hf-field-error" role="alert">
      {text}
    </p>
  )
}

type ChipsProps = {
  label: string
  /** Stands on the button that adds one. */
  addLabel: string
  chosen: readonly { value: string; label: string; detail?: string }[]
  options: readonly PickerOption<string>[]
  onAdd: (value: string) => void
  onDrop: (value: string) => void
  error?: string | undefined
}

/** Several of many: what is chosen stands there by name, each with a way to take it out, and a list adds another. */
export function Chips({ label, addLabel, chosen, options, onAdd, onDrop, error }: ChipsProps) {
  const { t } = useTranslation('strategyEngine')
  const left = options.filter(({ value }) => !chosen.some((each) => each.value === value))
  return (
    <div className="hf-stack-tight">
      <div className="hf-rule-chips" role="group" aria-label={label}>
        {chosen.map(({ value, label: name, detail }) => (
          <span key={value} className="hf-rule-chip">
            <Label text={name} wrap />
            {detail !== undefined && <span className="hf-faint hf-small">{detail}</span>}
            <button type="button" className="hf-icon-button" aria-label={t('rules.edit.takeOut', { name })} onClick={() => onDrop(value)}>
              <IconClose />
            </button>
          </span>
        ))}
        <AddPicker label={addLabel} options={left} onAdd={onAdd} />
      </div>
      <FaultLine text={error} />
    </div>
  )
}

type LinesFieldProps = { label: string; hint?: string; lines: readonly string[]; onChange: (lines: string[]) => void; error?: string | undefined }

/** Several values, one in each line. */
export function LinesField({ lines, onChange, ...field }: LinesFieldProps) {
  return (
    <div className="hf-rule-wide">
      <TextField {...field} value={lines.join('\n')} onChange={(text) => onChange(text.split('\n').map((line) => line.trim()))} rows={2} className="hf-mono" />
    </div>
  )
}

type NumberFieldProps = {
  label: string
  value: number
  onChange: (value: number) => void
  error?: string | undefined
  hint?: string
  suffix?: ReactNode
  max?: number
}

/** A whole number; 0 is an empty field. */
export function NumberField({ label, value, onChange, error, hint, suffix, max = 999_999_999 }: NumberFieldProps) {
  const change = (text: string) => {
    const digits = text.replaceAll(/\D/g, '')
    if (Number(digits) <= max) onChange(Number(digits))
  }
  return (
    <TextField
      label={label}
      value={value === 0 ? '' : String(value)}
      onChange={change}
      inputMode="numeric"
      autoComplete="off"
      error={error}
      {...(hint !== undefined && { hint })}
      {...(suffix !== undefined && { suffix })}
    />
  )
}

const UNITS = [
  { unit: 'minute', seconds: 60 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'day', seconds: 86_400 },
] as const

/** A stretch of time in minutes, hours or days; 0 is none. */
export function SpanField({ label, value, onChange, error, hint }: Omit<NumberFieldProps, 'suffix'>) {
  const { t } = useTranslation('strategyEngine')
  const id = useId()
  const [unit, setUnit] = useState(() => UNITS.findLast(({ seconds }) => value > 0 && value % seconds === 0)?.unit ?? 'hour')
  const seconds = UNITS.find((each) => each.unit === unit)?.seconds ?? 3600
  const count = value / seconds
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <span className="hf-rule-span">
        <input
          id={id}
          className={error === undefined ? 'hf-native-input' : 'hf-native-input hf-native-input-wrong'}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={error !== undefined}
          value={count === 0 ? '' : String(Math.round(count))}
          onChange={(event) => onChange(Math.min(Number(event.target.value.replaceAll(/\D/g, '').slice(0, 5)), 99_999) * seconds)}
        />
        <select
          className="hf-native-input"
          aria-label={t('rules.edit.unit', { label })}
          value={unit}
          onChange={(event) => {
            const next = UNITS.find((each) => each.unit === event.target.value) ?? UNITS[1]
            setUnit(next.unit)
            onChange(Math.round(count) * next.seconds)
          }}
        >
          {UNITS.map((each) => (
            <option key={each.unit} value={each.unit}>
              {t(`rules.unit.${each.unit}`)}
            </option>
          ))}
        </select>
      </span>
    </Field>
  )
}

/** One of a few that exclude each other, each with what it means. */
export function Choice<Value extends string>({
  name,
  label,
  value,
  options,
  onChange,
}: {
  name: string
  label: string
  value: Value
  options: readonly { value: Value; label: string; note?: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className="hf-rule-choice">
      <legend className="hf-visually-hidden">{label}</legend>
      {options.map((each) => (
        <label key={each.value} className="hf-rule-option">
          <input type="radio" name={name} checked={each.value === value} onChange={() => onChange(each.value)} />
          <span className="hf-stack-tight">
            <span className="hf-rule-option-title">{each.label}</span>
            {each.note !== undefined && <span className="hf-small hf-muted">{each.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Buttons that add what is not there yet. */
export function AddButtons({ title, options }: { title: string; options: readonly { key: string; label: string; add: () => void }[] }) {
  if (options.length === 0) return null
  return (
    <div className="hf-rule-adds" role="group" aria-label={title}>
      {options.map(({ key, label, add }) => (
        <Button key={key} size="small" variant="dashed" onClick={add}>
          {`+ ${label}`}
        </Button>
      ))}
    </div>
  )
}
