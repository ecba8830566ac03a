import { ChainError } from '@holdfast/chain-core'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { selectorOf } from './call-data.ts'

/** A type of the contract ABI. Source: the contract ABI specification of Solidity. */
export type AbiType =
  | { kind: 'uint' | 'int'; bits: number }
  | { kind: 'address' | 'bool' | 'string' | 'bytes' }
  | { kind: 'fixedBytes'; length: number }
  | { kind: 'array'; item: AbiType; length: number | null }
  | { kind: 'tuple'; items: AbiType[] }

/** A function of a contract: its canonical signature, such as `approve(address,uint256)`, and the eight digits that call data begins with. */
export type AbiFunction = { signature: string; selector: string; inputs: AbiType[] }

/** Characters of a signature. */
export const SIGNATURE_MAX = 512
// Nobody nests deeper, and a bound keeps hostile text from exhausting the stack.
const DEPTH_MAX = 8
const ARRAY_MAX = 1024

/**
 * Reads a signature in its canonical form: no spaces, no names of arguments, `uint256` and not `uint`. Throws ChainError for every other text, since the
 * selector is the hash of exactly these characters.
 */
export function parseSignature(signature: string): AbiFunction {
  if (signature.length > SIGNATURE_MAX) throw new ChainError(`a function signature has at most ${SIGNATURE_MAX} characters`)
  const [, inputs] = /^[A-Za-z_$][A-Za-z0-9_$]*(\(.*\))$/.exec(signature) ?? []
  if (inputs === undefined) throw malformed(signature)
  const reader = { signature, text: inputs, at: 1 }
  const types = inputs === '()' ? [] : readTypes(reader, 0)
  if (inputs === '()') reader.at = 2
  if (reader.at !== inputs.length) throw malformed(signature)
  return { signature, selector: selectorOf(keccak_256(new TextEncoder().encode(signature))), inputs: types }
}

/** The canonical text of a type. */
export function typeText(type: AbiType): string {
  if (type.kind === 'uint' || type.kind === 'int') return `${type.kind}${type.bits}`
  if (type.kind === 'fixedBytes') return `bytes${type.length}`
  if (type.kind === 'array') return `${typeText(type.item)}[${type.length ?? ''}]`
  return type.kind === 'tuple' ? `(${type.items.map(typeText).join(',')})` : type.kind
}

type Reader = { signature: string; text: string; at: number }

/** The types up to the closing bracket, which is read too. */
function readTypes(reader: Reader, depth: number): AbiType[] {
  if (depth > DEPTH_MAX) throw new ChainError('the function signature nests deeper than any function does')
  const types: AbiType[] = []
  for (;;) {
    types.push(readType(reader, depth))
    const next = reader.text[reader.at++]
    if (next === ')') return types
    if (next !== ',') throw malformed(reader.signature)
  }
}

function readType(reader: Reader, depth: number): AbiType {
  let type: AbiType
  if (reader.text[reader.at] === '(') {
    reader.at++
    type = { kind: 'tuple', items: readTypes(reader, depth + 1) }
  } else {
    const [word = ''] = /^[a-z]+[0-9]*/.exec(reader.text.slice(reader.at)) ?? []
    reader.at += word.length
    type = elementary(word, reader.signature)
  }
  for (let arrays = 0; ; arrays++) {
    const [whole, digits] = /^\[([1-9][0-9]{0,3})?\]/.exec(reader.text.slice(reader.at)) ?? []
    if (whole === undefined) return type
    if (depth + arrays > DEPTH_MAX) throw new ChainError('the function signature nests deeper than any function does')
    const length = digits === undefined ? null : Number(digits)
    if (length !== null && length > ARRAY_MAX) throw new ChainError(`an array of a function signature has at most ${ARRAY_MAX} elements`)
    reader.at += whole.length
    type = { kind: 'array', item: type, length }
  }
}

function elementary(word: string, signature: string): AbiType {
  if (word === 'address' || word === 'bool' || word === 'string' || word === 'bytes') return { kind: word }
  const [, kind, digits = ''] = /^(uint|int|bytes)([1-9][0-9]{0,2})$/.exec(word) ?? []
  const size = Number(digits)
  if (kind === 'bytes' && size <= 32) return { kind: 'fixedBytes', length: size }
  if ((kind === 'uint' || kind === 'int') && size <= 256 && size % 8 === 0) return { kind, bits: size }
  throw malformed(signature)
}

function malformed(signature: string): ChainError {
  return new ChainError(
    `not a function signature: ${JSON.stringify(signature.slice(0, 80))}; write the name and the full types, such as approve(address,uint256)`,
  )
}
