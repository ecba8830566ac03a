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

/** Every list of up to four steps that together need so many people at most: what needs more has no more places that six could fill. */
function everyNeed(most: number): number[][] {
  const longer = (needs: number[]): number[][] => {
    const left = most - needs.reduce((sum, need) => sum + need, 0)
    return needs.length === 4 ? [needs] : [needs, ...Array.from({ length: left }, (_, i) => longer([...needs, i + 1])).flat()]
  }
  return longer([]).filter((needs) => needs.length > 0)
}

/**
 * Tries every group of people by the steps that each of them may stand in, as a person is no more to a step than that. All ways to place the people so far are
 * kept side by side, each as how many stand in which step, three bits a step, so that the most places they fill is found by trying every way. Answers how many
 * groups it tried.
 */
function checkKinds(needs: readonly number[]): number {
  const given: { person: Uint8Array; steps: number }[] = []
  let groups = 0
  const tryFrom = (kind: number, ways: ReadonlySet<number>) => {
    groups++
    const steps = needs.map((need, at): Step => ({ need, eligible: given.filter((each) => (each.steps >> at) & 1).map(({ person }) => person) }))
    let most = 0
    for (const way of ways) most = Math.max(most, placed(way))
    const { missing } = fillSteps(
      steps,
      given.map(({ person }) => person),
    )
    if (neededIn(steps) - missing !== most) assert.fail(`${needs.join(', ')} needed of ${given.map((each) => each.steps.toString(2)).join(', ')}`)
    const person = people[given.length]
    if (!person) return
    for (let next = kind; next < 1 << needs.length; next++) {
      given.push({ person, steps: next })
      tryFrom(next, placedOnce(ways, next, needs))
      given.pop()
    }
  }
  // Whoever may stand in no step is nobody here.
  tryFrom(1, new Set([0]))
  return groups
}

const standing = (way: number, step: number) => (way >> (3 * step)) & 7
const placed = (way: number) => standing(way, 0) + standing(way, 1) + standing(way, 2) + standing(way, 3)

/** All ways that come of placing one more person, in a step with room that they may stand in, or in none. */
function placedOnce(ways: ReadonlySet<number>, kind: number, needs: readonly number[]): Set<number> {
  const next = new Set(ways)
  for (const way of ways) for (const [step, need] of needs.entries()) if ((kind >> step) & 1 && standing(way, step) < need) next.add(way + (1 << (3 * step)))
  return next
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

  it('and in every case of up to four steps and six people: whoever may stand in whichever steps, and whatever each step needs', () => {
    let cases = 0
    for (const needs of everyNeed(people.length)) cases += checkKinds(needs)
    // As many as there are kinds of people in up to six of them, for all that up to four steps can need of six.
    assert.equal(cases, 849_582)
  })

  it('and of steps that need more than there are, whatever the order of people', () => {
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
