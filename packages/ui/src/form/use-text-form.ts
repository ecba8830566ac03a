import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerPageContext } from '../drawer/drawer-context.ts'
import { useUnsaved } from '../drawer/use-unsaved.ts'
import { faultsOf, type TextRules } from './text-rules.ts'

/**
 * A form of text fields: what is typed, what is wrong with it once somebody tried to send it, and sending it. The rules may
 * change from one moment to the next, as when a line is added.
 */
export function useTextForm<Name extends string>(rules: TextRules<Name>, initial?: Readonly<Partial<Record<NoInfer<Name>, string>>>) {
  const { t } = useTranslation()
  const [values, setValues] = useState<Readonly<Partial<Record<string, string>>>>(initial ?? {})
  const [attempts, setAttempts] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const faults = faultsOf(rules, values, (key, filledIn) => t(key, filledIn))
  // The first field that is wrong is where the person goes on.
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  const isChanged = Object.entries(values).some(([name, value]) => value !== (initial as typeof values | undefined)?.[name] && value !== '')
  useUnsaved(useContext(DrawerPageContext) !== undefined && isChanged)
  const set = (name: Name, value: string) => setValues((present) => ({ ...present, [name]: value }))
  return {
    form,
    /** Somebody tried to send the form: what is wrong is shown. */
    isTried: attempts > 0,
    valueOf: (name: Name) => values[name] ?? '',
    set,
    /** Empties the form, as it was before somebody tried to send it. */
    clear: () => {
      setValues({})
      setAttempts(0)
    },
    field: (name: Name) => ({
      label: rules[name].label,
      value: values[name] ?? '',
      error: attempts > 0 ? faults[name] : undefined,
      onChange: (value: string) => set(name, value),
    }),
    submit: (event: FormEvent, send: (values: Record<Name, string>) => void) => {
      event.preventDefault()
      setAttempts((count) => count + 1)
      const names = Object.keys(rules) as Name[]
      if (Object.keys(faults).length === 0) send(Object.fromEntries(names.map((name) => [name, values[name] ?? ''])) as Record<Name, string>)
    },
  }
}
