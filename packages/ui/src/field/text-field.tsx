import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { limitText } from '../format/limit-text.ts'

type FieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** What is wrong with the value, in words. */
  error?: string | undefined
  /** What to know before filling it in. */
  hint?: ReactNode
  className?: string
}

type TextFieldProps = FieldProps &
  Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'autoComplete' | 'inputMode' | 'maxLength' | 'autoFocus' | 'placeholder' | 'list'> & {
    /** More than one line; it grows with what is typed. */
    rows?: number
    /** One long text shown over as many lines as it takes, such as an address: Enter adds none. */
    wraps?: boolean
    /** The most characters, counted as people count them and shown while they type. */
    count?: number
    /** What is beyond `count` stays in the field, for the form to refuse: cut, it would be another text. */
    keepsExcess?: boolean
    /** Behind the text, such as its unit. */
    suffix?: ReactNode
  }

/** Text with its label and, where it is wrong, the reason. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, error, hint, className, rows, wraps = false, count, keepsExcess = false, suffix, ...input } = props
  const id = useId()
  const isCut = count !== undefined && !keepsExcess
  const shared = {
    id,
    value,
    className: classOf(error, className),
    spellCheck: false,
    'aria-invalid': error !== undefined,
    'aria-describedby': describedBy(id, error, hint),
    placeholder: input.placeholder,
    maxLength: input.maxLength,
    autoComplete: input.autoComplete,
    onChange: (event: { target: { value: string } }) => onChange(isCut ? limitText(event.target.value, count) : event.target.value),
  }
  const lines = rows ?? (wraps ? 2 : undefined)
  const field =
    lines === undefined ? (
      <input {...input} {...shared} />
    ) : (
      <textarea
        {...shared}
        rows={lines}
        autoCapitalize={wraps ? 'none' : undefined}
        onKeyDown={(event) => {
          if (wraps && event.key === 'Enter') event.preventDefault()
        }}
      />
    )
  return (
    <Field id={id} label={label} error={error} hint={hint} counted={count === undefined ? undefined : `${[...value].length} / ${count}`}>
      {suffix === undefined ? (
        field
      ) : (
        <span className="hf-input-with-suffix">
          {field}
          <span className="hf-input-suffix">{suffix}</span>
        </span>
      )}
    </Field>
  )
}

/** One of a few, by the browser's own list. */
export function SelectField({ label, value, onChange, error, hint, options }: FieldProps & { options: readonly { value: string; label: string }[] }) {
  const id = useId()
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <select
        id={id}
        value={value}
        className={classOf(error)}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, error, hint)}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  )
}

function classOf(error: string | undefined, className = ''): string {
  return ['hf-native-input', error === undefined ? '' : 'hf-native-input-wrong', className].filter(Boolean).join(' ')
}

function describedBy(id: string, error: string | undefined, hint: ReactNode): string | undefined {
  if (error !== undefined) return `${id}-error`
  return hint === undefined ? undefined : `${id}-hint`
}

type FrameProps = { id: string; label: string; error?: string | undefined; hint?: ReactNode; counted?: string | undefined; children: ReactNode }

/** A label over whatever is filled in, and under it what is wrong, or else what to know. */
export function Field({ id, label, error, hint, counted, children }: FrameProps) {
  return (
    <div className="hf-field">
      <label htmlFor={id}>{label}</label>
      {children}
      {(error !== undefined || hint !== undefined || counted !== undefined) && (
        <div className="hf-field-foot">
          {error !== undefined ? (
            <p id={`${id}-error`} className="hf-field-error" role="alert">
              {error}
            </p>
          ) : (
            <div id={`${id}-hint`} className="hf-small hf-muted">
              {hint}
            </div>
          )}
          {counted !== undefined && <span className="hf-small hf-faint hf-numbers hf-nowrap">{counted}</span>}
        </div>
      )}
    </div>
  )
}
