import { type ReactNode, useId } from 'react'
import { Picker, type PickerOption } from './picker.tsx'
import { Field } from './text-field.tsx'

type PickFieldProps<Value extends string> = {
  label: string
  value: Value | undefined
  options: readonly PickerOption<Value>[]
  onChange: (value: Value) => void
  hint?: ReactNode
  error?: string | undefined
}

/** One of some in a form, under its label, with the mark of each: what the browser's own list cannot show. */
export function PickField<Value extends string>({ label, value, options, onChange, hint, error }: PickFieldProps<Value>) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Picker id={id} className="hf-picker-field" label={label} value={value} options={options} onChange={onChange} />
    </Field>
  )
}
