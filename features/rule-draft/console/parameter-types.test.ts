import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { comparedAs, parameterTypes } from './parameter-types.ts'

const { type: types } = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('address', 'uint256', 'uint8', 'bool', 'bytes32', 'string', 'bytes[]'),
    fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((items) => `(${items.join()})[]`),
  ),
}))

it('a signature is taken apart into its outermost parameters', () => {
  fc.assert(fc.property(fc.array(types, { maxLength: 5 }), (inside) => assert.deepEqual(parameterTypes(`f(${inside.join()})`), inside)))
  for (const none of ['f', 'f(', '', 'f()']) assert.deepEqual(parameterTypes(none), [])
})

it('addresses and whole numbers without a sign can be compared, and nothing else', () => {
  assert.deepEqual(['address', 'uint64', 'uint256'].map(comparedAs), ['addresses', 'numbers', 'numbers'])
  for (const type of ['int256', 'bool', 'bytes32', 'address[]', 'uint8[2]', '(address)', undefined]) assert.equal(comparedAs(type), undefined)
})
