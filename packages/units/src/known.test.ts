import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { at, ImpossibleAbsence, known, last } from './index.ts'

describe('what must be there', () => {
  it('is given as it is, whatever counts as false', () => {
    for (const value of [0, 0n, '', false, Number.NaN]) assert.equal(known(value, 'a value'), value)
  })

  it('stops the program by name where it is missing', () => {
    for (const nothing of [null, undefined])
      assert.throws(() => known(nothing, 'the node of eip155:1'), new ImpossibleAbsence('this cannot be: the node of eip155:1 is missing'))
  })

  it('an index outside a list stops the program, from the end as well, and every one inside gives its element', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.oneof(fc.integer({ min: -40, max: 40 }), fc.double()), (list, index) => {
        if (Number.isInteger(index) && index >= 0 && index < list.length) assert.equal(at(list, index), list[index])
        else assert.throws(() => at(list, index), ImpossibleAbsence)
      }),
    )
    assert.equal(at([undefined], 0), undefined)
    assert.equal(at('text', 3), 't')
    assert.equal(at(Uint8Array.of(7), 0), 7)
    assert.throws(() => at(Uint8Array.of(7), 1), new ImpossibleAbsence('this cannot be: element 1 of a list of 1 is missing'))
  })

  it('an empty list has no last element', () => {
    assert.equal(last([1, 2]), 2)
    assert.throws(() => last([]), ImpossibleAbsence)
  })
})
