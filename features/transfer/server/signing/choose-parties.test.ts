import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Attempt, boundParties, chooseParties, isAgainstOrder, isUnclear } from './choose-parties.ts'

const pair = fc.constantFrom<[number, number][]>([1, 2], [1, 3], [2, 3])
const attempt: fc.Arbitrary<Attempt> = fc.record({
  parties: pair,
  outcome: fc.constantFrom('signed' as const, 'refused' as const, 'unclear' as const, 'cheat' as const, null),
  party: fc.constantFrom(1, 2, 3),
  failed_check: fc.constantFrom('c1', 'c5', 'c9', 'c12'),
  handed_over_at: fc.constantFrom(null, 1n),
})
const parties = fc.subarray([1, 2, 3])

describe('the choice of signers', () => {
  it('asks two available signers, in order, and waits only if there are not two', () => {
    fc.assert(
      fc.property(parties, fc.array(attempt), parties, (usable, attempts, bound) => {
        const choice = chooseParties({ usable, attempts, bound: new Set(bound) })
        const free = usable.filter((party) => !bound.includes(party))
        if (bound.length > 1) return assert.equal(choice.kind, 'blocked')
        if (free.length < 2) return assert.equal(choice.kind, 'wait')
        assert.ok(choice.kind === 'parties' && choice.parties.every((party) => free.includes(party)) && choice.parties[0] < choice.parties[1])
      }),
    )
  })

  it('turns to another pair after a failure, and through all of them before the first again', () => {
    const failed = (...pairs: [number, number][]): Attempt[] =>
      pairs.map((each) => ({ parties: each, outcome: 'unclear', party: each[1], failed_check: null, handed_over_at: 1n }))
    const next = (attempts: Attempt[]) => chooseParties({ usable: [1, 2, 3], attempts, bound: new Set() })
    assert.deepEqual(next([]), { kind: 'parties', parties: [1, 2] })
    assert.deepEqual(next(failed([1, 2])), { kind: 'parties', parties: [1, 3] })
    assert.deepEqual(next(failed([1, 2], [1, 3])), { kind: 'parties', parties: [2, 3] })
    assert.deepEqual(next(failed([1, 2], [1, 3], [2, 3])), { kind: 'parties', parties: [1, 2] })
  })

  it('keeps signers away from a slot that they may have bound to an order that died in it', () => {
    const refusedAtOnce: Attempt = { parties: [1, 2], outcome: 'refused', party: 1, failed_check: 'c9', handed_over_at: null }
    const refusedAfterJoining: Attempt = { parties: [1, 2], outcome: 'refused', party: 1, failed_check: 'c12', handed_over_at: 1n }
    const unknown: Attempt = { parties: [1, 3], outcome: null, party: null, failed_check: null, handed_over_at: 1n }
    assert.deepEqual(boundParties([refusedAtOnce]), new Set())
    assert.deepEqual(boundParties([refusedAfterJoining]), new Set([2]))
    assert.deepEqual(boundParties([unknown]), new Set([1, 3]))
    assert.deepEqual(boundParties([{ ...unknown, outcome: 'unclear', handed_over_at: null }]), new Set())
  })

  it('fears a signature nobody saw only if signers were told to begin', () => {
    const ended = (outcome: Attempt['outcome'], handedOverAt: bigint | null): Attempt => ({
      parties: [1, 2],
      outcome,
      party: null,
      failed_check: null,
      handed_over_at: handedOverAt,
    })
    assert.deepEqual(
      (['signed', 'refused', 'unclear', 'cheat', null] as const).map((outcome) => [isUnclear(ended(outcome, 1n)), isUnclear(ended(outcome, null))]),
      [
        [false, false],
        [false, false],
        [true, false],
        [true, true],
        [true, false],
      ],
    )
  })

  it('lets a refusal end an order only if it is about the order', () => {
    for (const check of ['c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c13']) assert.equal(isAgainstOrder(check), true, check)
    for (const check of ['c1', 'c10', 'c11', 'c12', 'c15']) assert.equal(isAgainstOrder(check), false, check)
  })
})
