import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillSteps, type Step } from '@holdfast/policy'
import fc from 'fast-check'
import { askedOf } from './asked-of.ts'

const idOf = (number: number) => Uint8Array.of(number)
const stepOf = (need: number, ...people: number[]): Step => ({ need, eligible: people.map(idOf) })
function asked(person: number, steps: Step[], approved: number[]) {
  const { filled, missing } = fillSteps(steps, approved.map(idOf))
  const tally = { filled, missing, met: missing === 0, rejectedBy: [], approvedBy: approved.map((each) => ({ id: idOf(each) })) } as never
  return askedOf({ quorums: [{ steps, tally }] }, { id: idOf(person) })
}

test('somebody is asked for the step in which they would count, and for nothing once nobody is missing there', () => {
  const steps = [stepOf(1, 1, 2), stepOf(2, 3, 4, 5)]
  assert.deepEqual(asked(1, steps, []), [{ step: 1, of: 2, have: 0, need: 1 }])
  assert.deepEqual(asked(1, steps, [2]), [])
  assert.deepEqual(asked(5, steps, [3]), [{ step: 2, of: 2, have: 1, need: 2 }])
  assert.deepEqual(asked(9, steps, []), [], 'who stands in no step')
})

test('a step that looks full asks for one more where somebody in it can move on', () => {
  const steps = [stepOf(1, 1, 2), stepOf(1, 2, 3)]
  assert.deepEqual(asked(1, steps, [2]), [{ step: 1, of: 2, have: 0, need: 1 }])
})

test('whoever is asked brings the order nearer, and whoever is not does not, however people and steps lie', () => {
  const people = fc.subarray([1, 2, 3, 4, 5, 6], { minLength: 1 })
  const step = people.chain((list) => fc.integer({ min: 1, max: list.length }).map((need) => stepOf(need, ...list)))
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), fc.subarray([1, 2, 3, 4, 5, 6]), fc.integer({ min: 1, max: 6 }), (steps, approved, person) => {
      fc.pre(!approved.includes(person))
      const missing = (list: number[]) => fillSteps(steps, list.map(idOf)).missing
      assert.equal(asked(person, steps, approved).length, missing([...approved, person]) < missing(approved) ? 1 : 0)
    }),
  )
})
