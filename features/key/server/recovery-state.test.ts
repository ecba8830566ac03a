import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FROST_ED25519, FROST_TAPROOT, PROTOCOL } from '@holdfast/mpc'
import fc from 'fast-check'
import { DRILL_INTERVAL_MS, type KeyRecovery, recoveryOfWallet, recoveryOn, recoveryStateOf } from './recovery-state.ts'

const NOW_MS = 2 * DRILL_INTERVAL_MS
const standing = fc
  .record({
    usable: fc.boolean(),
    written: fc.boolean(),
    verifiedAtMs: fc.option(fc.integer({ min: 0, max: NOW_MS })),
  })
  .map((key) => recoveryStateOf({ epoch: 0n, ...key }, NOW_MS))
const keyOf = (protocol: string) => standing.map((state): KeyRecovery => ({ ...state, protocol, keyId: new Uint8Array(32) }))

describe('the recovery of a wallet with several keys', () => {
  it('is on a network that of the key which signs there, and where no key does nothing is open', () => {
    fc.assert(
      fc.property(keyOf(PROTOCOL), keyOf(FROST_ED25519), (ecdsa, ed25519) => {
        const keys = [ecdsa, ed25519]
        assert.deepEqual([recoveryOn('eip155:1', keys), recoveryOn('ton:-239', keys)], keys)
        const { depositsOpen, provenBeforeMs } = recoveryOn('ton:-239', [ecdsa])
        assert.deepEqual([depositsOpen, provenBeforeMs, recoveryOn('eip155:1', []).depositsOpen], [false, null, false])
      }),
    )
  })

  it('is as a whole no better than that of any key in use, in whatever order they stand', () => {
    const keys = fc.tuple(keyOf(PROTOCOL), keyOf(FROST_ED25519), keyOf(FROST_TAPROOT)).chain((all) => fc.subarray(all, { minLength: 1 }))
    fc.assert(
      fc.property(keys, (inUse) => {
        const whole = recoveryOfWallet(inUse)
        assert.deepEqual(recoveryOfWallet(inUse.toReversed()), whole.epoch === 0n ? whole : undefined)
        assert.equal(
          whole.depositsOpen,
          inUse.every(({ depositsOpen }) => depositsOpen),
        )
        assert.equal(
          whole.overdue,
          inUse.some(({ overdue }) => overdue),
        )
        assert.equal(
          whole.state === 'verified',
          inUse.every(({ state }) => state === 'verified'),
        )
        assert.equal(
          whole.nextDrillAtMs !== null,
          inUse.every(({ nextDrillAtMs }) => nextDrillAtMs !== null),
        )
      }),
    )
  })

  it('is not held up by a key that is retired, and is retired once all are', () => {
    fc.assert(
      fc.property(keyOf(PROTOCOL), keyOf(FROST_ED25519), (inUse, other) => {
        const out = { ...other, retired: true, depositsOpen: false }
        assert.equal(recoveryOfWallet([out, inUse]).depositsOpen, inUse.depositsOpen)
        assert.deepEqual([recoveryOfWallet([out, inUse]).retired, recoveryOfWallet([out, out]).retired], [false, true])
      }),
    )
    assert.equal(recoveryOfWallet([]).depositsOpen, false)
  })
})
