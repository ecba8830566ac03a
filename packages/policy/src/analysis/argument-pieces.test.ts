import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import fc from 'fast-check'
import { type Comparison, isCalledWith } from '../conditions/index.ts'
import { argumentsOfEvery, comparisonsOfRule, EVERY } from '../testing/random-comparisons.ts'
import { argumentPieces } from './argument-pieces.ts'

const act = (signature: string, data: Uint8Array) =>
  ({ as: 'call', chain: '', from: '', contract: '', value: 0n, initiator: new Uint8Array(16), source: null, signature, data }) as const

test('whatever a function is called with, one of the pieces is the same to every rule', () => {
  let whole = 0
  fc.assert(
    fc.property(fc.array(comparisonsOfRule, { minLength: 1, maxLength: 3 }), argumentsOfEvery, (rules, values) => {
      const { all, isWhole } = argumentPieces(rules.flat(), EVERY)
      const verdictsOn = (data: Uint8Array) => rules.map((rule) => isCalledWith(rule, act(EVERY, data))).join()
      const found = new Set(all.map(({ data }) => verdictsOn(data)))
      if (!isWhole) return
      whole++
      assert.ok(found.has(verdictsOn(encodeFunctionCall(parseSignature(EVERY), values))), [...found].join(' | '))
    }),
    { numRuns: 60 },
  )
  assert.ok(whole > 25, `only ${whole} were looked at whole`)
})

test('a number without an upper bound but that of its type has no piece above it, and a type of which every value is named has no other', () => {
  const compare = (signature: string, is: Comparison['test']): Comparison => ({ signature, path: [0n], lengthAtMost: null, test: is })
  const valuesOf = (compared: Comparison) => argumentPieces([compared], compared.signature).all.length
  assert.equal(valuesOf(compare('f(uint64)', { kind: 'numbers', atLeast: null, atMost: (1n << 64n) - 1n })), 1)
  assert.equal(valuesOf(compare('f(int8)', { kind: 'numbers', atLeast: BigInt.asUintN(256, -3n), atMost: 3n })), 3)
  assert.equal(valuesOf(compare('f(bool)', { kind: 'truth', is: true })), 2)
})

test('a list of elements that fit two rules one by one fits neither, and that is a piece of its own', () => {
  const flags = 'f(bool[])'
  const rules = [true, false].map((is): Comparison[] => [{ signature: flags, path: [0n], lengthAtMost: null, test: { kind: 'truth', is } }])
  const { all, isWhole } = argumentPieces(rules.flat(), flags)
  const verdicts = all.map(({ data }) => rules.map((rule) => isCalledWith(rule, act(flags, data))).join())
  assert.deepEqual([isWhole, verdicts], [true, ['true,true', 'true,false', 'false,true', 'false,false']])
})

test('of lists in lists and of too many combinations the analysis says that it has not looked at all', () => {
  const each = (signature: string, path: bigint[], addresses: string[]): Comparison => ({
    ...{ signature, path, lengthAtMost: null },
    test: { kind: 'addresses', addresses },
  })
  const one = `0x${'1'.repeat(39)}2`
  assert.equal(argumentPieces([each('f(address[][])', [0n], [one])], 'f(address[][])').isWhole, false)
  assert.equal(argumentPieces([each('f((address[])[])', [0n, 0n], [one])], 'f((address[])[])').isWhole, false)
  const many = 'f(address,address,address)'
  const named = Array.from({ length: 9 }, (_, i) => `0x${'2'.repeat(39)}${i}`)
  const { all, isWhole } = argumentPieces(
    [0n, 1n, 2n].map((position) => each(many, [position], named)),
    many,
  )
  assert.deepEqual([isWhole, all.length], [false, 8])
})
