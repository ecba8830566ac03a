import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Approval } from '@holdfast/intent'
import fc from 'fast-check'
import { CLOCK_TOLERANCE_MS, countedIn, faultOfFresh, faultOfMoment } from './approver-counters.ts'
import { applyEvent, Register } from './register.ts'
import { draftOf } from '../testing/order-of.ts'
import { NOW_MS } from '../testing/organisation-of.ts'
import { approve } from '../testing/people.ts'
import { acme, ann, ben, key } from '../testing/world-of.ts'

const { intent } = draftOf({ fingerprint: acme.fingerprint, policy: acme.policy, key, initiator: ann })
const MINUTE_MS = 60_000

/** An approval by Ben's passkey that says it was the `counter`-th, signed `atMs` after the order was made. */
const signed = (counter: number, atMs = 0, remark = ''): Approval =>
  approve(ben, { ...intent, remark }, acme.policy, { key: ben.keys[1], twist: { counter }, changes: { signedAtMs: BigInt(NOW_MS + atMs) } })

/** What a signer says that has heard these. */
function after(heard: readonly Approval[], nowMs = NOW_MS + 60 * MINUTE_MS) {
  const register = new Register()
  for (const event of countedIn(heard, register)) applyEvent(register, event, NOW_MS, 1)
  return { register, nowMs }
}

describe('the counter of a passkey', () => {
  it('that went back, or stood still, is refused in what was signed later: there are two of the passkey', () => {
    const view = after([signed(10)])
    for (const counter of [3, 10, 0]) assert.equal(faultOfMoment(signed(counter, 10 * MINUTE_MS), view), 'moment-copied-key', String(counter))
    assert.equal(faultOfMoment(signed(11, 10 * MINUTE_MS), view), undefined)
    assert.equal(faultOfMoment(signed(10, 0, 'another order'), view), 'moment-copied-key', 'one signature for two orders')
    assert.equal(faultOfMoment(signed(11, -10 * MINUTE_MS), view), 'moment-copied-key', 'the copy was the first to be heard')
  })

  it('of what comes straight from the passkey goes up each time, whatever time it says', () => {
    const view = after([signed(10)])
    for (const counter of [3, 10, 0]) assert.equal(faultOfFresh(signed(counter, -MINUTE_MS), view), 'moment-copied-key', String(counter))
    assert.equal(faultOfFresh(signed(11), view), undefined)
    assert.equal(faultOfFresh(signed(10), view), undefined, 'the same approval once more')
  })

  it('is the highest of those that one request shows, in whatever order they come, and an event of less does not take it back', () => {
    const [lower, higher] = [signed(5, 0, 'earlier'), signed(7, MINUTE_MS)]
    for (const heard of [
      [lower, higher],
      [higher, lower],
    ]) {
      const { register } = after(heard)
      assert.equal(countedIn(heard, new Register()).length, 1)
      for (const event of countedIn([lower], new Register())) applyEvent(register, event, NOW_MS, 1)
      assert.deepEqual(
        [...register.counters.values()].map(({ counter }) => counter),
        [7],
      )
    }
  })

  it('is none for passkeys and keys that do not count', () => {
    const device = approve(ben, intent, acme.policy)
    const view = after([signed(0), device])
    assert.equal(view.register.counters.size, 0)
    for (const each of [signed(0, MINUTE_MS), device, signed(1, MINUTE_MS)]) assert.equal(faultOfFresh(each, view), undefined)
  })

  it('refuses no honest approval, in whatever order a signer hears them', () => {
    const honest = fc.array(fc.integer({ min: 1, max: 40 * MINUTE_MS }), { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(honest, fc.infiniteStream(fc.nat()), (times, draws) => {
        const all = times.toSorted((a, b) => a - b).map((atMs, i) => signed(i + 1, atMs, String(i)))
        const shuffled = all.map((each) => ({ each, at: draws.next().value as number })).toSorted((a, b) => a.at - b.at)
        const register = new Register()
        for (const { each } of shuffled) {
          assert.equal(faultOfMoment(each, { register, nowMs: NOW_MS + 60 * MINUTE_MS }), undefined)
          for (const event of countedIn([each], register)) applyEvent(register, event, NOW_MS, 1)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('an approval from a time to come', () => {
  it('is refused beyond what clocks may differ', () => {
    const view = after([], NOW_MS)
    assert.equal(faultOfMoment(signed(0, CLOCK_TOLERANCE_MS), view), undefined)
    assert.equal(faultOfMoment(signed(0, CLOCK_TOLERANCE_MS + 1), view), 'moment-to-come')
  })
})
