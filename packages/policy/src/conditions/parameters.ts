import { ChainError } from '@holdfast/chain-core'
import { type AbiType, decodeFunctionCall, KNOWN_FUNCTIONS, parseSignature, SIGNATURE_MAX } from '@holdfast/chain-evm/codec'
import { equalBytes, fromHex, type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'
import type { ConditionKind } from './condition-kind.ts'

const ADDRESSES_MAX = 64
/** As the contract ABI has them, whatever addresses of the network look like to people. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

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

/** The types of a function's parameters; undefined if nobody can read the signature. */
function parameterTypesOf(signature: string): readonly AbiType[] | undefined {
  try {
    return parseSignature(signature).inputs
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/** Whether a parameter is how many tokens a function moves or lets others take: the rule itself bounds those, also inside of other calls. */
const isCounted = (signature: string, position: number): boolean =>
  KNOWN_FUNCTIONS.some(({ signature: known, places }) => known === signature && (places.amount === position || places.amounts === position))

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

/**
 * With what parameters functions may be called. It says nothing of a call of another function. Where the call data names a compared function anywhere else
 * than where it begins, as a call that carries others does, it is not known with what: such a rule lets nothing through, and refuses if it is one that refuses.
 */
export const parameters = {
  shape,
  suits: ['call'],
  fault: ({ parameters: compared }) => {
    if (compared.length === 0) return 'compares no parameter'
    if (new Set(compared.map(({ signature, position }) => `${signature} ${position}`)).size !== compared.length) return 'compares a parameter twice'
    return compared.map(faultOf).find((fault) => fault !== undefined)
  },
  holds: ({ parameters: compared }, act) => {
    if (act.as !== 'call') return false
    const { data, signature } = act
    const own = compared.filter((each) => each.signature === signature)
    const values = own.length === 0 ? [] : valuesOf(data, own[0]?.signature ?? '')
    if (values && own.some((each) => !isWithin(each, values[Number(each.position)]))) return false
    return values && !compared.some((each) => carries(data, each.signature, signature)) ? true : undefined
  },
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
  if (isCounted(signature, Number(position))) return `compares ${which}, which are the tokens that the rule itself bounds`
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

/** The arguments of a call; undefined if the data is no call of that function. */
function valuesOf(data: Uint8Array, signature: string) {
  try {
    return decodeFunctionCall(parseSignature(signature), data)
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

function isWithin({ addresses, atLeast, atMost }: Parameter, value: unknown): boolean {
  if (typeof value === 'bigint') return addresses.length === 0 && value >= atLeast && (atMost === null || value <= atMost)
  return typeof value === 'string' && addresses.includes(value)
}

/** Whether call data of the function that is called names another one, or itself once more: contracts run what they are handed from anywhere. */
function carries(data: Uint8Array, signature: string, called: string | null): boolean {
  const selector = fromHex(parseSignature(signature).selector)
  const begin = signature === called ? selector.length : 0
  for (let at = begin; at + selector.length <= data.length; at++)
    if (data[at] === selector[0] && equalBytes(data.subarray(at, at + selector.length), selector)) return true
  return false
}
