import { type AbiType, type AbiValue, parseSignature } from '@holdfast/chain-evm/codec'
import fc from 'fast-check'
import type { Comparison, Test } from '../conditions/index.ts'

// Comparisons with arguments of every type, and arguments that lie on both sides of their borders.

export const FRIENDS = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
]

/** A function with a parameter of every type, lists and tuples among them. */
export const EVERY = 'every(uint8,int16,address,bool,bytes2,bytes,string,address[],int8[2],(bool,uint64[]),(address,bytes1)[])'
export const EVERY_TYPE = parseSignature(EVERY).inputs

/** The places of it that can be compared, with the type that stands there, or is in the list there, and whether the list has any length. */
export const PLACES: readonly { path: bigint[]; type: AbiType; isOpen: boolean }[] = [
  ...EVERY_TYPE.slice(0, 7).map((type, i) => ({ path: [BigInt(i)], type, isOpen: false })),
  { path: [7n], type: { kind: 'address' }, isOpen: true },
  { path: [8n], type: { kind: 'int', bits: 8 }, isOpen: false },
  { path: [9n, 0n], type: { kind: 'bool' }, isOpen: false },
  { path: [9n, 1n], type: { kind: 'uint', bits: 64 }, isOpen: true },
  { path: [10n, 0n], type: { kind: 'address' }, isOpen: false },
  { path: [10n, 1n], type: { kind: 'fixedBytes', length: 1 }, isOpen: false },
]

const few = <T>(value: fc.Arbitrary<T>) => fc.uniqueArray(value, { minLength: 1, maxLength: 2, selector: String })
const texts = fc.constantFrom('', 'rent', 'wages')
const bytesOf = (length: number | null) => fc.uint8Array({ minLength: length ?? 0, maxLength: length ?? 2, max: 1 })
const small = fc.bigInt(-4n, 4n)

function testOf(type: AbiType): fc.Arbitrary<Test> {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return fc.record({ from: small, more: fc.option(fc.bigInt(0n, 3n)) }).map(({ from, more }): Test => {
        // Zero bounds nothing of a number without a sign.
        const least = type.kind === 'uint' && from < 1n ? 1n : from
        return { kind: 'numbers', atLeast: BigInt.asUintN(256, least), atMost: more === null ? null : BigInt.asUintN(256, least + more) }
      })
    case 'address':
      return few(fc.constantFrom(...FRIENDS.slice(0, 2))).map((addresses): Test => ({ kind: 'addresses', addresses }))
    case 'bool':
      return fc.boolean().map((is): Test => ({ kind: 'truth', is }))
    case 'string':
      return few(texts).map((values): Test => ({ kind: 'texts', values }))
    default:
      return few(bytesOf(type.kind === 'fixedBytes' ? type.length : null)).map((values): Test => ({ kind: 'bytes', values }))
  }
}

const comparison: fc.Arbitrary<Comparison> = fc.constantFrom(...PLACES).chain(({ path, type, isOpen }) =>
  fc
    .record({ test: fc.option(testOf(type)), lengthAtMost: fc.option(fc.bigInt(0n, 3n)) })
    .filter(({ test, lengthAtMost }) => test !== null || (isOpen && lengthAtMost !== null))
    .map(({ test, lengthAtMost }) => ({ signature: EVERY, path, lengthAtMost: isOpen ? lengthAtMost : null, test: test ?? { kind: 'any' as const } })),
)

/** What one rule compares: each place once. */
export const comparisonsOfRule: fc.Arbitrary<Comparison[]> = fc.uniqueArray(comparison, {
  minLength: 1,
  maxLength: 3,
  selector: ({ path }) => path.join('.'),
})

function valueOf(type: AbiType): fc.Arbitrary<AbiValue> {
  switch (type.kind) {
    case 'uint':
      return fc.bigInt(0n, 6n)
    case 'int':
      return fc.bigInt(-6n, 7n)
    case 'address':
      return fc.constantFrom(...FRIENDS)
    case 'bool':
      return fc.boolean()
    case 'string':
      return texts
    case 'array':
      return fc.array(valueOf(type.item), { minLength: type.length ?? 0, maxLength: type.length ?? 4 })
    case 'tuple':
      return fc.tuple(...type.items.map(valueOf))
    default:
      return bytesOf(type.kind === 'fixedBytes' ? type.length : null)
  }
}

/** Arguments of the function. */
export const argumentsOfEvery: fc.Arbitrary<AbiValue[]> = fc.tuple(...EVERY_TYPE.map(valueOf))
