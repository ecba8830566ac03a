import { type AbiType, type AbiValue, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import { equalBytes } from '@holdfast/encoding'
import { boundsOf, type Comparison, comparisonsIn, fits, type Path, placeAt, rangeOf } from '../conditions/index.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { type Band, bandsOf, type ToldParameter, type ToldValue } from './dimension.ts'

// What rules tell apart of the arguments of a function. Of a list that is its length, and which sorts of elements stand in it: one that fits no rule is enough.

/** More combinations are not all looked at. */
const COMBINED_MAX = 256
const SORTS_MAX = 5

/** What calls of a function are made with, and the data of such a call. */
export type Arguments = { told: ToldParameter[]; data: Uint8Array }

type Value = { told: ToldValue; value: AbiValue }
/** Values of a place that no rule tells apart. */
type Sort = Value[]
/** What stands at a place, or in a list: as many elements as `length`, which take the values of each compared place in them by turns. */
type Filling = { told: ToldParameter; length: number; values: ReadonlyMap<string, readonly AbiValue[]> }
/** `isWhole` is false if something was left out. */
type Looked<T> = { all: T[]; isWhole: boolean }

const keyOf = (path: Path): string => path.join('.')

/** Everything that rules compare arguments with. */
export const comparedBy = (rules: readonly Rule[]): Comparison[] =>
  rules.flatMap((rule) => (rule.kind === 'named' ? rule.conditions.flatMap(comparisonsIn) : []))

/** Every combination of what rules tell apart of a function's arguments. */
export function argumentPieces(all: readonly Comparison[], signature: string): Looked<Arguments> {
  const compared = all.filter((each) => each.signature === signature)
  if (compared.length === 0) return { all: [{ told: [], data: new Uint8Array() }], isWhole: true }
  const others = othersThan(all)
  const places = [...Map.groupBy(compared, ({ path }) => keyOf(rootOf(signature, path))).values()]
  const fillings = places.map((same) => fillingsAt(rootOf(signature, same[0]?.path ?? []), same, others))
  const count = fillings.reduce((product, each) => product * each.all.length, 1)
  const looked = fillings.map((each) => (count > COMBINED_MAX ? each.all.slice(0, 2) : each.all)).slice(0, count > COMBINED_MAX ? 8 : undefined)
  return {
    all: productOf(looked).map((chosen) => ({ told: chosen.map(({ told }) => told), data: dataOf(signature, chosen, others) })),
    isWhole: count <= COMBINED_MAX && fillings.every((each) => each.isWhole),
  }
}

const productOf = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((before, list) => before.flatMap((chosen) => list.map((each) => [...chosen, each])), [[]])

/** The outermost list on the way to a place, or the place itself. */
function rootOf(signature: string, path: Path): Path {
  const end = path.findIndex((_, i) => placeAt(signature, path.slice(0, i + 1))?.type.kind === 'array')
  return end < 0 ? path : path.slice(0, end + 1)
}

function fillingsAt(path: Path, compared: readonly Comparison[], others: Others): Looked<Filling> {
  const type = placeAt(compared[0]?.signature ?? '', path)?.type
  if (!type) return { all: [], isWhole: false }
  const tested = compared.filter(({ test }) => test.kind !== 'any')
  const leaves = [...Map.groupBy(tested, (each) => keyOf(each.path)).values()].map((same) => ({ path: same[0]?.path ?? [], sorts: sortsOf(same, others) }))
  if (type.kind === 'array') return listsAt(path, type, compared, leaves)
  const values = leaves.flatMap(({ sorts }) => sorts.flat())
  return { all: values.map(({ told, value }) => ({ told: { path, is: told }, length: 0, values: new Map([[keyOf(path), [value]]]) })), isWhole: true }
}

type Leaf = { path: Path; sorts: readonly Sort[] }

/** Lists that rules tell apart: by how long they are, and by which sorts of elements are in them. Of lists in lists not all are looked at. */
function listsAt(path: Path, type: Extract<AbiType, { kind: 'array' }>, compared: readonly Comparison[], leaves: readonly Leaf[]): Looked<Filling> {
  const subsets = leaves.map(({ path: of, sorts }) => subsetsOf(sorts.slice(0, SORTS_MAX)).map((some): Leaf => ({ path: of, sorts: some })))
  const count = subsets.reduce((product, some) => product * some.length, 1)
  const chosen = productOf(subsets.map((some) => (count > COMBINED_MAX ? some.slice(0, 2) : some)).slice(0, count > COMBINED_MAX ? 8 : undefined))
  const borders = compared.flatMap((each) => (each.lengthAtMost !== null && each.path.length === path.length ? [each.lengthAtMost] : []))
  const fixed = type.length === null ? undefined : BigInt(type.length)
  const lengths = fixed === undefined ? bandsOf(borders, 1n) : [{ from: fixed, to: fixed }]
  const empty: Filling = { told: { path, is: { length: { from: 0n, to: 0n }, elements: [] } }, length: 0, values: new Map() }
  const all = [...(fixed === undefined ? [empty] : []), ...lengths.flatMap((length) => chosen.flatMap((each) => listOf(path, length, each) ?? []))]
  const isFlat = type.item.kind !== 'array' && compared.every((each) => !isNested(each, path))
  return { all, isWhole: isFlat && count <= COMBINED_MAX && leaves.every(({ sorts }) => sorts.length <= SORTS_MAX) }
}

/** Whether another list stands on the way from a list to a place in it. */
const isNested = ({ signature, path }: Comparison, list: Path): boolean =>
  path.slice(list.length).some((_, i) => placeAt(signature, path.slice(0, list.length + i + 1))?.type.kind === 'array')

const subsetsOf = (sorts: readonly Sort[]): Sort[][] =>
  sorts.reduce<Sort[][]>((before, sort) => [...before, ...before.map((each) => [...each, sort])], [[]]).filter((each) => each.length > 0)

/** A list of a length within a band, with elements of all these sorts; undefined if it would be longer. */
function listOf(path: Path, band: Band, chosen: readonly Leaf[]): Filling | undefined {
  const needed = BigInt(Math.max(0, ...chosen.map(({ sorts }) => sorts.length)))
  const length = band.from > needed ? band.from : needed
  if (band.to !== null && length > band.to) return undefined
  const elements = chosen.map((each) => ({ path: each.path.slice(path.length), are: each.sorts.flat().map(({ told }) => told) }))
  const values = new Map(chosen.map((each) => [keyOf(each.path), each.sorts.flatMap(([first]) => (first ? [first.value] : []))]))
  return { told: { path, is: { length: band, elements } }, length: Number(length), values }
}

/** The values of one place, those together that are the same to every comparison with it. */
function sortsOf(compared: readonly Comparison[], others: Others): Sort[] {
  const [first] = compared
  const type = first && placeAt(first.signature, first.path)?.element
  if (!type) return []
  const nameOf = ({ value }: Value) => compared.map(({ test }) => Number(fits(test, value, type))).join('')
  return [...Map.groupBy(valuesOf(type, compared, others), nameOf).values()]
}

/** A value between any two borders of the comparisons with a place: each that they name, and any other. */
function valuesOf(type: AbiType, compared: readonly Comparison[], others: Others): Value[] {
  const tests = compared.map(({ test }) => test)
  if (type.kind === 'uint' || type.kind === 'int') {
    const [least, most] = rangeOf(type)
    const bounds = tests.flatMap((test) => (test.kind === 'numbers' ? [boundsOf(test, type)] : []))
    const ends = bounds.flatMap(({ atLeast, atMost }) => [...(atLeast === null ? [] : [atLeast - 1n]), ...(atMost === null ? [] : [atMost])])
    const within = ends.filter((end) => end < most)
    return bandsOf(within, least).map((band) => ({ told: { ...band, least }, value: band.from }))
  }
  if (type.kind === 'bool') return [true, false].map((value) => ({ told: { value }, value }))
  const named = tests.flatMap((test): (string | Uint8Array)[] => (test.kind === 'addresses' ? test.addresses : 'values' in test ? test.values : []))
  const once = named.filter((each, i) => named.findIndex((other) => isSame(other, each)) === i)
  const other = others(type, once)
  return [...once.map((value) => ({ told: { value }, value })), ...(other === undefined ? [] : [{ told: { value: null }, value: other }])]
}

const isSame = (one: string | Uint8Array, other: string | Uint8Array): boolean =>
  typeof one === 'string' || typeof other === 'string' ? one === other : equalBytes(one, other)

/** A value of a type that is none of these; undefined if there is none. */
type Others = (type: AbiType, named: readonly (string | Uint8Array)[]) => string | Uint8Array | undefined

/** Addresses are those that no rule compares with, in whichever place. */
function othersThan(all: readonly Comparison[]): Others {
  const named = new Set(all.flatMap(({ test }) => (test.kind === 'addresses' ? test.addresses : [])))
  // Digits alone have no other spelling.
  let digits = BigInt('1'.repeat(40))
  while (named.has(`0x${digits}`)) digits++
  return (type, given) => {
    if (type.kind === 'address') return `0x${digits}`
    const candidates = Array.from({ length: given.length + 1 }, (_, i) => candidateOf(type, i))
    return candidates.find((each) => each !== undefined && !given.some((one) => isSame(one, each)))
  }
}

/** The value of a type of that number, each another one; undefined if it has no such value. */
function candidateOf(type: AbiType, number: number): string | Uint8Array | undefined {
  if (type.kind === 'string') return '.'.repeat(number)
  if (type.kind === 'bytes') return new Uint8Array(number)
  if (type.kind !== 'fixedBytes' || number >= 256 ** type.length) return undefined
  return Uint8Array.from({ length: type.length }, (_, i) => Math.floor(number / 256 ** i) % 256)
}

/** Call data of a function with such arguments, and nothing in the others. */
function dataOf(signature: string, chosen: readonly Filling[], others: Others): Uint8Array {
  const called = parseSignature(signature)
  const valueAt = (type: AbiType, path: Path): AbiValue => {
    const own = chosen.find(({ told }) => keyOf(told.path) === keyOf(path))
    if (own && type.kind === 'array') return Array.from({ length: own.length }, (_, turn) => elementAt(type.item, path, turn, { values: own.values, others }))
    if (type.kind === 'tuple') return type.items.map((item, i) => valueAt(item, [...path, BigInt(i)]))
    return own?.values.get(keyOf(path))?.[0] ?? nothingOf(type, others)
  }
  return encodeFunctionCall(
    called,
    called.inputs.map((type, i) => valueAt(type, [BigInt(i)])),
  )
}

/** The element of a list whose turn it is. A list in it has one element, or as many as it needs. */
function elementAt(type: AbiType, path: Path, turn: number, given: { values: Filling['values']; others: Others }): AbiValue {
  if (type.kind === 'tuple') return type.items.map((item, i) => elementAt(item, [...path, BigInt(i)], turn, given))
  if (type.kind === 'array') return Array.from({ length: type.length ?? 1 }, () => elementAt(type.item, path, turn, given))
  const values = given.values.get(keyOf(path)) ?? []
  return values[turn % values.length] ?? nothingOf(type, given.others)
}

function nothingOf(type: AbiType, others: Others): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return 0n
    case 'bool':
      return false
    case 'array':
      return Array.from({ length: type.length ?? 0 }, () => nothingOf(type.item, others))
    case 'tuple':
      return type.items.map((item) => nothingOf(item, others))
    default:
      return others(type, []) ?? ''
  }
}
