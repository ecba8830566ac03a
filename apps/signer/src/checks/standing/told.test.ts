import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { intentHash, type StandingOrderIntent } from '@holdfast/intent'
import { followStandingOrder } from '@holdfast/policy'
import { NOW_MS } from '../../testing/organisation-of.ts'
import { STANDING_ID, standingOrderOf } from '../../testing/standing-order-of.ts'
import { ben, cleo, outsider } from '../../testing/world-of.ts'
import { applyEvent, Register } from '../../state/register.ts'
import { Refused } from '../refused.ts'
import { checkSameStandingOrder, standingOrderHere, stopHeard } from './told.ts'

const registerWith = (...orders: StandingOrderIntent[]): Register => {
  const register = new Register()
  for (const order of orders) followStandingOrder(register.standingOrders, order, { hash: intentHash(order), sinceMs: NOW_MS })
  return register
}
const stoppedBy = (person: Uint8Array | null, order = standingOrderOf()) => ({ version: order.version, hash: intentHash(order), stoppedBy: person })

describe('what a signer says of a standing order', () => {
  it('is the newest version that it follows and who stopped it, and nothing of one that it does not follow', () => {
    const [first, second] = [standingOrderOf(), standingOrderOf({ version: 2n })]
    const register = registerWith(first, second)
    assert.deepEqual(standingOrderHere(register, STANDING_ID), stoppedBy(null, second))
    applyEvent(register, { kind: 'standingOrdersStopped', person: ben.person.id, orders: [{ id: STANDING_ID, version: 2n }] }, NOW_MS, 1)
    assert.deepEqual(standingOrderHere(register, STANDING_ID), stoppedBy(ben.person.id, second))
    assert.equal(standingOrderHere(register, new Uint8Array(16)), null)
    assert.equal(standingOrderHere(register, null), null)
  })
})

describe('what a signer hears of a standing order', () => {
  const heard = (told: ReturnType<typeof stoppedBy> | null, register = registerWith(standingOrderOf())) =>
    checkSameStandingOrder(register, STANDING_ID, 3, told)
  const refused = (words: RegExp) => (cause: unknown) => cause instanceof Refused && cause.check === 'c12' && words.test(cause.message)

  it('lets it go on by the same version, by an older one, and by none', () => {
    heard(null)
    heard(stoppedBy(null))
    heard(stoppedBy(null), registerWith(standingOrderOf({ version: 2n })))
  })

  it('stops it where another has a newer version, or another order of the same version', () => {
    assert.throws(() => heard(stoppedBy(null, standingOrderOf({ version: 2n }))), refused(/version 2 .* this signer 1/))
    assert.throws(() => heard(stoppedBy(null, standingOrderOf({ name: 'Other' }))), refused(/another standing order of version 1/))
  })

  it('that somebody stopped it, it keeps, also if they have left the organisation since', () => {
    for (const { person } of [ben, outsider]) {
      const register = registerWith(standingOrderOf())
      const events = stopHeard(register, STANDING_ID, stoppedBy(person.id))
      assert.equal(events.length, 1)
      for (const event of events) applyEvent(register, event, NOW_MS, 1)
      assert.deepEqual(standingOrderHere(register, STANDING_ID), stoppedBy(person.id))
      assert.deepEqual(stopHeard(register, STANDING_ID, stoppedBy(cleo.person.id)), [], 'the first who did so stays')
    }
  })

  it('of the stop of another version, or of an order that nobody asks about, it keeps nothing', () => {
    const newer = registerWith(standingOrderOf({ version: 2n }))
    assert.deepEqual(stopHeard(newer, STANDING_ID, stoppedBy(ben.person.id)), [])
    assert.deepEqual(stopHeard(newer, null, stoppedBy(ben.person.id, standingOrderOf({ version: 2n }))), [])
    assert.deepEqual(stopHeard(newer, STANDING_ID, stoppedBy(null, standingOrderOf({ version: 2n }))), [])
    assert.deepEqual(stopHeard(newer, STANDING_ID, null), [])
  })
})
