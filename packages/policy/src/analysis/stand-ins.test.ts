import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalBytes } from '@holdfast/encoding'
import fc from 'fast-check'
import { fillBySeats, type Step, stepsFor } from '../evaluate/steps.ts'
import { approveBy, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { member } from '../testing/sample-organisation.ts'
import { withDeputies } from '../people/deputies.ts'
import { isAmong } from '../people/is-among.ts'
import { seatsThere, type StandIn, standInsUnder } from './stand-ins.ts'

const people = [0, 1, 2, 3, 4].map((number) => member(number))
const ids = people.map(({ id }) => id)
const some = fc.subarray([0, 1, 2, 3, 4])
const idsOf = (numbers: readonly number[]) => numbers.map((each) => ids[each]!)
const steps = fc.array(fc.record({ need: fc.integer({ min: 1, max: 2 }), eligible: some.map(idsOf) }), { minLength: 1, maxLength: 3 })
/** Whom each person has named, if anybody but themselves. */
const named = fc
  .tuple(...people.map(() => fc.option(fc.integer({ min: 0, max: 4 }))))
  .map((all) => all.flatMap((to, from): StandIn[] => (to === null || to === from ? [] : [{ delegator: ids[from]!, delegate: ids[to]! }])))

/** ADR 53 word for word: whether the humans can be given a seat each, their own or that of one who named them, so that all steps are full. */
function canBeMet(all: readonly Step[], humans: readonly Uint8Array[], may: (human: Uint8Array, seat: Uint8Array) => boolean): boolean {
  const places = all.flatMap(({ need, eligible }) => Array.from({ length: need }, () => eligible))
  const fill = (at: number, spoken: readonly Uint8Array[], taken: readonly Uint8Array[]): boolean => {
    const eligible = places[at]
    if (!eligible) return true
    return eligible.some(
      (seat) =>
        !isAmong(taken, seat) && humans.some((human) => !isAmong(spoken, human) && may(human, seat) && fill(at + 1, [...spoken, human], [...taken, seat])),
    )
  }
  return fill(0, [], [])
}

test('an order can be approved by those who are there and for whom they decide exactly where the rules of words for others let it be', () => {
  fc.assert(
    fc.property(steps, some, named, fc.integer({ min: 0, max: 4 }), (made, numbers, standIns, by) => {
      const [there, asker] = [idsOf(numbers), ids[by]!]
      const open = stepsFor(made, [asker])
      const may = (human: Uint8Array, seat: Uint8Array) => {
        if (equalBytes(human, seat)) return true
        const isGiven = standIns.some(({ delegator, delegate }) => equalBytes(delegator, seat) && equalBytes(delegate, human))
        return isGiven && !isAmong(there, seat) && !equalBytes(human, asker) && !equalBytes(seat, asker)
      }
      assert.equal(fillBySeats(open, seatsThere(there, standIns, asker)).missing === 0, canBeMet(open, there, may))
    }),
    { numRuns: 3_000 },
  )
})

test('whom a policy lets stand in are those that it names for it, for people that it knows', () => {
  const [ann, ben, cleo] = people
  const rules = [namedRule('all', { action: approveBy([{ need: 1n, who: [personOf(cleo!)] }]) })]
  const policy = withDeputies(thirdForm([ann!, ben!, cleo!], { rules }), [personOf(ben!)])
  const of = (delegator: number, delegate: number) => ({ delegator: ids[delegator]!, delegate: ids[delegate]! })
  assert.deepEqual(standInsUnder(policy, [of(2, 1), of(2, 0), of(3, 1)]), [of(2, 1)])
  assert.deepEqual(standInsUnder(withDeputies(policy, []), [of(2, 1)]), [], 'nobody may')
})
