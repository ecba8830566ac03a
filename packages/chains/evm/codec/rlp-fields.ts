import { ChainError } from '@holdfast/chain-core'
import { decodeRlp, type RlpItem } from './rlp.ts'
import { bytesToUint } from './uint.ts'

/** A secp256k1 signature in the numbers that a transaction carries. */
export type TransactionSignature = { yParity: bigint; r: bigint; s: bigint }

/** The items of a list with the names of its fields, for messages. */
export type Fields = { items: RlpItem[]; names: readonly string[] }

export const SIGNATURE_FIELDS = ['y parity', 'r', 's'] as const

/** The fields of a list that `what` names. Throws ChainError unless it is one of exactly the fields that have names. */
export function listOf(item: RlpItem, what: string, names: readonly string[]): Fields {
  if (item instanceof Uint8Array) throw new ChainError(`${what} is no list of fields`)
  if (item.length !== names.length) throw new ChainError(`${what} has ${item.length} fields where ${names.length} belong`)
  return { items: item, names }
}

/** The same of bytes that are one list and nothing else. */
export const decodeList = (bytes: Uint8Array, what: string, names: readonly string[]): Fields => listOf(decodeRlp(bytes), what, names)

export function bytesField({ items, names }: Fields, index: number): Uint8Array {
  const field = items[index]
  if (!(field instanceof Uint8Array)) throw new ChainError(`the field ${names[index]} is a list where bytes belong`)
  return field
}

export function uintField(fields: Fields, index: number): bigint {
  const field = bytesField(fields, index)
  if (field.length > 32) throw new ChainError(`the field ${fields.names[index]} has ${field.length} bytes; a number has at most 32`)
  if (field[0] === 0) throw new ChainError(`the field ${fields.names[index]} starts with a zero byte`)
  return bytesToUint(field)
}

/** The signature whose three fields begin at `index`. It may be out of range. */
export const signatureAt = (fields: Fields, index: number): TransactionSignature => ({
  yParity: uintField(fields, index),
  r: uintField(fields, index + 1),
  s: uintField(fields, index + 2),
})
