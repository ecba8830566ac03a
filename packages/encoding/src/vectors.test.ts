import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bool, bytes, decode, digest, encode, fromHex, list, optional, type Shape, struct, text, toHex, uint, union } from './index.ts'

type Described = { kind: string; [field: string]: any }
const vectorsPath = new URL('../../../test/vectors/encoding.json', import.meta.url)
const file: { vectors: { name: string; shape: Described; value: unknown; encoded: string; sha256?: string }[] } = JSON.parse(readFileSync(vectorsPath, 'utf8'))

test('the checked-in vectors hold here', () => {
  assert.ok(file.vectors.length >= 12)
  for (const { name, shape: described, value: written, encoded, sha256 } of file.vectors) {
    const shape = shapeOf(described)
    const value = valueOf(described, written)
    const encodeAny = encode as (shape: Shape, value: unknown) => Uint8Array
    assert.equal(toHex(encodeAny(shape, value)), encoded, name)
    assert.deepEqual((decode as (shape: Shape, bytes: Uint8Array) => unknown)(shape, fromHex(encoded)), value, name)
    if (sha256) assert.equal(toHex((digest as (shape: Shape, value: unknown) => Uint8Array)(shape, value)), sha256, name)
  }
})

test('a second implementation, in Python, agrees with every vector', () => {
  const script = new URL('../../../test/vectors/check_encoding.py', import.meta.url).pathname
  const output = execFileSync('python3', [script, vectorsPath.pathname], { encoding: 'utf8' })
  assert.match(output, new RegExp(`^${file.vectors.length} vectors agree`))
})

function shapeOf(described: Described): Shape {
  switch (described.kind) {
    case 'bytes':
      return bytes(described.length)
    case 'text':
      return text(described.max)
    case 'uint':
      return uint(described.bits)
    case 'bool':
      return bool()
    case 'list':
      return list(shapeOf(described.item))
    case 'optional':
      return optional(shapeOf(described.inner))
    case 'struct':
      return structOf(described)
    case 'union':
      return union(Object.fromEntries(Object.entries(described.variants).map(([name, each]) => [name, structOf(each as Described)])))
    default:
      throw new Error(`unknown shape ${described.kind}`)
  }
}

function structOf(described: Described) {
  return struct(described.tag, Object.fromEntries(described.fields.map(([name, each]: [string, Described]) => [name, shapeOf(each)])))
}

function valueOf(described: Described, written: any): unknown {
  if (written === null) return null
  switch (described.kind) {
    case 'bytes':
      return fromHex(written)
    case 'uint':
      return BigInt(written)
    case 'list':
      return written.map((each: unknown) => valueOf(described.item, each))
    case 'optional':
      return valueOf(described.inner, written)
    case 'struct':
      return fieldsOf(described, written)
    case 'union':
      return { kind: written.kind, ...fieldsOf(described.variants[written.kind], written) }
    default:
      return written
  }
}

function fieldsOf(described: Described, written: any): Record<string, unknown> {
  return Object.fromEntries(described.fields.map(([name, each]: [string, Described]) => [name, valueOf(each, written[name])]))
}
