import { AppError } from './app-error.ts'

/** The text of one value in a form field, or undefined if the field is left out. */
function fieldText(name: string, value: unknown): string | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      if (!Number.isFinite(value)) throw fault(name, 'it is not a finite number')
      // A number that prints with an exponent would not be read back as it was meant.
      if (!/^-?\d+(\.\d+)?$/.test(String(value))) throw fault(name, 'the number is too large or too small; give it as text')
      return String(value)
    case 'object':
      return value === null ? undefined : JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
    default:
      throw fault(name, `a ${typeof value} cannot be sent`)
  }
}

function fault(field: string, reason: string): AppError {
  return new AppError('invalid_parameters', { details: { field, reason } })
}

/**
 * A form-encoded body or query of `input`: text as it is, numbers and booleans as text, arrays and objects as JSON text;
 * undefined and null are left out. Text is brought to NFC, which the server demands. Throws AppError on what cannot be sent.
 */
export function formEncode(input: Readonly<Record<string, unknown>>): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    const text = sentText(name, value)
    if (text !== undefined) pairs.append(name, text)
  }
  return pairs.toString()
}

/** The form in parts of an `input` that has files, or undefined if it has none. Throws AppError on what cannot be sent. */
export function formInParts(input: Readonly<Record<string, unknown>>): FormData | undefined {
  if (!Object.values(input).some((value) => value instanceof File)) return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) {
    if (value instanceof File) form.append(name, value)
    else {
      const text = sentText(name, value)
      if (text !== undefined) form.append(name, text)
    }
  }
  return form
}

function sentText(name: string, value: unknown): string | undefined {
  const text = fieldText(name, value)
  if (text !== undefined && !text.isWellFormed()) throw fault(name, 'the text is not valid Unicode')
  return text?.normalize('NFC')
}
