import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { encode } from '@holdfast/encoding'
import { freezeShape, intentHash, type StandingOrderIntent, STOPPED_MAX } from '@holdfast/intent'
import { followStandingOrder } from '@holdfast/policy'
import { Log } from '../../testing/log-of.ts'
import { OTHER_ADDRESS } from '../../testing/order-of.ts'
import { CHAIN, COIN, NOW_MS, TOKEN } from '../../testing/organisation-of.ts'
import { assertWith } from '../../testing/people.ts'
import { standingOrderOf } from '../../testing/standing-order-of.ts'
import { acme, ben, checkOf, registerOf } from '../../testing/world-of.ts'
import { checkStandingOrder } from './kept.ts'

/** What a signer that follows `before` says of a standing order that it is to follow. */
function verdictOf(order: StandingOrderIntent, before: readonly StandingOrderIntent[] = [], { isFrozen = false, canRead = true } = {}): string {
  const register = registerOf(acme, new Log(acme.fingerprint))
  for (const each of before) followStandingOrder(register.standingOrders, each, { hash: intentHash(each), sinceMs: NOW_MS })
  const statement = { genesis: acme.fingerprint, person: ben.person.id, atMs: 1n, nonce: new Uint8Array(32), reason: '' }
  if (isFrozen) register.freezes.set('00', encode(freezeShape, { statement, assertion: assertWith(ben.keys[0], new Uint8Array(32)) }))
  const view = { party: 1, register, nowMs: NOW_MS, codecFor: canRead ? codecFor : () => undefined }
  return checkOf(() => checkStandingOrder(order, view))
}

describe('a standing order that a signer is to keep', () => {
  it('takes the place of older versions only, and is kept once', () => {
    const of = (version: bigint, name = 'Collect') => standingOrderOf({ version, name })
    assert.equal(verdictOf(of(1n)), 'signed')
    assert.equal(verdictOf(of(2n), [of(1n)]), 'signed')
    assert.equal(verdictOf(of(7n), [of(1n)]), 'signed', 'what is between them may never have been approved')
    assert.equal(verdictOf(of(2n), [of(2n)]), 'signed', 'asked for again')
    assert.equal(verdictOf(of(1n), [of(2n)]), 'c10')
    assert.equal(verdictOf(of(2n, 'Other'), [of(2n)]), 'c10')
  })

  it('finds room, or is refused before those that are kept suffer', () => {
    const many = Array.from({ length: STOPPED_MAX }, (_, i) => standingOrderOf({ id: new Uint8Array(16).fill(i) }))
    const one = standingOrderOf({ id: Uint8Array.from({ length: 16 }, (_, i) => i) })
    assert.equal(verdictOf(one, many.slice(1)), 'signed')
    assert.equal(verdictOf(one, many), 'c10')
    assert.equal(verdictOf({ ...many[4]!, version: 2n }, many), 'signed', 'a newer version needs none')
  })

  it('names assets and fees as the policy does, and addresses as their networks do', () => {
    const [coins, tokens] = standingOrderOf().assets
    const asset = { ...TOKEN, decimals: 18n }
    assert.equal(verdictOf(standingOrderOf({ assets: [coins!, { ...tokens!, asset }] })), 'c4')
    assert.equal(verdictOf(standingOrderOf({ assets: [coins!, { ...tokens!, asset: { ...TOKEN, symbol: 'USDT' } }] })), 'c4')
    assert.equal(verdictOf(standingOrderOf({ assets: [coins!, { ...tokens!, asset: { ...TOKEN, contract: OTHER_ADDRESS } }] })), 'c4')
    assert.equal(verdictOf(standingOrderOf({ fees: [{ asset: { ...COIN, decimals: 9n }, max: 1n, maxShare: 1n }] })), 'c4')
    assert.equal(verdictOf(standingOrderOf(), [], { canRead: false }), 'c4')
    assert.equal(verdictOf(standingOrderOf({ never: [OTHER_ADDRESS] })), 'signed')
    assert.equal(verdictOf(standingOrderOf({ never: [OTHER_ADDRESS.toLowerCase()] })), 'c4', 'in another spelling it would bar nobody')
    const listed = (address: string) => standingOrderOf({ does: { kind: 'sweep', to: [{ kind: 'listed', chain: CHAIN, address, memo: null }] } })
    assert.equal(verdictOf(listed(OTHER_ADDRESS)), 'signed')
    assert.equal(verdictOf(listed(OTHER_ADDRESS.toLowerCase())), 'c4')
  })

  it('is not begun while everything is frozen, but one that others followed in their time is', () => {
    assert.equal(verdictOf(standingOrderOf(), [], { isFrozen: true }), 'c6')
    assert.equal(verdictOf(standingOrderOf(), [standingOrderOf()], { isFrozen: true }), 'signed', 'it is kept already')
    const late = standingOrderOf({ notBeforeMs: BigInt(NOW_MS - 2), expiresAtMs: BigInt(NOW_MS - 1) })
    assert.equal(verdictOf(late, [], { isFrozen: true }), 'signed')
  })
})
