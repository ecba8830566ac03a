import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from '@holdfast/encoding'
import type { CallError } from '@holdfast/link'
import { PROTOCOL } from '@holdfast/mpc'
import { sessionRequestShape } from '@holdfast/protocol'
import { restart, resultOf, runSession } from './testing/cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from './testing/founded-cluster.ts'
import { turnRogue } from './testing/rogue-peer.ts'

/** What becomes of a peer that cheats. `get` gives the founded organisation, which exists once the tests run. */
export function cheatingSuite(get: () => Founded): void {
  const lockedOf = async (office: Office, party: number) => (await office.calls.get(party)!.status({ genesis: get().organisation.fingerprint })).locked

  describe('a peer that leaves the protocol', () => {
    for (const round of [1, 2, 3]) {
      it(`in round ${round} of signing is found out, and never signs with this signer again`, async (t) => {
        const office = await openOffice(t, get())
        const rogue = await turnRogue(office, 2)
        const outcomes = await runSession(office.calls, await office.request(), rogue.relay(round))
        const cause = outcomes.get(1) as CallError
        assert.deepEqual([cause.kind, cause.check], ['cheat', 'c15'], cause.message)
        assert.deepEqual(
          (await lockedOf(office, 1)).map(({ peer, epoch }) => [peer, epoch]),
          [[2n, 0n]],
        )

        const again = await office.request()
        for (const attempt of [
          again,
          { kind: 'pairSetup' as const, genesis: again.genesis, keyId: again.keyId, epoch: 0n, parties: [1n, 2n], nonce: again.nonce },
        ]) {
          await assert.rejects(office.calls.get(1)!.openSession({ request: encode(sessionRequestShape, attempt) }), { kind: 'refused', check: 'c15' })
        }
        await restart(office, 1)
        await assert.rejects(office.calls.get(1)!.openSession({ request: encode(sessionRequestShape, await office.request()) }), {
          kind: 'refused',
          check: 'c15',
        })
        assert.ok(resultOf(await runSession(office.calls, await office.request({ parties: [1n, 3n] })), 1), 'the honest pair goes on')
      })
    }

    it('is locked out on disk before anybody hears of it', async (t) => {
      const office = await openOffice(t, get())
      const rogue = await turnRogue(office, 2)
      const calls = new Map(office.calls)
      let burnedWhenAnswered: boolean | null = null
      const honest = calls.get(1)!
      calls.set(1, {
        ...honest,
        deliver: (asked) =>
          honest.deliver(asked).catch(async (cause: unknown) => {
            // A crash at this very moment: what a new start reads is what the disk held when the answer left.
            await restart(office, 1)
            burnedWhenAnswered = journalOf(office, 1).register.burns.size === 1
            throw cause
          }),
      })
      await runSession(calls, await office.request(), rogue.relay(2))
      assert.equal(burnedWhenAnswered, true)
    })

    it('while a key is made leaves no key behind', async (t) => {
      const office = await openOffice(t, get())
      const rogue = await turnRogue(office, 2)
      const keyId = new Uint8Array(32).fill(8)
      const request = {
        kind: 'generateKey' as const,
        protocol: PROTOCOL,
        genesis: get().organisation.fingerprint,
        keyId,
        epoch: 0n,
        parties: [1n, 2n, 3n],
        purpose: 'payments',
        nonce: keyId,
      }
      const relay = rogue.relay(4)
      const outcomes = await runSession(office.calls, request, relay)
      assert.equal((outcomes.get(1) as CallError).kind, 'cheat')
      assert.equal(journalOf(office, 1).register.keys.size, 1)
      assert.deepEqual(await lockedOf(office, 1), [])
    })
  })
}
