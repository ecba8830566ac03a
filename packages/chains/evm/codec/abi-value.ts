import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { type AbiFunction, type AbiType, typeText } from './abi-type.ts'
import { ADDRESS_LENGTH, addressBytes, checksumAddress } from './address.ts'
import { SELECTOR_LENGTH, selectorOf, WORD } from './call-data.ts'
import { bytesToUint, uintToBytes } from './uint.ts'

/** A value of a type: numbers as bigint, addresses and strings as text (addresses in EIP-55), bytes as bytes, arrays and tuples as lists. */
export type AbiValue = bigint | boolean | string | Uint8Array | AbiValue[]

/** Call data for a function. Throws ChainError if a value is not of its type. Source: the contract ABI specification. */
export function encodeFunctionCall({ selector, inputs }: AbiFunction, values: readonly AbiValue[]): Uint8Array {
  return concatBytes(fromHex(selector), encodeSequence(inputs, values))
}

/**
 * The arguments of call data for a function. Throws ChainError unless the data begins with the function's selector and is, byte for byte, the one canonical
 * encoding of what was read: nothing may stand between, behind or twice that is not shown.
 */
export function decodeFunctionCall(called: AbiFunction, data: Uint8Array): AbiValue[] {
  const { selector, inputs, signature } = called
  const begins = selectorOf(data)
  if (begins !== selector) throw new ChainError(`the call data begins with 0x${begins}, but ${signature} has the selector 0x${selector}`)
  const input = { data: data.subarray(SELECTOR_LENGTH), words: Math.ceil(data.length / WORD) + 1 }
  const values = decodeSequence(input, 0, inputs)
  if (!equalBytes(encodeFunctionCall(called, values), data)) {
    throw new ChainError(`the call data is not the canonical encoding of ${signature}: something is hidden in it, or spelled another way`)
  }
  return values
}

/** `words` bounds how many values are read: no canonical encoding has more values than words, however its offsets point. */
type Input = { data: Uint8Array; words: number }

function isDynamic(type: AbiType): boolean {
  if (type.kind === 'string' || type.kind === 'bytes') return true
  if (type.kind === 'array') return type.length === null || isDynamic(type.item)
  return type.kind === 'tuple' && type.items.some(isDynamic)
}

/** Bytes that a value takes where it stands: an offset for dynamic types, all of it for others. */
function headSize(type: AbiType): number {
  if (isDynamic(type)) return WORD
  if (type.kind === 'array' && type.length !== null) return type.length * headSize(type.item)
  return type.kind === 'tuple' ? type.items.reduce((sum, item) => sum + headSize(item), 0) : WORD
}

function encodeSequence(types: readonly AbiType[], values: readonly AbiValue[]): Uint8Array {
  if (values.length !== types.length) throw new ChainError(`${values.length} values were given where there are ${types.length}`)
  const heads: Uint8Array[] = []
  const tails: Uint8Array[] = []
  let offset = types.reduce((sum, type) => sum + headSize(type), 0)
  types.forEach((type, i) => {
    const encoded = encodeValue(type, at(values, i))
    if (!isDynamic(type)) return heads.push(encoded)
    heads.push(uintWord(BigInt(offset)))
    tails.push(encoded)
    offset += encoded.length
  })
  return concatBytes(...heads, ...tails)
}

function encodeValue(type: AbiType, value: AbiValue): Uint8Array {
  if (type.kind === 'tuple' && Array.isArray(value)) return encodeSequence(type.items, value)
  if (type.kind === 'array' && Array.isArray(value)) {
    if (type.length !== null && value.length !== type.length) throw wrong(type)
    const items = encodeSequence(
      value.map(() => type.item),
      value,
    )
    return type.length === null ? concatBytes(uintWord(BigInt(value.length)), items) : items
  }
  if (type.kind === 'bytes' && value instanceof Uint8Array) return lengthAndBytes(value)
  if (type.kind === 'string' && typeof value === 'string') return lengthAndBytes(new TextEncoder().encode(value))
  if (type.kind === 'fixedBytes' && value instanceof Uint8Array && value.length === type.length) return concatBytes(value, new Uint8Array(WORD - type.length))
  if (type.kind === 'address' && typeof value === 'string') return padLeft(addressBytes(value))
  if (type.kind === 'bool' && typeof value === 'boolean') return uintWord(value ? 1n : 0n)
  if (type.kind === 'uint' && typeof value === 'bigint' && value >= 0n && value >> BigInt(type.bits) === 0n) return uintWord(value)
  if (type.kind === 'int' && typeof value === 'bigint' && BigInt.asIntN(type.bits, value) === value) return uintWord(BigInt.asUintN(256, value))
  throw wrong(type)
}

function decodeSequence(input: Input, base: number, types: readonly AbiType[]): AbiValue[] {
  let at = base
  return types.map((type) => {
    const place = isDynamic(type) ? base + sizeAt(input, at) : at
    at += headSize(type)
    return decodeValue(input, place, type)
  })
}

function decodeValue(input: Input, at: number, type: AbiType): AbiValue {
  if (type.kind === 'tuple') return decodeSequence(input, at, type.items)
  // Everything else takes a word of its own, but for arrays of fixed length, which are not empty.
  if (!(type.kind === 'array' && type.length !== null) && --input.words < 0) throw new ChainError('the call data points at the same bytes again and again')
  if (type.kind === 'array') {
    const length = type.length ?? sizeAt(input, at)
    const start = type.length === null ? at + WORD : at
    if (length > input.words) throw tooShort()
    return decodeSequence(
      input,
      start,
      Array.from({ length }, () => type.item),
    )
  }
  if (type.kind === 'bytes') return bytesAt(input, at + WORD, sizeAt(input, at)).slice()
  if (type.kind === 'string') return textOf(bytesAt(input, at + WORD, sizeAt(input, at)))
  return decodeWord(type, bytesAt(input, at, WORD))
}

/** Loose padding is not looked for here: what was read is encoded again and compared. */
function decodeWord(type: AbiType, word: Uint8Array): AbiValue {
  if (type.kind === 'address') return checksumAddress(word.subarray(WORD - ADDRESS_LENGTH))
  if (type.kind === 'fixedBytes') return word.slice(0, type.length)
  const number = bytesToUint(word)
  if (type.kind === 'int') return BigInt.asIntN(256, number)
  if (type.kind === 'uint') return number
  if (number > 1n) throw wrong(type)
  return number === 1n
}

function bytesAt({ data }: Input, at: number, length: number): Uint8Array {
  if (at + length > data.length) throw tooShort()
  return data.subarray(at, at + length)
}

/** A length or an offset; both are bounded by the data. */
function sizeAt(input: Input, at: number): number {
  const size = bytesToUint(bytesAt(input, at, WORD))
  if (size > BigInt(input.data.length)) throw tooShort()
  return Number(size)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ChainError('a string of the call data is not UTF-8', { cause })
  }
}

const padLeft = (digits: Uint8Array) => concatBytes(new Uint8Array(WORD - digits.length), digits)
const uintWord = (value: bigint) => padLeft(uintToBytes(value))
const lengthAndBytes = (content: Uint8Array) => concatBytes(uintWord(BigInt(content.length)), content, new Uint8Array((WORD - (content.length % WORD)) % WORD))

const tooShort = () => new ChainError('the call data ends before its arguments do')
const wrong = (type: AbiType) => new ChainError(`a value is none of type ${typeText(type)}`)
