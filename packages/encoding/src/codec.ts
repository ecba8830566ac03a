import { at } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { EncodingFault } from './encoding-error.ts'
import type { Infer, Shape, StructShape, UnionShape } from './shape.ts'

/**
 * The canonical encoding. Every value is one type byte and then:
 *   0x01 bytes   u32 length, the bytes
 *   0x02 text    u32 length, UTF-8 of the NFC form
 *   0x03 uint    u32 length, big-endian without leading zero bytes (zero has length 0)
 *   0x04 false   0x05 true   0x06 absent
 *   0x07 list    u32 count, the items
 *   0x08 struct  the tag as text, u32 count of fields, the fields in the shape's order
 * All lengths are big-endian. A present optional is encoded as its inner value.
 * One value has one encoding and one encoding has one value: `decode` refuses every other byte string.
 */
const TYPE = { bytes: 1, text: 2, uint: 3, false: 4, true: 5, absent: 6, list: 7, struct: 8 } as const

const utf8 = new TextEncoder()
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Canonical bytes of `value`, of what is its own and not inherited. Throws EncodingFault if the value does not fit the shape. */
export function encode<S extends Shape>(shape: S, value: Infer<S>): Uint8Array
// Untyped inside: walking the inferred type of every shape at once is more than the compiler can do.
export function encode(shape: Shape, value: unknown): Uint8Array {
  const writer = new Writer()
  write(writer, shape, value, '$')
  return writer.finish()
}

/** The value of canonical bytes. Throws EncodingFault unless the bytes are exactly what `encode` gives. */
export function decode<S extends Shape>(shape: S, encoded: Uint8Array): Infer<S>
export function decode(shape: Shape, encoded: Uint8Array): unknown {
  const reader = new Reader(encoded)
  const value = read(reader, shape, '$')
  if (!reader.atEnd()) throw new EncodingFault(`$: ${encoded.length - reader.at} bytes left over`)
  return value
}

/** SHA-256 of the canonical bytes. The struct's tag separates the domains. */
export function digest<S extends StructShape | UnionShape>(shape: S, value: Infer<S>): Uint8Array
export function digest(shape: Shape, value: unknown): Uint8Array {
  return sha256((encode as (shape: Shape, value: unknown) => Uint8Array)(shape, value))
}

class Writer {
  #buffer = new Uint8Array(1024)
  #length = 0

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return
    const grown = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + more))
    grown.set(this.#buffer)
    this.#buffer = grown
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#length++] = value
  }

  u32(value: number): void {
    this.#reserve(4)
    for (let shift = 24; shift >= 0; shift -= 8) this.#buffer[this.#length++] = value >>> shift
  }

  sized(value: Uint8Array): void {
    this.u32(value.length)
    this.#reserve(value.length)
    this.#buffer.set(value, this.#length)
    this.#length += value.length
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length)
  }
}

class Reader {
  at = 0
  readonly encoded: Uint8Array
  constructor(encoded: Uint8Array) {
    this.encoded = encoded
  }

  /** Goes on by so many bytes, and answers where they begin. */
  #pass(count: number, path: string): number {
    if (count > this.encoded.length - this.at) throw new EncodingFault(`${path}: cut short`)
    this.at += count
    return this.at - count
  }

  byte(path: string): number {
    return at(this.encoded, this.#pass(1, path))
  }

  peek(): number | undefined {
    return this.encoded[this.at]
  }

  u32(path: string): number {
    const from = this.#pass(4, path)
    let value = 0
    for (let i = from; i < this.at; i++) value = value * 256 + at(this.encoded, i)
    return value
  }

  sized(path: string, max: number): Uint8Array {
    const length = this.u32(path)
    if (length > max) throw new EncodingFault(`${path}: ${length} bytes where at most ${max} are allowed`)
    // Not the value's own slice: a Buffer's shares memory with what it was cut from.
    return Uint8Array.prototype.slice.call(this.encoded, this.#pass(length, path), this.at)
  }

  atEnd(): boolean {
    return this.at === this.encoded.length
  }
}

function write(out: Writer, shape: Shape, value: any, path: string): void {
  switch (shape.kind) {
    case 'bytes':
      checkBytes(shape, value, path)
      out.byte(TYPE.bytes)
      return out.sized(value)
    case 'text':
      out.byte(TYPE.text)
      return out.sized(textBytes(value, shape.max, path))
    case 'uint':
      out.byte(TYPE.uint)
      return out.sized(uintBytes(value, shape.bits, path))
    case 'bool':
      if (typeof value !== 'boolean') throw new EncodingFault(`${path}: expected true or false`)
      return out.byte(value ? TYPE.true : TYPE.false)
    case 'optional':
      return value === null ? out.byte(TYPE.absent) : write(out, shape.inner, value, path)
    case 'list':
      if (!Array.isArray(value)) throw new EncodingFault(`${path}: expected a list`)
      if (value.length > shape.max) throw new EncodingFault(`${path}: ${value.length} items where at most ${shape.max} are allowed`)
      out.byte(TYPE.list)
      out.u32(value.length)
      // By index: `forEach` passes over the holes of a list, and the count would be of more items than follow it.
      for (let i = 0; i < value.length; i++) write(out, shape.item, value[i], `${path}[${i}]`)
      return
    case 'struct':
      return writeStruct(out, shape, value, path, false)
    case 'union': {
      const kind = value !== null && typeof value === 'object' ? ownField(value, 'kind', path) : undefined
      const variant = typeof kind === 'string' && Object.hasOwn(shape.variants, kind) ? shape.variants[kind] : undefined
      if (!variant) throw new EncodingFault(`${path}: kind is none of ${Object.keys(shape.variants).join(', ')}`)
      return writeStruct(out, variant, value, path, true)
    }
  }
}

function writeStruct(out: Writer, shape: StructShape, value: any, path: string, inUnion: boolean): void {
  if (value === null || typeof value !== 'object') throw new EncodingFault(`${path}: expected a record`)
  const names = Object.keys(shape.fields)
  for (const given of Object.keys(value)) {
    if (!names.includes(given) && !(inUnion && given === 'kind')) throw new EncodingFault(`${path}.${given}: unknown field`)
  }
  out.byte(TYPE.struct)
  out.sized(textBytes(shape.tag, 128, path))
  out.u32(names.length)
  for (const name of names) write(out, shape.fields[name], ownField(value, name, path), `${path}.${name}`)
}

/** The value of an own field. What a prototype or an accessor gives can be another one the next time, or have been put there for all records at once. */
function ownField(value: object, name: string, path: string): unknown {
  const field = Object.getOwnPropertyDescriptor(value, name)
  if (field && !('value' in field)) throw new EncodingFault(`${path}.${name}: is computed where a value is expected`)
  return field?.value
}

function read(input: Reader, shape: Shape, path: string): unknown {
  switch (shape.kind) {
    case 'bytes': {
      expect(input, TYPE.bytes, path)
      const value = input.sized(path, shape.max)
      checkBytes(shape, value, path)
      return value
    }
    case 'text':
      expect(input, TYPE.text, path)
      return readText(input, shape.max, path)
    case 'uint':
      expect(input, TYPE.uint, path)
      return readUint(input, shape.bits, path)
    case 'bool': {
      const type = input.byte(path)
      if (type !== TYPE.true && type !== TYPE.false) throw new EncodingFault(`${path}: expected true or false`)
      return type === TYPE.true
    }
    case 'optional':
      if (input.peek() === TYPE.absent) {
        input.byte(path)
        return null
      }
      return read(input, shape.inner, path)
    case 'list': {
      expect(input, TYPE.list, path)
      const count = input.u32(path)
      if (count > shape.max) throw new EncodingFault(`${path}: ${count} items where at most ${shape.max} are allowed`)
      const items: unknown[] = []
      for (let i = 0; i < count; i++) items.push(read(input, shape.item, `${path}[${i}]`))
      return items
    }
    case 'struct':
      return readStruct(input, () => shape, path)
    case 'union': {
      let kind = ''
      const value = readStruct(
        input,
        (tag) => {
          kind = Object.keys(shape.variants).find((name) => shape.variants[name].tag === tag) ?? ''
          return shape.variants[kind]
        },
        path,
      )
      return { kind, ...value }
    }
  }
}

function readStruct(input: Reader, choose: (tag: string) => StructShape | undefined, path: string): Record<string, unknown> {
  expect(input, TYPE.struct, path)
  const tag = readText(input, 128, path)
  const shape = choose(tag)
  if (!shape || shape.tag !== tag) throw new EncodingFault(`${path}: unexpected tag ${JSON.stringify(tag)}`)
  const names = Object.keys(shape.fields)
  if (input.u32(path) !== names.length) throw new EncodingFault(`${path}: wrong number of fields`)
  const value: Record<string, unknown> = {}
  for (const name of names) value[name] = read(input, shape.fields[name], `${path}.${name}`)
  return value
}

function expect(input: Reader, type: number, path: string): void {
  const found = input.byte(path)
  if (found !== type) throw new EncodingFault(`${path}: type ${found} where ${type} was expected`)
}

function checkBytes(shape: { length?: number; max: number }, value: unknown, path: string): void {
  if (!(value instanceof Uint8Array)) throw new EncodingFault(`${path}: expected bytes`)
  if (shape.length !== undefined && value.length !== shape.length) throw new EncodingFault(`${path}: ${value.length} bytes where ${shape.length} are required`)
  if (value.length > shape.max) throw new EncodingFault(`${path}: ${value.length} bytes where at most ${shape.max} are allowed`)
}

function textBytes(value: unknown, max: number, path: string): Uint8Array {
  if (typeof value !== 'string' || !value.isWellFormed()) throw new EncodingFault(`${path}: expected well-formed text`)
  const encoded = asciiBytes(value) ?? utf8.encode(value)
  // ASCII is its own normal form.
  if (encoded.length !== value.length && value.normalize('NFC') !== value) throw new EncodingFault(`${path}: text is not in Unicode NFC`)
  if (encoded.length > max) throw new EncodingFault(`${path}: ${encoded.length} bytes of text where at most ${max} are allowed`)
  return encoded
}

/** The bytes of a short text of ASCII alone, as most are; undefined if it has anything else in it. */
function asciiBytes(value: string): Uint8Array | undefined {
  if (value.length > 128) return undefined
  const encoded = new Uint8Array(value.length)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code > 0x7f) return undefined
    encoded[i] = code
  }
  return encoded
}

function readText(input: Reader, max: number, path: string): string {
  let value: string
  try {
    value = strictUtf8.decode(input.sized(path, max))
  } catch (cause) {
    if (cause instanceof EncodingFault) throw cause
    throw new EncodingFault(`${path}: not UTF-8`)
  }
  if (value.normalize('NFC') !== value) throw new EncodingFault(`${path}: text is not in Unicode NFC`)
  return value
}

function uintBytes(value: unknown, bits: number, path: string): Uint8Array {
  if (typeof value !== 'bigint' || value < 0n) throw new EncodingFault(`${path}: expected an unsigned integer (bigint)`)
  if (value >> BigInt(bits) !== 0n) throw new EncodingFault(`${path}: more than ${bits} bits`)
  if (value === 0n) return new Uint8Array(0)
  const hex = value.toString(16)
  const encoded = new Uint8Array(Math.ceil(hex.length / 2))
  for (let i = encoded.length - 1, end = hex.length; i >= 0; i--, end -= 2) encoded[i] = Number.parseInt(hex.slice(Math.max(0, end - 2), end), 16)
  return encoded
}

function readUint(input: Reader, bits: number, path: string): bigint {
  const encoded = input.sized(path, Math.ceil(bits / 8))
  if (encoded[0] === 0) throw new EncodingFault(`${path}: integer with a leading zero byte`)
  let value = 0n
  for (const byte of encoded) value = (value << 8n) | BigInt(byte)
  if (value >> BigInt(bits) !== 0n) throw new EncodingFault(`${path}: more than ${bits} bits`)
  return value
}
