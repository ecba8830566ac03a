import { SIGNATURE_MAX } from '@holdfast/chain-evm/codec'
import { type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'
import { isCalledWith } from './compared-call.ts'
import { isCounted, parameterTypesOf, placeAt } from './compared-place.ts'
import { ADDRESS, type Comparison, comparisonsWords } from './comparison.ts'
import type { ConditionKind } from './condition-kind.ts'

const ADDRESSES_MAX = 64

/**
 * What one parameter of a function may be, counted from 0: one of these addresses, in EIP-55; or, if it is a whole number without a sign, at least so much
 * and at most so much, absent without an upper bound.
 */
const parameterShape = struct('holdfast/condition/parameter/v1', {
  signature: text(SIGNATURE_MAX),
  position: uint(8),
  addresses: list(text(128), ADDRESSES_MAX),
  atLeast: uint(256),
  atMost: optional(uint(256)),
})

const shape = struct('holdfast/condition/parameters/v1', { parameters: list(parameterShape, 32) })

/** What a rule says of one parameter of a function. */
export type Parameter = Infer<typeof parameterShape>

/** A parameter as the later form says it, which has all types. */
export const asComparison = ({ signature, position, addresses, atLeast, atMost }: Parameter): Comparison => ({
  ...{ signature, path: [position], lengthAtMost: null },
  test: addresses.length > 0 ? { kind: 'addresses', addresses } : { kind: 'numbers', atLeast: atLeast === 0n ? null : atLeast, atMost },
})

/** Whether this form can say a comparison. */
export function isFirstForm({ signature, path, lengthAtMost }: Comparison): boolean {
  const type = placeAt(signature, path)?.type.kind
  return path.length === 1 && lengthAtMost === null && (type === 'uint' || type === 'address')
}

/** With what parameters functions may be called that are addresses or whole numbers without a sign: see `isCalledWith`. */
export const parameters = {
  shape,
  suits: ['call'],
  fault: ({ parameters: compared }) => {
    if (compared.length === 0) return 'compares no parameter'
    if (new Set(compared.map(({ signature, position }) => `${signature} ${position}`)).size !== compared.length) return 'compares a parameter twice'
    return compared.map(faultOf).find((fault) => fault !== undefined)
  },
  holds: ({ parameters: compared }, act) => isCalledWith(compared.map(asComparison), act),
  words: ({ parameters: compared }, _, locale) => comparisonsWords(compared.map(asComparison), locale),
} satisfies ConditionKind<typeof shape>

function faultOf({ signature, position, addresses, atLeast, atMost }: Parameter): string | undefined {
  const types = parameterTypesOf(signature)
  if (!types) return `compares a parameter of ${signature}, which is no function`
  const type = types[Number(position)]
  const no = position + 1n
  if (!type) return `compares parameter ${no} of ${signature}, which has none of that number`
  if (isCounted(signature, position)) return `compares parameter ${no} of ${signature}, which are the tokens that the rule itself bounds`
  if (type.kind === 'address') {
    if (atLeast !== 0n || atMost !== null) return `bounds parameter ${no} of ${signature}, which is an address`
    if (!addresses.every((each) => ADDRESS.test(each))) return `names for parameter ${no} of ${signature} what is no address of its network`
    return addresses.length === 0 || new Set(addresses).size !== addresses.length
      ? `names no address for parameter ${no} of ${signature}, or one twice`
      : undefined
  }
  if (type.kind !== 'uint') return `compares parameter ${no} of ${signature}, which is neither an address nor a whole number`
  if (addresses.length > 0) return `names addresses for parameter ${no} of ${signature}, which is a number`
  if (atLeast === 0n && atMost === null) return `lets parameter ${no} of ${signature} be any number`
  const most = (1n << BigInt(type.bits)) - 1n
  return atLeast > (atMost ?? most) || (atMost ?? 0n) > most ? `lets parameter ${no} of ${signature} be no number` : undefined
}
