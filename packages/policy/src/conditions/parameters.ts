import { SIGNATURE_MAX } from '@holdfast/chain-evm/codec'
import { type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'
import { isCalledWith } from './compared-call.ts'
import { isCounted, parameterTypesOf, placeAt } from './compared-place.ts'
import { ADDRESS, type Comparison } from './comparison.ts'
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

const WORDS = {
  'en-US': {
    comma: ', ',
    or: ' or ',
    each: (signature: string, number: number, what: string) => `where ${signature} is called, with its parameter ${number} ${what}`,
    oneOf: (addresses: string) => `being ${addresses}`,
    atLeast: (least: bigint) => `at least ${least}`,
    atMost: (most: bigint) => `at most ${most}`,
    and: ' and ',
  },
  'zh-CN': {
    comma: '，',
    or: ' 或 ',
    each: (signature: string, number: number, what: string) => `调用 ${signature} 时第 ${number} 个参数${what}`,
    oneOf: (addresses: string) => `为 ${addresses}`,
    atLeast: (least: bigint) => `不小于 ${least}`,
    atMost: (most: bigint) => `不大于 ${most}`,
    and: '且',
  },
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
  words: ({ parameters: compared }, _, locale) => {
    const words = WORDS[locale]
    const whatOf = ({ addresses, atLeast, atMost }: Parameter) => {
      if (addresses.length > 0) return words.oneOf(addresses.join(words.or))
      return [...(atLeast > 0n ? [words.atLeast(atLeast)] : []), ...(atMost === null ? [] : [words.atMost(atMost)])].join(words.and)
    }
    return compared.map((each) => words.each(each.signature, Number(each.position) + 1, whatOf(each))).join(words.comma)
  },
} satisfies ConditionKind<typeof shape>

function faultOf({ signature, position, addresses, atLeast, atMost }: Parameter): string | undefined {
  const types = parameterTypesOf(signature)
  if (!types) return `compares a parameter of ${signature}, which is no function`
  const type = types[Number(position)]
  const which = `parameter ${position + 1n} of ${signature}`
  if (!type) return `compares ${which}, which has none of that number`
  if (isCounted(signature, position)) return `compares ${which}, which are the tokens that the rule itself bounds`
  if (type.kind === 'address') {
    if (atLeast !== 0n || atMost !== null) return `bounds ${which}, which is an address`
    if (!addresses.every((each) => ADDRESS.test(each))) return `names for ${which} what is no address of its network`
    return addresses.length === 0 || new Set(addresses).size !== addresses.length ? `names no address for ${which}, or one twice` : undefined
  }
  if (type.kind !== 'uint') return `compares ${which}, which is neither an address nor a whole number`
  if (addresses.length > 0) return `names addresses for ${which}, which is a number`
  if (atLeast === 0n && atMost === null) return `lets ${which} be any number`
  const most = (1n << BigInt(type.bits)) - 1n
  return atLeast > (atMost ?? most) || (atMost ?? 0n) > most ? `lets ${which} be no number` : undefined
}
