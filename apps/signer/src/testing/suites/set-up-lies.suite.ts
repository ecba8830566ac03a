import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import type { PeerError } from '@holdfast/link'
import { SET_UP_NEEDED, type SessionRequest, sessionRequestShape, signatureResultShape } from '@holdfast/protocol'
import type { Policy } from '@holdfast/policy'
import { applyPolicy, cosignAll, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { changeEpoch, reshareRequest, setUpPairs, stageEpoch } from '../key-change-of.ts'
import { approvalsOf, draftOf, requestOf } from '../order-of.ts'
import { CHAIN, DAY_MS } from '../organisation-of.ts'
import { followedRecord, openNewcomer, replacementOf } from '../replace-signer.ts'
import { turnRogue } from '../rogue-peer.ts'
import { ann, ben, cleo } from '../world-of.ts'
import { INTERRUPTIONS_MAX } from '../../state/register.ts'

/** A lie, or a crash, costs a run and never the key. `get` gives the founded organisation, which exists once the tests run. */
export function setUpLiesSuite(get: () => Founded): void {
  const asked = (epoch: bigint) => ({ genesis: get().organisation.fingerprint, keyId: get().key.keyId, epoch })
  const lockedOf = async (office: Office, party: number) => (await office.calls.get(party)!.status({ genesis: asked(0n).genesis })).locked
  const pairSetup = (parties: readonly bigint[], epoch: bigint, salt: number) => ({
    kind: 'pairSetup' as const,
    ...asked(epoch),
    parties: [...parties],
    nonce: new Uint8Array(32).fill(salt),
  })
  const seedsOnDisk = async (office: Office, party: number, peer: number, epoch = 0n) => {
    const { nodePorts } = await import('@holdfast/ports/node')
    const files = await nodePorts.disk.list(`${office.root}/${party}/organisations/${toHex(asked(0n).genesis)}/vault`)
    return files.some((name) => name === `pair-seeds-${toHex(get().key.keyId)}-${epoch}-${peer}.sealed`)
  }
  let orders = 500

  async function signs(office: Office, epoch: bigint, parties: readonly bigint[], policy: Policy = get().organisation.policy): Promise<void> {
    const { organisation, key } = get()
    const salt = orders++
    const nowMs = office.time.nowMs
    const draft = draftOf({ fingerprint: organisation.fingerprint, policy, key, initiator: ann, salt, nonce: BigInt(salt), nowMs })
    const approvals = approvalsOf(draft, policy, [ben, cleo])
    const { request } = requestOf({ key: { ...key, epoch }, draft, approvals, log: office.log, parties: [...parties], salt })
    await cosignAll(office, office.log)
    const outcomes = await runSession(office.calls, request)
    const { signatures } = decode(signatureResultShape, resultOf(outcomes, Number(parties[0])))
    const made = signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
    assert.equal(codecFor(CHAIN)!.detach(codecFor(CHAIN)!.attach(request.unsigned, made).raw).from, draft.intent.from)
  }

  async function stage(office: Office, request: SessionRequest): Promise<void> {
    const outcomes = await runSession(office.calls, request)
    for (const party of PARTIES) resultOf(outcomes, party)
  }

  /** Signer 1 lies about what it saw, in the last round of a set-up. */
  async function lieInSetUp(office: Office, rogue: Awaited<ReturnType<typeof turnRogue>>, epoch: bigint, salt: number): Promise<void> {
    const outcomes = await runSession(office.calls, pairSetup([1n, 2n], epoch, salt), rogue.relay(3))
    const cause = outcomes.get(2) as PeerError
    assert.deepEqual([cause.kind, cause.check], ['cheat', 'c15'], cause.message)
    assert.match(cause.message, /party 1 failed the check/)
    assert.deepEqual(await lockedOf(office, 2), [])
  }

  describe('a lie in the set-up of a pair', () => {
    it('names who lied and locks nothing: the refresh goes on, and a repair after it', async (t) => {
      const office = await openOffice(t, get())
      const rogue = await turnRogue(office, 1)
      await stage(office, await reshareRequest(office))
      for (const salt of [1, 2]) await lieInSetUp(office, rogue, 1n, salt)
      await setUpPairs(office, asked(1n))
      const statements = await Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestEpoch(asked(1n))))
      for (const party of PARTIES) await office.calls.get(party)!.activateEpoch({ ...asked(1n), statements })
      await signs(office, 1n, [1n, 2n])

      await stage(office, await reshareRequest(office, { action: 'repair', dealers: [1n, 2n], fromEpoch: 1n, salt: 4 }))
      await lieInSetUp(office, rogue, 2n, 5)
      const again = await stageEpoch(office, await reshareRequest(office, { action: 'repair', dealers: [1n, 2n], fromEpoch: 1n, salt: 6 }))
      for (const party of PARTIES) await office.calls.get(party)!.activateEpoch({ ...asked(2n), statements: again })
      await signs(office, 2n, [1n, 2n])
    })

    it('that locked a staged epoch in a journal from before is forgotten with the next order, and with the one who lied', async (t) => {
      const office = await openOffice(t, get())
      const { policy: first } = get().organisation
      await stage(office, await reshareRequest(office))
      const lock = async () => {
        await journalOf(office, 2).write([{ kind: 'burned', keyId: get().key.keyId, epoch: 1n, peer: 1n, reason: 'a lie in a set-up' }])
        assert.equal((await lockedOf(office, 2)).length, 1)
      }
      await lock()
      await changeEpoch(office, { salt: 7 })
      assert.deepEqual(await lockedOf(office, 2), [])
      await signs(office, 1n, [1n, 2n])

      await journalOf(office, 2).write([{ kind: 'burned', keyId: get().key.keyId, epoch: 1n, peer: 1n, reason: 'a lie in a signature' }])
      const newcomer = await openNewcomer(t, office, 1)
      const change = replacementOf(get(), first, 1, newcomer.signKey)
      await applyPolicy(office.calls, asked(0n).genesis, change.record)
      newcomer.seat()
      await newcomer.calls.pinGenesis({ record: followedRecord(get(), [change]) })
      office.time.nowMs += 2 * DAY_MS
      assert.deepEqual(await lockedOf(office, 2), [])
      await changeEpoch(office, { action: 'repair', dealers: [2n, 3n], fromEpoch: 1n, policy: change.next, salt: 8 })
      for (const parties of [
        [1n, 2n],
        [2n, 3n],
      ])
        await signs(office, 2n, parties, change.next)
    })

    it('is told from one in a signature, which locks the pair in the epoch in use: no order for new shares that is not carried out takes that away', async (t) => {
      const office = await openOffice(t, get())
      const rogue = await turnRogue(office, 2)
      const outcomes = await runSession(office.calls, await office.request(), rogue.relay(2))
      assert.equal((outcomes.get(1) as PeerError).kind, 'cheat')
      assert.equal(await seedsOnDisk(office, 1, 2), false, 'what must never sign again is not kept')
      assert.equal(await seedsOnDisk(office, 1, 3), true)
      await stage(office, await reshareRequest(office))
      assert.equal((await lockedOf(office, 1)).length, 1)
      await restart(office, 1)
      assert.equal((await lockedOf(office, 1)).length, 1)
      const refused = { kind: 'refused', check: 'c15' }
      await assert.rejects(office.calls.get(1)!.openSession({ request: encode(sessionRequestShape, pairSetup([1n, 2n], 0n, 9)) }), refused)
    })

    it('leaves no set-up that counts for other shares: one made before the shares were made again has to be made again too', async (t) => {
      const office = await openOffice(t, get())
      await stage(office, await reshareRequest(office))
      await setUpPairs(office, asked(1n))
      await stage(office, await reshareRequest(office))
      for (const party of PARTIES) await assert.rejects(office.calls.get(party)!.attestEpoch(asked(1n)), /set up its pairs first/)
      await setUpPairs(office, asked(1n))
      for (const party of PARTIES) await office.calls.get(party)!.attestEpoch(asked(1n))
    })
  })

  describe('a session that ends as nobody foresaw', () => {
    it('locks the pair while an ECDSA signature is made, as a failed check would, and calls nobody a cheat', async (t) => {
      const office = await openOffice(t, get())
      const request = await office.request()
      const { options } = office.signers.get(1)!
      const codec = codecFor(CHAIN)!
      const broken = () => ({
        ...codec,
        attach: () => {
          throw new RangeError('planted')
        },
      })
      Object.assign(options, { codecFor: broken })
      const outcomes = await runSession(office.calls, request)
      Object.assign(options, { codecFor })
      const cause = outcomes.get(1) as PeerError
      assert.deepEqual([cause.kind, cause.check], ['fault', 'c15'])
      assert.match((await lockedOf(office, 1))[0]!.reason, /nobody foresaw .* planted/)
      assert.equal(await seedsOnDisk(office, 1, 2), false)
      await signs(office, 0n, [1n, 3n])
    })

    it('by a crash uses a set-up up after so many, and a new one is all it takes: no people, no new shares', async (t) => {
      const office = await openOffice(t, get())
      const crashes = Array.from({ length: INTERRUPTIONS_MAX + 1 }, (_, i) => {
        const requestHash = new Uint8Array(32).fill(100 + i)
        const about = { requestHash, keyId: get().key.keyId, epoch: 0n, parties: [1n, 2n], reservation: null }
        return [
          { kind: 'sessionOpened' as const, session: 'sign', ...about },
          { kind: 'sessionStarted' as const, requestHash, seen: [] },
          { kind: 'restarted' as const },
        ]
      })
      const journal = journalOf(office, 2)
      await journal.write(crashes.slice(0, INTERRUPTIONS_MAX).flat())
      await signs(office, 0n, [1n, 2n])
      await journal.write(crashes.slice(INTERRUPTIONS_MAX).flat())
      await restart(office, 2)
      const outcomes = await runSession(office.calls, await office.request({ parties: [1n, 2n] }))
      const cause = outcomes.get(2) as PeerError
      assert.deepEqual([cause.kind, cause.check], ['unavailable', SET_UP_NEEDED], cause.message)
      assert.deepEqual(await lockedOf(office, 2), [])
      await signs(office, 0n, [2n, 3n])
      const set = await runSession(office.calls, pairSetup([1n, 2n], 0n, 10))
      for (const party of [1, 2]) resultOf(set, party)
      await signs(office, 0n, [1n, 2n])
    })
  })
}
