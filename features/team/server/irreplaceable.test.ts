import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { oneStep } from '@holdfast/policy'
import fc from 'fast-check'
import { isIrreplaceable } from './irreplaceable.ts'

const people = (...ids: number[]) => ids.map((id) => new Uint8Array(16).fill(id))
const of = (id: number) => new Uint8Array(16).fill(id)

describe('whether somebody can be replaced in a quorum', () => {
  it('is no in one step that needs all but the person who asks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), (count, need) => {
        const eligible = people(...Array.from({ length: count }, (_, i) => i))
        assert.equal(isIrreplaceable(oneStep(eligible, need), of(0)), need >= count - 1)
      }),
    )
  })

  it('is judged step by step: of two people of a small step neither can, of a large one everybody', () => {
    const steps = [
      { need: 1, eligible: people(1, 2) },
      { need: 1, eligible: people(3, 4, 5) },
    ]
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((id) => isIrreplaceable(steps, of(id))),
      [true, true, false, false, false],
    )
  })

  it('counts a person in one step only', () => {
    const both = [
      { need: 1, eligible: people(1, 2, 3) },
      { need: 1, eligible: people(1, 2, 3) },
    ]
    assert.equal(isIrreplaceable(both, of(1)), true)
    assert.equal(isIrreplaceable([{ need: 1, eligible: people(1, 2, 3) }], of(1)), false)
  })
})
