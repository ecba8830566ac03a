import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, toHex } from '@holdfast/encoding'
import { intentHash, intentShape } from '@holdfast/intent'
import { sha256 } from '@noble/hashes/sha2.js'
import { Refused } from './checks/refused.ts'
import { applyEvent, type Register } from './state/register.ts'
import { DAY_MS, NOW_MS } from './testing/organisation-of.ts'
import { type Attempt, attemptOf, type Hooks } from './testing/world-of.ts'
import { verifySignRequest } from './checks/verify.ts'

const opened = (requestHash: Uint8Array, reservation: ReturnType<typeof verifySignRequest>['reservation']) => ({
  kind: 'sessionOpened' as const,
  requestHash,
  session: 'sign',
  keyId: new Uint8Array(32),
  epoch: 0n,
  parties: [1n, 2n],
  reservation,
})
const hash = (name: string) => sha256(new TextEncoder().encode(name))

/** A register in which an order of `expiresAtMs` may have been signed: a message of the protocol left for it. */
function boundTo(register: Register, attempt: Attempt, expiresAtMs: bigint): string {
  const { reservation } = verifySignRequest(attempt.request, attempt.view)
  assert.ok(reservation.kind === 'told')
  applyEvent(register, opened(hash('first'), { ...reservation, intentHash: hash('dead order'), expiresAtMs }), NOW_MS, 1)
  applyEvent(register, { kind: 'sessionStarted', requestHash: hash('first'), seen: [] }, NOW_MS, 1)
  return `${reservation.chain}|${reservation.from}|${reservation.slot}`
}

describe('the slot of an order that was cut off', () => {
  const past = BigInt(NOW_MS - 1)
  const attempt = (expiresAtMs: bigint, hooks: Hooks = {}) => {
    const plain = attemptOf()
    const made = attemptOf(hooks)
    const slotKey = boundTo(plain.view.register, plain, expiresAtMs)
    for (const [order, binding] of plain.view.register.bindings) made.view.register.bindings.set(order, binding)
    for (const [slot, order] of plain.view.register.slots) made.view.register.slots.set(slot, order)
    return { made, slotKey }
  }
  const verify = ({ made }: { made: Attempt }) => verifySignRequest(made.request, made.view)
  const refused = (words: RegExp) => (cause: unknown) => cause instanceof Refused && cause.check === 'c10' && words.test(cause.message)

  it('is taken by a new order for the very same bytes once the old one can be signed no more', () => {
    assert.ok(verify(attempt(past)))
    assert.throws(() => verify(attempt(BigInt(NOW_MS + DAY_MS))), refused(/is bound to order [0-9a-f]+$/), 'the old order is alive')
    const other = { transaction: () => ({ maxFeePerGas: 31_000_000_000n }) }
    assert.throws(() => verify(attempt(past, other)), refused(/only a new order for the same bytes/), 'another fee is another transaction')
  })

  it('goes back to the old order where nothing was sent for the new one', () => {
    const { made, slotKey } = attempt(past)
    const { register } = made.view
    const { reservation } = verify({ made })
    applyEvent(register, opened(hash('second'), reservation), NOW_MS, 1)
    assert.equal(register.slots.get(slotKey), toHex(intentHash(decode(intentShape, made.request.intent))))
    applyEvent(register, { kind: 'sessionEnded', requestHash: hash('second'), outcome: 'ended', reason: '' }, NOW_MS, 1)
    assert.equal(register.slots.get(slotKey), toHex(hash('dead order')))
    assert.throws(() => verify(attempt(past, { transaction: () => ({ maxFeePerGas: 31_000_000_000n }) })), refused(/same bytes/))
  })
})
