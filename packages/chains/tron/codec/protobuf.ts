import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes } from '@holdfast/encoding'

/** A field of a protocol buffer message: its number and what it holds. `list` repeats a message. */
export type Field = { number: number; kind: 'bytes' | 'uint' | 'bool' } | { number: number; kind: 'message' | 'list'; of: Message }
/** A message by its fields in the order of their numbers. */
export type Message = Record<string, Field>

type Value<F extends Field> = F extends { kind: 'bytes' }
  ? Uint8Array
  : F extends { kind: 'uint' }
    ? bigint
    : F extends { kind: 'bool' }
      ? boolean
      : F extends { kind: 'message'; of: infer M extends Message }
        ? Infer<M> | undefined
        : F extends { kind: 'list'; of: infer M extends Message }
          ? Infer<M>[]
          : never
export type Infer<M extends Message> = { [K in keyof M]: Value<M[K]> }
/** What is written: a field that is left out has its default. */
export type Draft<M extends Message> = {
  [K in keyof M]?: M[K] extends { kind: 'message'; of: infer N extends Message }
    ? Draft<N>
    : M[K] extends { kind: 'list'; of: infer N extends Message }
      ? Draft<N>[]
      : Value<M[K]>
}

export const bytesField = <N extends number>(number: N) => ({ number, kind: 'bytes' as const })
export const uintField = <N extends number>(number: N) => ({ number, kind: 'uint' as const })
export const boolField = <N extends number>(number: N) => ({ number, kind: 'bool' as const })
export const messageField = <N extends number, M extends Message>(number: N, of: M) => ({ number, kind: 'message' as const, of })
export const listField = <N extends number, M extends Message>(number: N, of: M) => ({ number, kind: 'list' as const, of })

const VARINT = 0
const LENGTH = 2
const INT64_MAX = (1n << 63n) - 1n

/** Writes a message in its canonical form: fields by number, defaults left out, numbers in as few bytes as they need. */
export function encodeMessage<M extends Message>(shape: M, values: Draft<M>): Uint8Array {
  return concatBytes(...Object.entries(shape).map(([name, field]) => encodeField(field, (values as Record<string, unknown>)[name])))
}

function encodeField(field: Field, value: unknown): Uint8Array {
  if (value === undefined) return new Uint8Array()
  const tag = (wire: number) => varint(BigInt((field.number << 3) | wire))
  const delimited = (content: Uint8Array) => concatBytes(tag(LENGTH), varint(BigInt(content.length)), content)
  switch (field.kind) {
    case 'bytes':
      return (value as Uint8Array).length === 0 ? new Uint8Array() : delimited(value as Uint8Array)
    case 'uint':
      return value === 0n ? new Uint8Array() : concatBytes(tag(VARINT), varint(value as bigint))
    case 'bool':
      return value === false ? new Uint8Array() : concatBytes(tag(VARINT), varint(1n))
    case 'message':
      return delimited(encodeMessage(field.of, value as Draft<Message>))
    case 'list':
      return concatBytes(...(value as Draft<Message>[]).map((each) => delimited(encodeMessage(field.of, each))))
  }
}

function varint(value: bigint): Uint8Array {
  if (value < 0n || value > INT64_MAX) throw new ChainError(`the number ${value} does not fit into the transaction`)
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Uint8Array.of(...bytes, Number(rest))
    bytes.push(Number(rest & 0x7fn) | 0x80)
  }
}

/** Reads a message. Throws ChainError for a field that is not in the shape, and for every form but the canonical one. */
export function decodeMessage<M extends Message>(shape: M, bytes: Uint8Array, name: string): Infer<M> {
  const values = readMessage(shape, bytes, name)
  // The reader takes fields in any order and numbers spelled the long way; the comparison refuses these and all that nobody thought of.
  if (!equalBytes(encodeMessage(shape, values as Draft<M>), bytes)) throw new ChainError(`the ${name} is not in its canonical form`)
  return values
}

/** Reads a message in any form that a chain would take, but no field that is not in the shape. */
export function readMessage<M extends Message>(shape: M, bytes: Uint8Array, name: string): Infer<M> {
  const fields = new Map(Object.entries(shape).map(([key, field]) => [field.number, { key, field }]))
  const values: Record<string, unknown> = {}
  for (const [key, { kind }] of Object.entries(shape)) values[key] = { bytes: new Uint8Array(), uint: 0n, bool: false, message: undefined, list: [] }[kind]
  const reader = { bytes, at: 0, name }
  while (reader.at < bytes.length) {
    const tag = readVarint(reader)
    const known = fields.get(Number(tag >> 3n))
    const wire = Number(tag & 7n)
    if (!known) throw new ChainError(`the ${name} has the field ${tag >> 3n}, which is not allowed`)
    const { key, field } = known
    const isNumber = field.kind === 'uint' || field.kind === 'bool'
    if (wire !== (isNumber ? VARINT : LENGTH)) throw new ChainError(`the field ${key} of the ${name} has another type than belongs there`)
    values[key] = isNumber ? numberOf(field.kind === 'bool', readVarint(reader)) : contentOf(field, readDelimited(reader), values[key], `${name}'s ${key}`)
  }
  return values as Infer<M>
}

function numberOf(isBool: boolean, value: bigint): bigint | boolean {
  return isBool ? value !== 0n : value
}

function contentOf(field: Field, content: Uint8Array, before: unknown, name: string): unknown {
  if (field.kind === 'message') return readMessage(field.of, content, name)
  if (field.kind === 'list') return [...(before as unknown[]), readMessage(field.of, content, name)]
  return content
}

type Reader = { bytes: Uint8Array; at: number; name: string }

function readVarint(reader: Reader): bigint {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.bytes[reader.at++]
    if (byte === undefined) throw new ChainError(`the ${reader.name} is cut short`)
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) {
      if (value > INT64_MAX) throw new ChainError(`the ${reader.name} has a number below zero or too high`)
      return value
    }
  }
  throw new ChainError(`the ${reader.name} has a number that does not end`)
}

function readDelimited(reader: Reader): Uint8Array {
  const length = readVarint(reader)
  const end = reader.at + Number(length)
  if (length > BigInt(reader.bytes.length) || end > reader.bytes.length) throw new ChainError(`the ${reader.name} is cut short`)
  const content = reader.bytes.slice(reader.at, end)
  reader.at = end
  return content
}
