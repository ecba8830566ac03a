import { ChainError } from '@holdfast/chain-core'
import { type AbiType, type AbiValue, decodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import { equalBytes, fromHex } from '@holdfast/encoding'
import type { Act } from '@holdfast/intent'
import { type Comparison, fitsWhole } from './comparison.ts'
import { placeIn, valuesAt } from './compared-place.ts'
import type { Holds } from './condition-kind.ts'

/**
 * Whether a call is as comparisons have it. They say nothing of a call of another function. Where the call data names a compared function anywhere else than
 * where it begins, as a call that carries others does, it is not known with what: such a rule lets nothing through, and refuses if it is one that refuses.
 */
export function isCalledWith(compared: readonly Comparison[], act: Act): Holds {
  if (act.as !== 'call') return false
  const { data, signature } = act
  const own = compared.filter((each) => each.signature === signature)
  const read = own.length === 0 || signature === null ? 'nothing' : argumentsOf(data, signature)
  if (read === undefined) return undefined
  if (read !== 'nothing' && !own.every((each) => isWithin(each, read))) return false
  return [...new Set(compared.map((each) => each.signature))].some((each) => carries(data, each, signature)) ? undefined : true
}

type Arguments = { types: readonly AbiType[]; values: readonly AbiValue[] }

/** The arguments of a call; undefined if the data is no canonical call of that function. */
function argumentsOf(data: Uint8Array, signature: string): Arguments | undefined {
  try {
    const called = parseSignature(signature)
    return { types: called.inputs, values: decodeFunctionCall(called, data) }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

function isWithin({ path, lengthAtMost, test }: Comparison, { types, values }: Arguments): boolean {
  const place = placeIn(types, path)
  return place !== undefined && valuesAt(values, types, path).every((each) => fitsWhole({ lengthAtMost, test }, each, place))
}

/** Whether call data of the function that is called names another one, or itself once more: contracts run what they are handed from anywhere. */
function carries(data: Uint8Array, signature: string, called: string | null): boolean {
  const selector = fromHex(parseSignature(signature).selector)
  const begin = signature === called ? selector.length : 0
  for (let at = begin; at + selector.length <= data.length; at++)
    if (data[at] === selector[0] && equalBytes(data.subarray(at, at + selector.length), selector)) return true
  return false
}
