import { placeOf } from '@holdfast/features/rule-draft/console'
import type { ConditionDraft } from '@holdfast/features/rule-draft/contract'

type Parameter = Extract<ConditionDraft, { kind: 'parameters' }>['parameters'][number]

/** What a rule says of a parameter as it is proposed. Its fields stand in the order of the contract: by their text it is told whether a draft was changed. */
export function settledParameter(row: Parameter): Parameter {
  const { function: signature, number, parts, addresses, at_least: least, at_most: most, is, values = [], max_length: length } = row
  const as = placeOf(row)?.as
  const named = as === 'bytes' ? values.filter((each) => each !== '') : values
  return {
    ...{ function: signature, number, ...(parts && { parts }), addresses: addresses.filter((each) => each !== '') },
    ...{ at_least: numberText(least) ?? (as === 'signed' ? null : '0'), at_most: numberText(most) },
    ...(is !== undefined && { is }),
    ...(named.length > 0 && { values: named }),
    ...(length !== undefined && { max_length: length }),
  }
}

/** A whole number as it is proposed; null where nothing was typed, and what is no number as it was typed. */
function numberText(typed: string | null): string | null {
  const text = typed?.trim() ?? ''
  return /^-?\d+$/.test(text) ? String(BigInt(text)) : text || null
}
