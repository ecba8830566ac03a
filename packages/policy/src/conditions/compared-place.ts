import { ChainError } from '@holdfast/chain-core'
import { type AbiType, type AbiValue, KNOWN_FUNCTIONS, parseSignature } from '@holdfast/chain-evm/codec'

/**
 * Where in the arguments of a function a rule looks: the parameter, then the part of each tuple on the way, all counted from 0. Lists take no number: what is
 * in them is looked at in every element.
 */
export type Path = readonly bigint[]

/** What stands at a path: its type, and `element` if that is a list: what its elements are in the end, in lists of lists as well. */
export type Place = { type: AbiType; element: AbiType }

/** The types of a function's parameters; undefined if nobody can read the signature. */
export function parameterTypesOf(signature: string): readonly AbiType[] | undefined {
  try {
    return parseSignature(signature).inputs
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

const elementOf = (type: AbiType): AbiType => (type.kind === 'array' ? elementOf(type.item) : type)

/** What stands at a path in a function; undefined if nothing does. */
export const placeAt = (signature: string, path: Path): Place | undefined => placeIn(parameterTypesOf(signature) ?? [], path)

/** What stands at a path in parameters of these types; undefined if nothing does. */
export function placeIn(types: readonly AbiType[], [first, ...parts]: Path): Place | undefined {
  const type = parts.reduce<AbiType | undefined>(
    (around, part) => {
      const tuple = around && elementOf(around)
      return tuple?.kind === 'tuple' ? tuple.items[Number(part)] : undefined
    },
    types[Number(first ?? -1n)],
  )
  return type && { type, element: elementOf(type) }
}

/** Whether a list stands at a path, or on the way to it. */
export const isInList = ({ signature, path }: { signature: string; path: Path }): boolean =>
  path.some((_, i) => placeAt(signature, path.slice(0, i + 1))?.type.kind === 'array')

/** What arguments have at a path: one value, or one of each element where lists stand on the way. */
export function valuesAt(values: readonly AbiValue[], types: readonly AbiType[], [first = 0n, ...parts]: Path): AbiValue[] {
  const within = (type: AbiType, value: AbiValue, rest: Path): AbiValue[] => {
    if (rest.length === 0) return [value]
    if (!Array.isArray(value)) return []
    return type.kind === 'array' ? value.flatMap((each) => within(type.item, each, rest)) : type.kind === 'tuple' ? valuesAt(value, type.items, rest) : []
  }
  const [type, value] = [types[Number(first)], values[Number(first)]]
  return type === undefined || value === undefined ? [] : within(type, value, parts)
}

/** Whether a parameter is how many tokens a function moves or lets others take: the rule itself bounds those, also inside of other calls. */
export const isCounted = (signature: string, position: bigint): boolean =>
  KNOWN_FUNCTIONS.some(({ signature: known, places }) => known === signature && (places.amount === Number(position) || places.amounts === Number(position)))
