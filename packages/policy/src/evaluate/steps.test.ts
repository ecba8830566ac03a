import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { equalBytes } from '@holdfast/encoding'
import fc from 'fast-check'
import { eligibleIn, fillSteps, neededIn, type Step, stepsFor } from './steps.ts'

const people = [0, 1, 2, 3, 4, 5].map((n) => new Uint8Array(16).fill(n))
const subset = (bits: number) => people.filter((_, i) => (bits >> i) & 1)

/** The most places that people can fill, by trying every one of them in every step and in none. */
function mostFilled(steps: readonly Step[], given: readonly Uint8Array[]): number {
  const [person, ...others] = given
  if (!person) return 0
  const rest = mostFilled(steps, others)
  const placed = steps.flatMap((step, i) => {
    if (step.need === 0 || !step.eligible.some((id) => equalBytes(id, person))) return []
    return [1 + mostFilled(steps.with(i, { ...step, need: step.need - 1 }), others)]
  })
  return Math.max(rest, ...placed)
}

function checkAll(steps: readonly Step[], given: readonly Uint8Array[]): void {
  const { filled, missing } = fillSteps(steps, given)
  assert.equal(missing, neededIn(steps) - mostFilled(steps, given))
  const placed = filled.flat()
  assert.equal(new Set(placed.map(String)).size, placed.length, 'one person counts in one step only')
  filled.forEach((inside, i) => {
    assert.ok(inside.length <= steps[i]!.need)
    for (const id of inside) assert.ok(steps[i]!.eligible.includes(id) && given.includes(id))
  })
}

describe('steps', () => {
  it('are filled as a search of every spread would fill them: all of two steps and four people', () => {
    for (let a = 0; a < 16; a++)
      for (let b = 0; b < 16; b++)
        for (let given = 0; given < 16; given++)
          for (const [one, two] of [
            [1, 1],
            [2, 1],
            [1, 2],
            [2, 2],
          ] as const)
            checkAll(
              [
                { need: one, eligible: subset(a) },
                { need: two, eligible: subset(b) },
              ],
              subset(given),
            )
  })

  it('and of up to four steps and six people, whatever their order', () => {
    const step = fc.record({ need: fc.integer({ min: 1, max: 3 }), eligible: fc.integer({ min: 0, max: 63 }).map(subset) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), fc.shuffledSubarray(people), (steps, given) => checkAll(steps, given)),
      { numRuns: 3000 },
    )
  })

  it('count nobody twice who is named twice, and know everybody who counts once', () => {
    const [ann, ben] = people as [Uint8Array, Uint8Array]
    const steps = [
      { need: 1, eligible: [ann, ben] },
      { need: 1, eligible: [ann] },
    ]
    assert.equal(fillSteps(steps, [ann, ann]).missing, 1)
    assert.deepEqual(fillSteps(steps, [ann, ben]).filled, [[ben], [ann]])
    assert.deepEqual(eligibleIn(steps), [ann, ben])
    assert.deepEqual(stepsFor(steps, [ann]), [
      { need: 1, eligible: [ben] },
      { need: 1, eligible: [] },
    ])
  })
})
