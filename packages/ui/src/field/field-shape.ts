/** What a text must be, where it is there at all. */
export type FieldShape = {
  kind?: 'number' | 'integer' | 'email' | 'url' | 'date'
  /** How many characters, counted as people count them. */
  length?: { min?: number; max?: number }
  /** The least and the greatest number; for kinds that are numbers. */
  range?: { min?: number; max?: number }
}

/** Why a text has another shape: the key of the message, and what stands in it beside the field's label. */
export type ShapeFault = { key: string; values: Readonly<Record<string, number>> }

const KINDS: Readonly<Record<NonNullable<FieldShape['kind']>, (text: string) => boolean>> = {
  number: (text) => /^-?\d+(\.\d+)?$/.test(text),
  integer: (text) => /^-?\d+$/.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  url: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
}

/** What is wrong with the shape of a text: its kind first, then its length, then its size. */
export function shapeFault(text: string, { kind, length, range }: FieldShape): ShapeFault | undefined {
  if (kind !== undefined && !KINDS[kind](text)) return { key: `ui.field.kind.${kind}`, values: {} }
  const isOutside = length && limitFault([...text].length, length)
  if (isOutside) return { key: `ui.field.length.${isOutside.key}`, values: isOutside.values }
  const isBeyond = range && limitFault(Number(text), range)
  return isBeyond ? { key: `ui.field.range.${isBeyond.key}`, values: isBeyond.values } : undefined
}

function limitFault(value: number, { min = -Infinity, max = Infinity }: { min?: number; max?: number }): ShapeFault | undefined {
  if (value >= min && value <= max) return undefined
  if (min !== -Infinity && max !== Infinity) return { key: 'between', values: { min, max } }
  return min === -Infinity ? { key: 'max', values: { max } } : { key: 'min', values: { min } }
}
