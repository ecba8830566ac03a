import { type AbiType, type AbiValue, SIGNATURE_MAX, typeText, valueText } from '@holdfast/chain-evm/codec'
import { bool, bytes, equalBytes, type Infer, list, optional, struct, text, toHex, uint, union } from '@holdfast/encoding'
import type { Locale } from '@holdfast/intent'
import { isCounted, parameterTypesOf, type Path, type Place, placeAt } from './compared-place.ts'

const VALUES_MAX = 64
/** Bytes of one value that a rule names. */
export const VALUE_BYTES_MAX = 256
/** The longest length that a rule can compare. */
const LENGTH_MAX = 256n
const PATH_MAX = 9
/** As the contract ABI has them, whatever addresses of the network look like to people. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/**
 * What a value may be. Bounds of numbers are words of the contract ABI, in which a number below zero is its two's complement of 256 bits; addresses are in
 * EIP-55; `any` says nothing of a value, only of how long a list may be.
 */
const testShape = union({
  any: struct('holdfast/comparison/any/v1', {}),
  numbers: struct('holdfast/comparison/numbers/v1', { atLeast: optional(uint(256)), atMost: optional(uint(256)) }),
  addresses: struct('holdfast/comparison/addresses/v1', { addresses: list(text(128), VALUES_MAX) }),
  truth: struct('holdfast/comparison/truth/v1', { is: bool() }),
  bytes: struct('holdfast/comparison/bytes/v1', { values: list(bytes(undefined, VALUE_BYTES_MAX), VALUES_MAX) }),
  texts: struct('holdfast/comparison/texts/v1', { values: list(text(VALUE_BYTES_MAX), VALUES_MAX) }),
})

/** What a function may be called with at one place: see `Path`. Of a list, every element has to fit, and there are at most so many of them. */
export const comparisonShape = struct('holdfast/condition/comparison/v1', {
  signature: text(SIGNATURE_MAX),
  path: list(uint(8), PATH_MAX),
  lengthAtMost: optional(uint(32)),
  test: testShape,
})

export type Comparison = Infer<typeof comparisonShape>
export type Test = Comparison['test']
type Numbers = Extract<Test, { kind: 'numbers' }>

/** The least and the most number of a type. */
export function rangeOf({ kind, bits }: Extract<AbiType, { bits: number }>): [least: bigint, most: bigint] {
  return kind === 'uint' ? [0n, (1n << BigInt(bits)) - 1n] : [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
}

const isNumber = (type: AbiType): type is Extract<AbiType, { bits: number }> => type.kind === 'uint' || type.kind === 'int'

/** The bounds of numbers of a type as numbers. */
export function boundsOf({ atLeast, atMost }: Numbers, type: AbiType | undefined): { atLeast: bigint | null; atMost: bigint | null } {
  const read = (word: bigint | null) => (word === null || type?.kind !== 'int' ? word : BigInt.asIntN(256, word))
  return { atLeast: read(atLeast), atMost: read(atMost) }
}

/** Whether a value of a type, which is no list, is what a test lets it be. */
export function fits(test: Test, value: AbiValue, type: AbiType): boolean {
  switch (test.kind) {
    case 'any':
      return true
    case 'numbers': {
      const { atLeast, atMost } = boundsOf(test, type)
      return typeof value === 'bigint' && (atLeast === null || value >= atLeast) && (atMost === null || value <= atMost)
    }
    case 'addresses':
      return type.kind === 'address' && typeof value === 'string' && test.addresses.includes(value)
    case 'truth':
      return value === test.is
    case 'bytes':
      return value instanceof Uint8Array && test.values.some((each) => equalBytes(each, value))
    case 'texts':
      return type.kind === 'string' && typeof value === 'string' && test.values.includes(value)
  }
}

/** Whether what stands at a place, a list with all its elements, is what a comparison lets it be. */
export function fitsWhole({ lengthAtMost, test }: Pick<Comparison, 'lengthAtMost' | 'test'>, value: AbiValue, { type, element }: Place): boolean {
  if (lengthAtMost !== null && !(Array.isArray(value) && BigInt(value.length) <= lengthAtMost)) return false
  const each = (within: AbiType, one: AbiValue): boolean =>
    within.kind === 'array' ? Array.isArray(one) && one.every((next) => each(within.item, next)) : fits(test, one, element)
  return test.kind === 'any' || each(type, value)
}

const TEST_OF: Record<AbiType['kind'], Test['kind']> = {
  ...{ uint: 'numbers', int: 'numbers', address: 'addresses', bool: 'truth', string: 'texts', bytes: 'bytes', fixedBytes: 'bytes' },
  // Of these, what is in them is compared.
  ...{ array: 'any', tuple: 'any' },
}

/** Why a comparison cannot stand in a policy; undefined if it can. */
export function faultOfComparison({ signature, path, lengthAtMost, test }: Comparison): string | undefined {
  if (!parameterTypesOf(signature)) return `compares a parameter of ${signature}, which is no function`
  const place = placeAt(signature, path)
  const no = path.map((each) => each + 1n).join('.')
  if (!place) return `compares parameter ${no} of ${signature}, which has none of that number`
  const { type, element } = place
  if (lengthAtMost !== null && !(type.kind === 'array' && type.length === null))
    return `bounds the length of parameter ${no} of ${signature}, which is no list of any length`
  if (lengthAtMost !== null && lengthAtMost > LENGTH_MAX) return `lets parameter ${no} of ${signature} have more than ${LENGTH_MAX} elements`
  if (test.kind === 'any') return lengthAtMost === null ? `lets parameter ${no} of ${signature} be anything` : undefined
  if (element.kind === 'tuple') return `compares parameter ${no} of ${signature}, which is a tuple: compare its parts`
  if (isCounted(signature, path[0] ?? 0n)) return `compares parameter ${no} of ${signature}, which are the tokens that the rule itself bounds`
  if (test.kind !== TEST_OF[element.kind]) return `compares parameter ${no} of ${signature}, of the type ${typeText(element)}, with something else`
  return faultOfTest(test, element, { no, signature })
}

type Where = { no: string; signature: string }

function faultOfTest(test: Exclude<Test, { kind: 'any' }>, type: AbiType, { no, signature }: Where): string | undefined {
  const isNamedOnce = (names: readonly string[]) => names.length > 0 && new Set(names).size === names.length
  switch (test.kind) {
    case 'truth':
      return undefined
    case 'numbers':
      return isNumber(type) ? faultOfNumbers(boundsOf(test, type), rangeOf(type), { no, signature }) : undefined
    case 'addresses':
      if (!test.addresses.every((each) => ADDRESS.test(each))) return `names for parameter ${no} of ${signature} what is no address of its network`
      return isNamedOnce(test.addresses) ? undefined : `names no address for parameter ${no} of ${signature}, or one twice`
    case 'bytes':
      if (type.kind === 'fixedBytes' && test.values.some((each) => each.length !== type.length))
        return `names for parameter ${no} of ${signature} what is not ${type.length} bytes`
      return isNamedOnce(test.values.map(toHex)) ? undefined : `names no bytes for parameter ${no} of ${signature}, or some twice`
    case 'texts':
      return isNamedOnce(test.values) ? undefined : `names no text for parameter ${no} of ${signature}, or one twice`
  }
}

function faultOfNumbers({ atLeast, atMost }: ReturnType<typeof boundsOf>, [least, most]: [bigint, bigint], { no, signature }: Where): string | undefined {
  if (atLeast === null && atMost === null) return `lets parameter ${no} of ${signature} be any number`
  const [from, to] = [atLeast ?? least, atMost ?? most]
  if (from < least || to > most || from > to) return `lets parameter ${no} of ${signature} be no number`
  // Nothing is said in two ways.
  return atLeast === least || atMost === most ? `has a bound for parameter ${no} of ${signature} that bounds nothing` : undefined
}

const WORDS = {
  'en-US': {
    comma: ', ',
    or: ' or ',
    and: ' and ',
    parameter: (number: bigint) => `its parameter ${number}`,
    element: (of: string) => `each element of ${of}`,
    part: (of: string, number: bigint) => `part ${number} of ${of}`,
    calling: (signature: string, what: string) => `where ${signature} is called, with ${what}`,
    length: (place: string, most: bigint) => `${place} having at most ${most} ${most === 1n ? 'element' : 'elements'}`,
    is: (place: string, what: string) => `${place} ${what}`,
    oneOf: (values: string) => `being ${values}`,
    atLeast: (least: bigint) => `at least ${least}`,
    atMost: (most: bigint) => `at most ${most}`,
  },
  'zh-CN': {
    comma: '，',
    or: ' 或 ',
    and: '且',
    parameter: (number: bigint) => `第 ${number} 个参数`,
    element: (of: string) => `${of}的每个元素`,
    part: (of: string, number: bigint) => `${of}的第 ${number} 项`,
    calling: (signature: string, what: string) => `调用 ${signature} 时${what}`,
    length: (place: string, most: bigint) => `${place}至多含 ${most} 个元素`,
    is: (place: string, what: string) => `${place}${what}`,
    oneOf: (values: string) => `为 ${values}`,
    atLeast: (least: bigint) => `不小于 ${least}`,
    atMost: (most: bigint) => `不大于 ${most}`,
  },
}

/** Comparisons as a part of a sentence. */
export const comparisonsWords = (compared: readonly Comparison[], locale: Locale): string =>
  compared.map((each) => comparisonWords(each, locale)).join(WORDS[locale].comma)

function comparisonWords({ signature, path, lengthAtMost, test }: Comparison, locale: Locale): string {
  const words = WORDS[locale]
  const place = placeAt(signature, path)
  if (!place) return words.calling(signature, '')
  const named = placeWords(signature, path, locale)
  const length = lengthAtMost === null ? [] : [words.length(named, lengthAtMost)]
  const each = test.kind === 'any' ? [] : [words.is(withElements(place.type, named, locale), testWords(test, place.element, locale))]
  return words.calling(signature, [...length, ...each].join(words.and))
}

/** A place by its numbers, with the lists on the way to it. */
function placeWords(signature: string, [first = 0n, ...parts]: Path, locale: Locale): string {
  const words = WORDS[locale]
  return parts.reduce(
    (around, part, i) => words.part(withElements(placeAt(signature, [first, ...parts.slice(0, i)])?.type, around, locale), part + 1n),
    words.parameter(first + 1n),
  )
}

const withElements = (type: AbiType | undefined, named: string, locale: Locale): string =>
  type?.kind === 'array' ? withElements(type.item, WORDS[locale].element(named), locale) : named

function testWords(test: Exclude<Test, { kind: 'any' }>, type: AbiType, locale: Locale): string {
  const words = WORDS[locale]
  switch (test.kind) {
    case 'numbers': {
      const { atLeast, atMost } = boundsOf(test, type)
      return [...(atLeast === null ? [] : [words.atLeast(atLeast)]), ...(atMost === null ? [] : [words.atMost(atMost)])].join(words.and)
    }
    case 'addresses':
      return words.oneOf(test.addresses.join(words.or))
    case 'truth':
      return words.oneOf(String(test.is))
    default:
      return words.oneOf(test.values.map(valueText).join(words.or))
  }
}
