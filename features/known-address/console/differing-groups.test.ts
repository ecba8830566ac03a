import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differingGroups } from './differing-groups.ts'

const groups = fc.array(fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 12 })

test('every group of an address is there, and exactly those that read differently are marked', () => {
  fc.assert(
    fc.property(groups, fc.nat(), (address, place) => {
      const at = place % address.length
      const other = address.map((text, i) => (i === at ? text.replace(/^./, text.startsWith('0') ? '1' : '0') : text.toUpperCase()))
      const found = differingGroups(address, other)
      assert.deepEqual(
        found.map((each) => each.text),
        address,
      )
      assert.deepEqual(
        found.flatMap((each, i) => (each.differs ? [i] : [])),
        [at],
      )
    }),
  )
  assert.deepEqual(differingGroups(['0x', 'abcd'], ['0x']), [
    { text: '0x', differs: false },
    { text: 'abcd', differs: true },
  ])
})
