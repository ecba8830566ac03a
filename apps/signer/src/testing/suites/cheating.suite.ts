import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import { intentShape, type TransactionIntent } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { PROTOCOL } from '@holdfast/mpc'
import { requestHash as hashOfRequest, sessionId, sessionRequestShape, signatureResultShape, signatureStatementShape } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { JournalEvent } from '../../state/journal-events.ts'
import { gatherWords, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { COIN } from '../organisation-of.ts'
import { type Lie, turnRogue } from '../rogue-peer.ts'

/** Who has heard the half (w, u) of the other sends the w that makes s the opposite of what it would be. Both are the last 32-byte fields of a message. */
const oppositeOfTheSum: Lie = (body, heard) => {
  const at = body.length - 69
  const wOf = (message: Uint8Array) => BigInt(`0x${toHex(message.subarray(at, at + 32))}`)
  const { Fn } = secp256k1.Point
  const [own, theirs] = [wOf(body), wOf(heard!)]
  const lied = Uint8Array.from(body)
  lied.set(Fn.toBytes(Fn.neg(Fn.add(Fn.add(own, theirs), theirs))), at)
  return lied
}

const openedStatement = (result: Uint8Array) => decode(signatureStatementShape, decode(signatureResultShape, result).statement.message)
const intentOf = (encoded: Uint8Array) => decode(intentShape, encoded) as TransactionIntent

/** Whom the network takes for the payer by the signatures of a result. */
function payerOf(unsigned: Uint8Array, result: Uint8Array): string {
  const codec = codecFor(COIN.chain)!
  const signatures = decode(signatureResultShape, result).signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
  return codec.detach(codec.attach(unsigned, signatures).raw).from
}

/** What becomes of a peer that cheats. `get` gives the founded organisation, which exists once the tests run. */
export function cheatingSuite(get: () => Founded): void {
  const lockedOf = async (office: Office, party: number) => (await office.calls.get(party)!.status({ genesis: get().organisation.fingerprint })).locked

  describe('a peer that leaves the protocol', () => {
    for (const round of [1, 2, 3]) {
      it(`in round ${round} of signing is found out, and never signs with this signer again`, async (t) => {
        const office = await openOffice(t, get())
        const rogue = await turnRogue(office, 2)
        const outcomes = await runSession(office.calls, await office.request(), rogue.relay(round))
        const cause = outcomes.get(1) as PeerError
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

    it('and turns the signature into its opposite, having seen our half first, gains nothing: the other two finish the payment, and neither is named', async (t) => {
      const office = await openOffice(t, get())
      const rogue = await turnRogue(office, 1)
      const request = await office.request({ parties: [1n, 2n] })
      const outcomes = await runSession(office.calls, request, rogue.relay(3, oppositeOfTheSum))
      const cause = outcomes.get(2) as PeerError
      assert.deepEqual([cause.kind, cause.check], ['cheat', 'c15'], cause.message)
      assert.equal(journalOf(office, 2).register.signatures.size, 0, 'nothing wrong is kept')

      const finished = await runSession(office.calls, { ...request, parties: [2n, 3n], nonce: new Uint8Array(32).fill(1) })
      const { from } = intentOf(request.intent)
      for (const party of [2, 3]) assert.equal(payerOf(request.unsigned, resultOf(finished, party)), from)
      assert.deepEqual(await lockedOf(office, 3), [])
      assert.deepEqual(
        (await lockedOf(office, 2)).map(({ peer }) => peer),
        [1n],
      )
    })

    it('left a wrong recovery id in the journal of an honest signer before it was checked: that signer signs anew, and nobody is named', async (t) => {
      const office = await openOffice(t, get())
      const request = await office.request({ parties: [1n, 2n] })
      resultOf(await runSession(office.calls, request), 2)
      const journal = journalOf(office, 2)
      const [[, { r, s, recovery }]] = [...journal.register.signatures] as [[string, { r: Uint8Array; s: Uint8Array; recovery: bigint }]]
      const { intentHash, digests } = openedStatement(resultOf(await runSession(office.calls, { ...request, nonce: new Uint8Array(32).fill(2) }), 2))
      const path = intentOf(request.intent).path
      const signed = { kind: 'signed' as const, intentHash, keyId: request.keyId, path, digest: digests[0]! }
      await journal.write([{ ...signed, signature: { r, s, recovery: recovery ^ 1n } }])
      await restart(office, 2)
      const again = await runSession(office.calls, { ...request, parties: [2n, 3n], nonce: new Uint8Array(32).fill(3) })
      const { from } = intentOf(request.intent)
      for (const party of [2, 3]) assert.equal(payerOf(request.unsigned, resultOf(again, party)), from)
      for (const party of [2, 3]) assert.deepEqual(await lockedOf(office, party), [])
    })

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

    it('has no session go on that was ended while its beginning was written: its key is free, and no check could fail in it unwritten', async (t) => {
      const office = await openOffice(t, get())
      const request = await office.request()
      const requestHash = hashOfRequest(request)
      const joins = await Promise.all([1, 2].map((party) => office.calls.get(party)!.openSession({ request: encode(sessionRequestShape, request) })))
      const words = await gatherWords(office.calls, request.genesis, joins)
      const journal = journalOf(office, 1)
      const write = journal.write.bind(journal)
      let ending: Promise<unknown> | undefined
      t.mock.method(journal, 'write', (events: JournalEvent[]) => {
        const written = write(events)
        if (events.some(({ kind }) => kind === 'signingStarted')) ending = office.calls.get(1)!.endSession({ requestHash })
        return written
      })
      await assert.rejects(office.calls.get(1)!.startSession({ requestHash, joins, words }), { kind: 'unavailable' })
      await ending
      const session = sessionId(
        request.genesis,
        requestHash,
        joins.map(({ message }) => message),
      )
      await assert.rejects(office.calls.get(1)!.deliver({ session, envelopes: [] }), { kind: 'unavailable', message: /no such session/ })
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
      assert.equal((outcomes.get(1) as PeerError).kind, 'cheat')
      assert.equal(journalOf(office, 1).register.keys.size, 1)
      assert.deepEqual(await lockedOf(office, 1), [])
    })
  })
}
