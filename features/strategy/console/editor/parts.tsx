import '../rules.css'
import { Button, Field, IconClose, Label, Picker, type PickerOption, TextField } from '@holdfast/ui'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readWhole } from './read-whole.ts'

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

/** The text of a field for a whole number. What is none stays as it was typed, with what is wrong with it, until it is one; the number of before stands. */
function useWhole(value: number, max: number, onChange: (value: number) => void) {
  const { t } = useTranslation('strategyEngine')
  const [typed, setTyped] = useState<string>()
  const change = (text: string) => {
    const next = readWhole(text)
    if (next !== undefined && next > max) return
    setTyped(next === undefined ? text : undefined)
    if (next !== undefined) onChange(next)
  }
  return { text: typed ?? (value === 0 ? '' : String(value)), fault: typed === undefined ? undefined : t('rules.fault.wholeNumber'), change }
}

/** A whole number; 0 is an empty field. */
export function NumberField({ label, value, onChange, error, hint, suffix, max = 999_999_999 }: NumberFieldProps) {
  const { text, fault, change } = useWhole(value, max, onChange)
  return (
    <TextField
      label={label}
      value={text}
      onChange={change}
      inputMode="numeric"
      autoComplete="off"
      error={fault ?? error}
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

type Unit = (typeof UNITS)[number]
const SPAN_MAX = 99_999

/** The largest unit of which a time is a whole number; hours for none. */
const unitOf = (value: number): Unit => (value === 0 ? UNITS[1] : (UNITS.findLast(({ seconds }) => value % seconds === 0) ?? UNITS[0]))

/** A stretch of time in minutes, hours or days; 0 is none. */
export function SpanField({ label, value, onChange, error, hint }: Omit<NumberFieldProps, 'suffix'>) {
  const { t } = useTranslation('strategyEngine')
  const id = useId()
  const [chosen, setChosen] = useState(() => unitOf(value))
  // The field may come to stand for another time, as where one of several is taken out: one that is no whole number of the unit would read as another.
  const { unit, seconds } = value % chosen.seconds === 0 ? chosen : unitOf(value)
  const count = value / seconds
  const { text, fault, change } = useWhole(count, SPAN_MAX, (next) => onChange(next * seconds))
  const wrong = fault ?? error
  return (
    <Field id={id} label={label} error={wrong} hint={hint}>
      <span className="hf-rule-span">
        <input
          id={id}
          className={wrong === undefined ? 'hf-native-input' : 'hf-native-input hf-native-input-wrong'}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={wrong !== undefined}
          value={text}
          onChange={(event) => change(event.target.value)}
        />
        <select
          className="hf-native-input"
          aria-label={t('rules.edit.unit', { label })}
          value={unit}
          onChange={(event) => {
            const next = UNITS.find((each) => each.unit === event.target.value) ?? UNITS[1]
            setChosen(next)
            onChange(count * next.seconds)
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
