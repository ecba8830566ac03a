import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PayoutIntent } from '@holdfast/intent'
import { type Asks, COUNTS_MAX, joinShape, type SignRequest, signMessage } from '@holdfast/protocol'
import { Log } from './testing/log-of.ts'
import { draftOf } from './testing/order-of.ts'
import { DAY_MS, NOW_MS } from './testing/organisation-of.ts'
import { acme, ann, checkOf, key, registerOf, signSecrets } from './testing/world-of.ts'
import { joinAs } from './checks/freshness.ts'
import type { SignOrder } from './checks/verify.ts'
import { reservationOf } from './checks/verify-reservation.ts'
import { asksOf, wordOn } from './checks/words.ts'

const { policy, fingerprint } = acme
const register = registerOf(acme, new Log(fingerprint))
const standingOf = (party: number) => ({ party, fingerprint, register, journal: { position: 0, markAt: () => 0 } })

/** What signers ask about a payout to so many, each of which counts under several limits for a destination. */
function asksAbout(recipients: number, limits: number): Asks {
  const { intent: single } = draftOf({ fingerprint, policy, key, initiator: ann })
  const outputs = Array.from({ length: recipients }, (_, i) => ({ to: `0x${String(i).padStart(40, 'f')}`, amount: 1n }))
  const payment: PayoutIntent = { ...single, kind: 'payout', to: outputs[0]!.to, outputs, amount: BigInt(recipients) }
  const each = { each: 'destination' as const, lengthMs: BigInt(DAY_MS), maxCount: null, maxCents: null, maxOf: () => BigInt(recipients) }
  const needs = { rule: { ...policy.rules[0]!, id: 'r'.repeat(36) }, limits: Array.from({ length: limits }, () => each) } as unknown as SignOrder['needs']
  const effects = { chain: single.asset.chain, slot: '1', feeMax: 1n } as unknown as SignOrder['effects']
  const reservation = reservationOf({ unsigned: new Uint8Array() } as SignRequest, { intent: payment, payment, effects, needs }, policy)
  return asksOf({ intent: payment, decided: payment, reservation, needs, standingOrder: null }, policy, NOW_MS)
}

/** The third signer's word on what the two others ask. */
function wordOf(asks: Asks) {
  const joins = [1, 2].map((party) => {
    // What a journal gives beside this a word does not ask for.
    const own = standingOf(party) as unknown as Parameters<typeof joinAs>[0]
    const drawn = { requestHash: new Uint8Array(32), random: new Uint8Array(32), ephemeralKey: new Uint8Array(32) }
    return signMessage(joinShape, joinAs(own, { ...drawn, asks }), BigInt(party), signSecrets[party - 1]!)
  })
  return wordOn(standingOf(3), joins, NOW_MS)
}

describe('a word', () => {
  for (const [recipients, limits] of [
    [30, 1],
    [100, 1],
    [64, 4],
  ] as const) {
    it(`is given on an order that pays ${recipients} and is counted ${recipients * limits} times`, () => {
      const asks = asksAbout(recipients, limits)
      assert.equal(asks.counts.length, recipients * limits)
      assert.equal(wordOf(asks).counted.length, recipients * limits)
    })
  }

  it('is asked for by nobody where the order is counted more often than a word can say', () => {
    assert.equal(
      checkOf(() => asksAbout(Math.floor(COUNTS_MAX / 4) + 1, 4)),
      'c9',
    )
  })
})
