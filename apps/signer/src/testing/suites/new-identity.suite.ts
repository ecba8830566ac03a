import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-registry/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import { intentHash } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { type Policy, signersOf } from '@holdfast/policy'
import {
  EvidenceRefused,
  evidenceShape,
  joinShape,
  openSigned,
  requestHash,
  retiredStatementShape,
  signatureResultShape,
  type Signed,
  signMessage,
  type SignRequest,
  verifyEvidence,
} from '@holdfast/protocol'
import type { SignerCalls } from '../../calls/calls.ts'
import { applyPolicy, cosignAll, endorsementsOf, followKeyOrder, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'
import { changeEpoch, reshareRequest, stageEpoch } from '../key-change-of.ts'
import { keyOrderOf } from '../key-order-of.ts'
import { approvalsOf, draftOf, requestOf } from '../order-of.ts'
import { CHAIN, DAY_MS } from '../organisation-of.ts'
import { followedRecord, openNewcomer, replacementOf } from '../replace-signer.ts'
import { ann, ben, cleo } from '../world-of.ts'

/** A signer with a new identity takes the place of another. `get` gives the founded organisation, which exists once the tests run. */
export function newIdentitySuite(get: () => Founded): void {
  const refused = (check: string, words: RegExp) => (cause: PeerError) => {
    assert.deepEqual([cause.kind, cause.check], ['refused', check], cause.message)
    assert.match(cause.message, words)
    return true
  }
  const asked = (epoch: bigint) => ({ genesis: get().organisation.fingerprint, keyId: get().key.keyId, epoch })
  const apply = (office: Office, { record }: { record: Uint8Array }, party: number) =>
    applyPolicy(office.calls, get().organisation.fingerprint, record, [party])
  let orders = 100

  /** An order under a version of the policy, with the lines of whoever cosigns the log. */
  async function orderUnder(
    office: Office,
    policy: Policy,
    epoch: bigint,
    parties: number[],
  ): Promise<{ request: { kind: 'sign' } & SignRequest; lines: string[] }> {
    const { organisation, key } = get()
    const salt = orders++
    const nowMs = office.time.nowMs
    const draft = draftOf({ fingerprint: organisation.fingerprint, policy, key, initiator: ann, salt, nonce: BigInt(salt), nowMs })
    const approvals = approvalsOf(draft, policy, [ben, cleo])
    const { request } = requestOf({ key: { ...key, epoch }, draft, approvals, log: office.log, parties: parties.map(BigInt), salt })
    return { request, lines: await cosignAll(office, office.log, parties) }
  }

  /** Signs an order and puts the evidence of it together, as a server does. */
  async function evidenceOf(office: Office, policy: Policy, changes: { record: Uint8Array }[], epoch: bigint, parties: number[], keyStatements: Signed[]) {
    const { request, lines } = await orderUnder(office, policy, epoch, parties)
    const outcomes = await runSession(office.calls, request)
    const results = parties.map((party) => decode(signatureResultShape, resultOf(outcomes, party)))
    const signatures = results[0]!.signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
    return {
      kind: 'witnessed' as const,
      genesisRecord: get().organisation.record,
      policyChanges: changes.map(({ record }) => record),
      intent: request.intent,
      approvals: request.approvals,
      raw: codecFor(CHAIN)!.attach(request.unsigned, signatures).raw,
      keyStatements,
      signatureStatements: results.map(({ statement }) => statement),
      checkpoint: office.log.note(lines),
      logged: request.logged,
      words: [],
      absence: null,
    }
  }
  const verify = (evidence: Awaited<ReturnType<typeof evidenceOf>>) =>
    verifyEvidence(encode(evidenceShape, evidence), { codecFor, fingerprint: toHex(get().organisation.fingerprint) })
  /** The old identity in the hands of somebody who joins whatever it likes. */
  const stolenMachine = (office: Office, request: { kind: 'sign' } & SignRequest): SignerCalls => {
    const join = {
      genesis: request.genesis,
      requestHash: requestHash(request),
      party: 3n,
      random: new Uint8Array(32),
      ephemeralKey: new Uint8Array(32).fill(9),
      policyVersion: 2n,
      logSize: 0n,
      journal: 1n << 40n,
      seen: [],
      asks: null,
    }
    const signed = signMessage(joinShape, join, 3n, office.signers.get(3)!.options.identity.secretKey)
    return { ...office.calls.get(3)!, openSession: async () => signed, startSession: () => Promise.reject(new Error('it has what it wanted')) }
  }
  const attestKeys = (office: Office, epoch: bigint) => Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestKey(asked(epoch))))

  describe('a signer with a new identity', () => {
    it('takes the place of another: signing goes on, its repair gives it a share, and what was proven before and after stays proven', async (t) => {
      const office = await openOffice(t, get())
      const { policy: first } = get().organisation
      const keyStatements = await attestKeys(office, 0n)
      const before = await evidenceOf(office, first, [], 0n, [1, 3], keyStatements)
      assert.deepEqual(verify(before).signers, ['signer 1', 'signer 3'])

      const newcomer = await openNewcomer(t, office, 3)
      const change = replacementOf(get(), first, 3, newcomer.signKey)
      const { next } = change
      for (const party of [1, 2]) await apply(office, change, party)
      await apply(office, change, 3)
      const old = office.calls.get(3)!
      const replaced = refused('c1', /has taken the place of this one in policy version 2/)
      await assert.rejects(old.attestKey(asked(0n)), replaced)
      const { intent } = office.requestWithoutCosigning()
      await assert.rejects(old.attestOrder({ genesis: get().organisation.fingerprint, intent, challenge: new Uint8Array(32) }), replaced)
      const record = followedRecord(get(), [change])
      newcomer.seat()
      await newcomer.calls.pinGenesis({ record })
      office.time.nowMs += 2 * DAY_MS

      const meanwhile = await evidenceOf(office, next, [change], 0n, [1, 2], keyStatements)
      assert.deepEqual(verify(meanwhile).signers, ['signer 1', 'signer 2'])
      const without = await runSession(office.calls, (await orderUnder(office, next, 0n, [1, 3])).request)
      assert.ok(refused('c1', /holds no share/)(without.get(3) as PeerError), 'so there are never four that can sign')

      for (const party of [1, 2]) await restart(office, party)
      await changeEpoch(office, { action: 'repair', policy: next })
      const statements = await attestKeys(office, 1n)
      const after = await evidenceOf(office, next, [change], 1n, [2, 3], statements)
      assert.deepEqual(verify(after).signers, ['signer 2', 'new signer 3'])
      for (const bundle of [before, meanwhile]) verify(bundle)

      const bad: [Partial<typeof after>, string][] = [
        [{ policyChanges: [] }, 'policy'],
        [{ keyStatements: [...statements.slice(0, 2), keyStatements[2]!] }, 'transaction'],
        [{ checkpoint: before.checkpoint }, 'log'],
        [{ signatureStatements: before.signatureStatements }, 'signers'],
        [{ genesisRecord: record }, 'genesis'],
      ]
      for (const [changed, step] of bad) {
        assert.throws(
          () => verify({ ...after, ...changed }),
          (cause) => cause instanceof EvidenceRefused && cause.step === step,
          step,
        )
      }
    })

    it('is believed from the moment the others follow the version, and the old machine is not, whatever was under way', async (t) => {
      const office = await openOffice(t, get())
      const newcomer = await openNewcomer(t, office, 3)
      const { policy } = get().organisation
      const change = replacementOf(get(), policy, 3, newcomer.signKey)
      const { request } = await orderUnder(office, policy, 0n, [1, 3])
      const { fingerprint: genesis } = get().organisation
      const endorsements = await endorsementsOf(office.calls, genesis, { kind: 'policyChange', record: change.record })
      const outcomes = await runSession(office.calls, request, {
        deliver: (envelopes, to, round) => {
          if (round === 2 && to === 1) void office.calls.get(1)!.applyPolicy({ genesis, record: change.record, endorsements })
          return envelopes
        },
      })
      assert.match((outcomes.get(1) as PeerError).message, /has ended/)
      assert.ok(outcomes.get(3) === undefined || outcomes.get(3) instanceof Error, 'the old machine has no signature of it')
      await apply(office, change, 1)
      await apply(office, change, 2)
      // It holds its share and the whole log, and its server hides the new version from it.
      for (const peer of [1, 2]) {
        const again = (await orderUnder(office, policy, 0n, [peer, 3])).request
        const tried = await runSession(office.calls, again)
        assert.ok(refused('c3', /version 2 is in force/)(tried.get(peer) as PeerError))
        const later = (await orderUnder(office, change.next, 0n, [peer, 3])).request
        const swapped = await runSession(new Map([...office.calls, [3, stolenMachine(office, later)]]), later)
        assert.ok(refused('c1', /join 2 is not one that party 3 signed/)(swapped.get(peer) as PeerError))
      }
    })

    it('pins nothing that does not name it: not the founding document, no version before it or after it, no forged one', async (t) => {
      const office = await openOffice(t, get())
      const { policy, record } = get().organisation
      const [newcomer, thief] = [await openNewcomer(t, office, 3), await openNewcomer(t, office, 3)]
      const change = replacementOf(get(), policy, 3, newcomer.signKey)
      const gone = replacementOf(get(), change.next, 3, thief.signKey)
      const forged = replacementOf(get(), policy, 3, thief.signKey)
      const pin = (bytes: Uint8Array) => newcomer.calls.pinGenesis({ record: bytes })
      await assert.rejects(pin(record), refused('c2', /does not name this signer/))
      await assert.rejects(pin(followedRecord(get(), [change, gone])), refused('c2', /does not name this signer/))
      await assert.rejects(pin(followedRecord(get(), [gone])), refused('c2', /does not follow/))
      await assert.rejects(thief.calls.pinGenesis({ record: followedRecord(get(), [change]) }), refused('c2', /does not name this signer/))
      const stripped = forged.record.slice()
      stripped[stripped.length - 80]! ^= 1
      await assert.rejects(apply(office, { record: stripped }, 1), (cause: PeerError) => cause.check === 'c3')
      const careful = await openNewcomer(t, office, 3, { peers: [newcomer.signKey] })
      await assert.rejects(
        careful.calls.pinGenesis({ record: followedRecord(get(), [replacementOf(get(), policy, 3, careful.signKey)]) }),
        refused('c2', /not in SIGNER_PEERS/),
      )
    })

    it('that was shown an old version is told so by the others, and one that was itself replaced signs nothing', async (t) => {
      const office = await openOffice(t, get())
      const { policy } = get().organisation
      const [second, third] = [await openNewcomer(t, office, 3), await openNewcomer(t, office, 3)]
      const change = replacementOf(get(), policy, 3, second.signKey)
      const later = replacementOf(get(), change.next, 3, third.signKey)
      for (const each of [change, later]) for (const party of [1, 2]) await apply(office, each, party)
      second.seat()
      await second.calls.pinGenesis({ record: followedRecord(get(), [change]) })
      const outcomes = await runSession(office.calls, await reshareRequest(office, { action: 'repair', policy: change.next }))
      for (const party of [1, 2]) assert.ok(refused('c3', /version 3 is in force/)(outcomes.get(party) as PeerError))
      third.seat()
      await third.calls.pinGenesis({ record: followedRecord(get(), [change, later]) })
      await changeEpoch(office, { action: 'repair', policy: later.next, salt: 1 })
    })

    it('retires a key that it has no share of, as the others do, and takes none from then on; it exports nothing of it', async (t) => {
      const office = await openOffice(t, get())
      const follow = (party: number, { asked }: Awaited<ReturnType<typeof keyOrderOf>>) => followKeyOrder(office.calls, asked, party)
      await follow(1, await keyOrderOf(office, 'retire'))
      const newcomer = await openNewcomer(t, office, 3)
      const change = replacementOf(get(), get().organisation.policy, 3, newcomer.signKey)
      for (const party of [1, 2]) await apply(office, change, party)
      newcomer.seat()
      await newcomer.calls.pinGenesis({ record: followedRecord(get(), [change]) })
      const recipients = PARTIES.map((party) => ({ party: BigInt(party), recipients: ['age1nobody'] }))
      const exported = await keyOrderOf(office, 'export', { policy: change.next, changes: { recipients } })
      await assert.rejects(follow(3, exported), refused('c1', /holds no share/))
      const again = await keyOrderOf(office, 'retire', { policy: change.next, changes: { nonce: new Uint8Array(32) } })
      const keys = signersOf(get().organisation.genesis, change.next).map(({ signKey }) => signKey)
      for (const party of PARTIES) {
        const said = openSigned(retiredStatementShape, await follow(party, again), keys[party - 1]!)!
        assert.deepEqual([said.party, said.intentHash], [BigInt(party), intentHash(again.order)])
      }
      const outcomes = await runSession(office.calls, await reshareRequest(office, { action: 'repair', policy: change.next }))
      for (const party of PARTIES) assert.ok(refused('c6', /is retired/)(outcomes.get(party) as PeerError))
    })

    it('comes into a key whose new shares were half in use: the others go over by the words of the old three, and repair from there', async (t) => {
      const office = await openOffice(t, get())
      const { policy } = get().organisation
      const statements = await stageEpoch(office, await reshareRequest(office))
      const activate = (party: number) => office.calls.get(party)!.activateEpoch({ ...asked(1n), statements })
      await activate(1)
      const newcomer = await openNewcomer(t, office, 3)
      const change = replacementOf(get(), policy, 3, newcomer.signKey)
      for (const party of [1, 2]) await apply(office, change, party)
      newcomer.seat()
      await newcomer.calls.pinGenesis({ record: followedRecord(get(), [change]) })
      await restart(office, 2)
      await activate(2)
      await changeEpoch(office, { action: 'repair', policy: change.next, fromEpoch: 1n, salt: 2 })
      office.time.nowMs += 2 * DAY_MS
      const { request } = await orderUnder(office, change.next, 2n, [1, 3])
      const outcomes = await runSession(office.calls, request)
      for (const party of [1, 3]) resultOf(outcomes, party)
    })
  })
}
