import { type FieldShape, shapeFault } from '../field/field-shape.ts'

export type Values = Readonly<Partial<Record<string, string>>>

export type TextRule = {
  label: string
  /** It may be left empty. */
  optional?: boolean
  /** Its kind, length and range. */
  shape?: FieldShape
  /** Why a value that is there is wrong, or undefined. */
  check?: (value: string, all: Values) => string | undefined
}

/** The message of a key, with what stands in it. */
export type Say = (key: string, values: Readonly<Record<string, string | number>>) => string

export type TextRules<Name extends string> = Readonly<Record<Name, TextRule>>

/** What is wrong with each field: it is empty, of another shape, or what its own check says. Fields that are right are not in the answer. */
export function faultsOf<Name extends string>(rules: TextRules<Name>, values: Values, say: Say): Partial<Record<Name, string>> {
  const faults: Partial<Record<Name, string>> = {}
  for (const name of Object.keys(rules) as Name[]) {
    const value = values[name] ?? ''
    const fault = faultOf(rules[name], value, values, say)
    if (fault !== undefined) faults[name] = fault
  }
  return faults
}

function faultOf({ label, optional, shape, check }: TextRule, value: string, all: Values, say: Say): string | undefined {
  if (value.trim() === '') return optional ? undefined : say('ui.field.required', { label: inSentence(label) })
  const wrong = shape && shapeFault(value.trim(), shape)
  return wrong ? say(wrong.key, { label, ...wrong.values }) : check?.(value, all)
}

/** A label as it stands within a sentence: its first letter is small, unless it begins a name of capitals such as ABI. */
export function inSentence(label: string): string {
  return /^\p{Lu}(?!\p{Lu}|\p{N})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}
