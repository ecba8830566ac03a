import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import type { PeerError } from '@holdfast/link'
import { derivePublicKey, FROST_ED25519, FROST_TAPROOT, keyShareShape, PROTOCOLS, recoverSecret, signAlone } from '@holdfast/mpc'
import {
  type Drill,
  drillDigest,
  drillRecordShape,
  type KeyStatement,
  keyStatementShape,
  openSigned,
  sealedShareShape,
  sharePackageShape,
  signatureResultShape,
  signedShape,
  type SignRequest,
} from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Decrypter } from 'age-encryption'
import { copyFolder, cosignAll, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { ed25519Codec, ed25519Transfer } from '../ed25519-codec.ts'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'
import { changeEpoch, type KeyChangeOptions, reshareRequest, setUpPairs, stageEpoch } from '../key-change-of.ts'
import { approvalsOf, draftOf, RECIPIENT_ADDRESS, requestOf } from '../order-of.ts'
import { CHAIN, DAY_MS } from '../organisation-of.ts'
import { declareAway } from '../signer-order-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

/** How a key gets new shares. `get` gives the founded organisation, which exists once the tests run. */
export function keyLifeSuite(get: () => Founded): void {
  const refused = (check: string, words: RegExp) => (cause: PeerError) => {
    assert.deepEqual([cause.kind, cause.check], ['refused', check], cause.message)
    assert.match(cause.message, words)
    return true
  }
  const asked = (epoch: bigint) => ({ genesis: get().organisation.fingerprint, keyId: get().key.keyId, epoch })
  const epochsOf = (office: Office, party: number) => office.calls.get(party)!.keyEpochs({ genesis: get().organisation.fingerprint, keyId: get().key.keyId })
  const withEpoch = (request: { kind: 'sign' } & SignRequest, epoch: bigint) => ({ ...request, epoch })

  async function signs(office: Office, parties: bigint[], epoch: bigint): Promise<void> {
    const request = withEpoch(await office.request({ parties }), epoch)
    const outcomes = await runSession(office.calls, request)
    const { signatures } = decode(signatureResultShape, resultOf(outcomes, Number(parties[0])))
    const { raw } = codecFor(CHAIN)!.attach(
      request.unsigned,
      signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) })),
    )
    assert.deepEqual(codecFor(CHAIN)!.detach(raw).unsigned, request.unsigned)
  }
  const refusesReshare = async (office: Office, options: KeyChangeOptions, check: string, words: RegExp) => {
    const outcomes = await runSession(office.calls, await reshareRequest(office, options))
    for (const party of PARTIES) assert.ok(refused(check, words)(outcomes.get(party) as PeerError), `signer ${party}`)
  }

  /** The whole secret, rebuilt from the kit of the epoch in use, as the recovery tool does. */
  async function secretOf(office: Office, epoch: bigint, keyId = get().key.keyId): Promise<bigint> {
    const shares = await Promise.all(
      [1, 2].map(async (party) => {
        const sealed = openSigned(
          sealedShareShape,
          await office.calls.get(party)!.sealShare({ ...asked(epoch), keyId }),
          get().organisation.genesis.signers[party - 1]!.signKey,
        )!
        const decrypter = new Decrypter()
        decrypter.addIdentity(get().identities[party - 1]!)
        return decode(keyShareShape, decode(sharePackageShape, await decrypter.decrypt(sealed.sealed)).share)
      }),
    )
    return recoverSecret(shares)
  }
  async function drillOf(office: Office, epoch: bigint, changes: Partial<Drill> = {}, secret?: bigint): Promise<Uint8Array> {
    const drill: Drill = { ...asked(epoch), kitHash: new Uint8Array(32), addressesChecked: 1n, atMs: BigInt(office.time.nowMs), ...changes }
    const bytes = Buffer.from((secret ?? (await secretOf(office, epoch))).toString(16).padStart(64, '0'), 'hex')
    return encode(drillRecordShape, { drill, signature: secp256k1.sign(drillDigest(drill), bytes, { prehash: false }) })
  }

  const loseFolder = async (office: Office, party: number) => {
    const { record, fingerprint } = get().organisation
    await restart(office, party, (folder) => rm(`${folder}/organisations/${toHex(fingerprint)}`, { recursive: true }))
    await office.calls.get(party)!.pinGenesis({ record })
  }

  describe('a refresh', () => {
    it('gives all three new shares of the same key: every pair signs with them, and none with the old', async (t) => {
      const office = await openOffice(t, get())
      const before = await secretOf(office, 0n)
      const old = await office.request({ parties: [1n, 2n] })
      await changeEpoch(office)
      for (const parties of [
        [1n, 2n],
        [1n, 3n],
        [2n, 3n],
      ])
        await signs(office, parties, 1n)
      const outcomes = await runSession(office.calls, old)
      for (const party of [1, 2]) assert.ok(refused('c1', /signs with epoch 1 .* is for epoch 0/)(outcomes.get(party) as PeerError))
      assert.equal(await secretOf(office, 1n), before)
      for (const party of PARTIES) await restart(office, party)
      await signs(office, [1n, 3n], 1n)
    })

    it('is taken only with the quorum of those who govern, for this key and its next epoch, once', async (t) => {
      const office = await openOffice(t, get())
      await refusesReshare(office, { approvers: [ben] }, 'c5', /1 approval\(s\) missing/)
      await refusesReshare(office, { approvers: [ann, ben] }, 'c5', /1 approval\(s\) missing/)
      await refusesReshare(office, { fromEpoch: 1n }, 'c1', /epoch 0 of the key; the order begins with epoch 1/)
      await refusesReshare(office, { changes: { toEpoch: 2n } }, 'c4', /does not follow/)
      await refusesReshare(office, { dealers: [1n, 2n] }, 'c4', /needs 3 different signers/)
      await refusesReshare(office, { changes: { action: 'export' } }, 'c4', /unknown action/)
      await refusesReshare(
        office,
        { changes: { expiresAtMs: BigInt(office.time.nowMs - 1) }, approval: { changes: { signedAtMs: BigInt(office.time.nowMs - 2) } } },
        'c4',
        /expired/,
      )
      const other = await reshareRequest(office)
      const transfer = await office.request()
      const wrong = await runSession(office.calls, { ...other, intent: transfer.intent, approvals: transfer.approvals, logged: transfer.logged })
      assert.ok(refused('c4', /not an order for new shares/)(wrong.get(1) as PeerError))
      const unlogged = await runSession(office.calls, { ...other, logged: other.logged.slice(0, 1) })
      assert.ok(refused('c11', /log entries/)(unlogged.get(1) as PeerError))
      await changeEpoch(office)
      const replayed = await runSession(office.calls, await reshareRequest(office))
      assert.ok(refused('c1', /epoch 1 of the key; the order begins with epoch 0/)(replayed.get(2) as PeerError))
    })

    it('becomes active with the word of all three on one run, and with nothing less', async (t) => {
      const office = await openOffice(t, get())
      const request = await reshareRequest(office)
      const early = await runSession(office.calls, request)
      for (const party of PARTIES) resultOf(early, party)
      await assert.rejects(office.calls.get(1)!.attestEpoch(asked(1n)), /set up its pairs first/)
      await setUpPairs(office, asked(1n))
      const statements = await Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestEpoch(asked(1n))))
      const activate = (given: typeof statements, party = 1) => office.calls.get(party)!.activateEpoch({ ...asked(1n), statements: given })
      await assert.rejects(activate(statements.slice(0, 2)), refused('c1', /signer \d gave/))
      await assert.rejects(activate([statements[0]!, statements[1]!, statements[1]!]), refused('c1', /signer \d gave/))
      await assert.rejects(activate([statements[0]!, statements[1]!, { ...statements[1]!, party: 3n }]), refused('c1', /not signed by it/))
      const key = await office.calls.get(3)!.attestKey(asked(0n))
      await assert.rejects(activate([statements[0]!, statements[1]!, key]), refused('c1', /signer 3/))
      await signs(office, [1n, 2n], 0n)
      await activate(statements)
      await activate(statements)
      assert.deepEqual((await epochsOf(office, 1)).active, 1n)
      assert.deepEqual((await epochsOf(office, 2)).active, 0n)
      // One has gone over, the others have not: each can, at any time, also after a new start.
      await restart(office, 2)
      for (const party of [2, 3]) await activate(statements, party)
      await signs(office, [2n, 3n], 1n)
    })

    it('may be run again until a signer has given its word, and not after: words of two runs do not go together', async (t) => {
      const office = await openOffice(t, get())
      for (const party of PARTIES) resultOf(await runSession(office.calls, await reshareRequest(office)), party)
      const statements = await stageEpoch(office, await reshareRequest(office))
      await refusesReshare(office, {}, 'c10', /has attested epoch 1/)
      const again = await stageEpoch(office, await reshareRequest(office, { salt: 1 }))
      await assert.rejects(office.calls.get(1)!.activateEpoch({ ...asked(1n), statements }), refused('c1', /speaks of other shares/))
      await assert.rejects(
        office.calls.get(1)!.activateEpoch({ ...asked(1n), statements: [again[0]!, again[1]!, statements[2]!] }),
        refused('c1', /signer 3 speaks of other shares/),
      )
      await refusesReshare(office, {}, 'c10', /another order .* came after/)
      for (const party of PARTIES) await office.calls.get(party)!.activateEpoch({ ...asked(1n), statements: again })
      await signs(office, [1n, 2n], 1n)
    })

    it('leaves the old share until a drill has proven the new kit', async (t) => {
      const office = await openOffice(t, get())
      await changeEpoch(office)
      const retire = (drill: Uint8Array, party = 1, epoch = 0n) => office.calls.get(party)!.retireEpoch({ ...asked(epoch), drill })
      const stranger = 12345n
      await assert.rejects(retire(await drillOf(office, 1n, {}, stranger)), refused('c4', /not signed by the key/))
      await assert.rejects(retire(await drillOf(office, 1n, { epoch: 0n })), refused('c4', /of epoch 0, and epoch 1 is in use/))
      await assert.rejects(retire(await drillOf(office, 1n, { keyId: new Uint8Array(32) })), refused('c4', /another key/))
      await assert.rejects(retire(Uint8Array.of(1)), refused('c4', /the drill/))
      await assert.rejects(retire(await drillOf(office, 1n), 1, 1n), refused('c4', /not one before the epoch in use/))
      assert.deepEqual((await epochsOf(office, 1)).former, [0n])
      const drill = await drillOf(office, 1n)
      for (const party of PARTIES) await retire(drill, party)
      await retire(drill)
      assert.deepEqual(await epochsOf(office, 1), { active: 1n, staged: null, former: [] })
      const folder = `${office.root}/1/organisations/${toHex(get().organisation.fingerprint)}/vault`
      const { nodePorts } = await import('@holdfast/ports/node')
      const files = await nodePorts.disk.list(folder)
      assert.ok(
        files.every((name) => name.includes(`${toHex(get().key.keyId)}-1`)),
        files.join(),
      )
      for (const party of PARTIES) await restart(office, party)
      await signs(office, [1n, 2n], 1n)
    })

    it('can follow another', async (t) => {
      const office = await openOffice(t, get())
      await changeEpoch(office)
      await changeEpoch(office, { fromEpoch: 1n, salt: 2 })
      assert.deepEqual(await epochsOf(office, 2), { active: 2n, staged: null, former: [0n, 1n] })
      await signs(office, [2n, 3n], 2n)
    })
  })

  describe('a repair', () => {
    it('gives a signer whose folder is gone a share again; it signs what is approved from then on, and nothing from before', async (t) => {
      const office = await openOffice(t, get())
      await signs(office, [1n, 3n], 0n)
      const old = office.requestWithoutCosigning({ parties: [2n, 3n] })
      await cosignAll(office, office.log)
      const { nowMs } = office.time
      office.time.nowMs = nowMs + DAY_MS / 4
      await loseFolder(office, 3)
      await cosignAll(office, office.log)
      const lost = await runSession(office.calls, { ...old, nonce: new Uint8Array(32).fill(4) })
      assert.ok(refused('c1', /holds no share/)(lost.get(3) as PeerError))
      await changeEpoch(office, { action: 'repair', dealers: [1n, 2n] })
      assert.deepEqual(await epochsOf(office, 3), { active: 1n, staged: null, former: [] })
      const late = await runSession(office.calls, withEpoch({ ...old, nonce: new Uint8Array(32).fill(5) }, 1n))
      assert.ok(refused('c12', /remembers nothing of the time/)(late.get(3) as PeerError))
      office.time.nowMs += 2 * DAY_MS
      const order = { parties: [2n, 3n], nowMs: office.time.nowMs }
      const request = withEpoch(await office.request(order as never), 1n)
      const outcomes = await runSession(office.calls, request)
      for (const party of [2, 3]) assert.ok(resultOf(outcomes, party))
    })

    it('is a new beginning also for a signer whose folder was put back to an older copy: it pays no order again while who knows of it is away', async (t) => {
      const office = await openOffice(t, get())
      const copy = `${office.root}/copy`
      await restart(office, 3, (folder) => copyFolder(folder, copy))
      const paid = await office.request({ salt: 70, nonce: 0n, parties: [2n, 3n] })
      for (const party of [2, 3]) resultOf(await runSession(office.calls, { ...paid, nonce: new Uint8Array(32).fill(party) }), party)
      await restart(office, 3, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      await changeEpoch(office, { action: 'repair', dealers: [1n, 2n] })
      await declareAway(office, 2, { parties: [1, 3] })
      const again = withEpoch(office.requestWithoutCosigning({ salt: 70, nonce: 1n, parties: [1n, 3n] }), 1n)
      await cosignAll(office, office.log, [1, 3])
      const without = new Map([...office.calls].filter(([party]) => party !== 2))
      const outcomes = await runSession(without, again)
      assert.ok(refused('c12', /remembers nothing of the time/)(outcomes.get(3) as PeerError))
    })

    it('is needed: without it a signer that lost its records is let in by nobody', async (t) => {
      const office = await openOffice(t, get())
      await loseFolder(office, 3)
      await cosignAll(office, office.log)
      const outcomes = await runSession(office.calls, await reshareRequest(office))
      assert.ok(refused('c1', /holds no share .* deal from/)(outcomes.get(3) as PeerError))
      await refusesReshareOf(office, { action: 'repair', dealers: [1n, 3n] }, 3, 'c1', /holds no share/)
      await refusesReshareOf(office, { action: 'repair', dealers: [1n, 2n], approvers: [cleo] }, 1, 'c5', /missing/)
    })
    const refusesReshareOf = async (office: Office, options: KeyChangeOptions, party: number, check: string, words: RegExp) => {
      const outcomes = await runSession(office.calls, await reshareRequest(office, options))
      assert.ok(refused(check, words)(outcomes.get(party) as PeerError))
    }
  })

  describe('a share check', () => {
    it('shows that all three still have their shares, and says so under their signatures', async (t) => {
      const office = await openOffice(t, get())
      const request = { kind: 'shareCheck' as const, ...asked(0n), parties: [1n, 2n, 3n], nonce: new Uint8Array(32).fill(3) }
      const outcomes = await runSession(office.calls, request)
      for (const party of PARTIES) {
        const signed = decode(signedShape, resultOf(outcomes, party))
        const said = openSigned(keyStatementShape, signed, get().organisation.genesis.signers[party - 1]!.signKey)!
        assert.deepEqual([said.epoch, toHex(said.publicKey)], [0n, toHex(get().key.publicKey)])
      }
      const wrong = await runSession(office.calls, { ...request, epoch: 1n, nonce: new Uint8Array(32).fill(6) })
      assert.ok(refused('c1', /for epoch 1/)(wrong.get(1) as PeerError))
    })
  })

  describe('a key of another kind', () => {
    const keyIdOf = (protocol: string) => new Uint8Array(32).fill(10 + PROTOCOLS.indexOf(protocol))
    async function makeKey(office: Office, protocol: string): Promise<KeyStatement> {
      const { fingerprint, genesis } = get().organisation
      const keyId = keyIdOf(protocol)
      const request = {
        kind: 'generateKey' as const,
        genesis: fingerprint,
        keyId,
        protocol,
        epoch: 0n,
        parties: [1n, 2n, 3n],
        purpose: 'custody',
        nonce: keyId,
      }
      const outcomes = await runSession(office.calls, request)
      return openSigned(keyStatementShape, decode(signedShape, resultOf(outcomes, 1)), genesis.signers[0]!.signKey)!
    }
    async function signEd25519(office: Office, key: KeyStatement, epoch: bigint, parties: bigint[], slot: bigint): Promise<void> {
      const { organisation } = get()
      const from = toHex(derivePublicKey(FROST_ED25519, key.publicKey, key.chainCode, [0, 7]))
      const to = toHex(ed25519.getPublicKey(new Uint8Array(32).fill(9)))
      const { fingerprint, policy } = organisation
      const drafted = { fingerprint, policy, key: get().key, initiator: ann, salt: 100 + Number(slot), nonce: slot, changes: { keyId: key.keyId, from, to } }
      const draft = draftOf(drafted)
      // What an EVM transaction would be is not asked for.
      draft.transaction.to = RECIPIENT_ADDRESS
      const approvals = approvalsOf(draft, organisation.policy, [ben, cleo])
      const { request } = requestOf({ key: { ...key, epoch }, draft, approvals, log: office.log, parties, salt: Number(slot) })
      await cosignAll(office, office.log)
      const unsigned = ed25519Transfer({ chain: CHAIN, from, to, amount: draft.intent.amount, slot })
      for (const asked of [
        { ...request, unsigned },
        { ...request, unsigned, nonce: request.nonce.map((byte) => byte ^ 1) },
      ]) {
        const outcomes = await runSession(office.calls, asked)
        const given = parties.map((party) => decode(signatureResultShape, resultOf(outcomes, Number(party))).signatures[0]!)
        assert.deepEqual(given[0], given[1])
        const { raw } = ed25519Codec.attach(unsigned, [{ ...given[0]!, recovery: 0 }])
        assert.equal(ed25519Codec.detach(raw).from, from)
      }
    }

    it('is made, signs what its chain says is signed, gets new shares and signs with them, without a set-up of pairs', async (t) => {
      const office = await openOffice(t, get())
      const key = await makeKey(office, FROST_ED25519)
      const request = { kind: 'pairSetup' as const, genesis: key.genesis, keyId: key.keyId, epoch: 0n, parties: [1n, 2n], nonce: key.keyId }
      assert.ok(refused('c1', /needs no set-up of pairs/)((await runSession(office.calls, request)).get(1) as PeerError))
      for (const signer of office.signers.values()) Object.assign(signer.options, { codecFor: () => ed25519Codec })
      await signEd25519(office, key, 0n, [1n, 2n], 0n)
      await signEd25519(office, key, 0n, [2n, 3n], 1n)
      const reshare = await reshareRequest(office, { keyId: key.keyId })
      for (const party of PARTIES) resultOf(await runSession(office.calls, { ...reshare, nonce: reshare.nonce.map((byte) => byte ^ party) }), party)
      const next = { genesis: key.genesis, keyId: key.keyId, epoch: 1n }
      const statements = await Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestEpoch(next)))
      for (const party of PARTIES) await office.calls.get(party)!.activateEpoch({ ...next, statements })
      await signEd25519(office, key, 1n, [1n, 3n], 2n)
    })

    it('is given back to a signer that lost everything; a drill by the rebuilt key ends the old epoch', async (t) => {
      const office = await openOffice(t, get())
      for (const protocol of [FROST_ED25519, FROST_TAPROOT]) await makeKey(office, protocol)
      await loseFolder(office, 3)
      for (const protocol of [FROST_ED25519, FROST_TAPROOT]) {
        const keyId = keyIdOf(protocol)
        const about = { genesis: get().organisation.fingerprint, keyId, epoch: 1n }
        const reshare = await reshareRequest(office, { action: 'repair', dealers: [1n, 2n], keyId })
        const outcomes = await runSession(office.calls, reshare)
        for (const party of PARTIES) resultOf(outcomes, party)
        const statements = await Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestEpoch(about)))
        for (const party of PARTIES) await office.calls.get(party)!.activateEpoch({ ...about, statements })
        const secret = await secretOf(office, 1n, keyId)
        const drill: Drill = { ...about, kitHash: new Uint8Array(32), addressesChecked: 0n, atMs: BigInt(office.time.nowMs) }
        const proof = (signature: Uint8Array) => encode(drillRecordShape, { drill, signature })
        const wrong = proof(new Uint8Array(64).fill(1))
        await assert.rejects(office.calls.get(1)!.retireEpoch({ ...about, epoch: 0n, drill: wrong }), refused('c4', /not signed by the key/))
        const drillRecord = proof(signAlone(protocol, secret, drillDigest(drill)).signature)
        for (const party of [1, 2]) await office.calls.get(party)!.retireEpoch({ ...about, epoch: 0n, drill: drillRecord })
        const check = { kind: 'shareCheck' as const, ...about, parties: [1n, 2n, 3n], nonce: keyId.map((byte) => byte ^ 7) }
        const checked = await runSession(office.calls, check)
        for (const party of PARTIES) assert.ok(resultOf(checked, party))
      }
    })

    it('signs nothing on a chain that wants other keys, and a kind that nobody knows is not made', async (t) => {
      const office = await openOffice(t, get())
      const key = await makeKey(office, FROST_TAPROOT)
      const wrong = await office.request({ changes: { keyId: key.keyId } })
      const outcomes = await runSession(office.calls, { ...wrong, keyId: key.keyId })
      assert.ok(refused('c7', /takes signatures of kind ecdsa; this key makes taproot/)(outcomes.get(1) as PeerError))
      await assert.rejects(makeKey(office, 'ecdsa'), refused('c1', /makes no keys of ecdsa/))
    })
  })

  describe('an order in a slot', () => {
    it('is given its first signature again after its time is over', async (t) => {
      const office = await openOffice(t, get())
      const first = await office.request({ salt: 9 })
      resultOf(await runSession(office.calls, first), 1)
      office.time.nowMs += 400 * DAY_MS
      const again = await runSession(office.calls, { ...first, nonce: new Uint8Array(32).fill(7) })
      for (const party of [1, 2]) assert.ok(resultOf(again, party))
      const never = await office.request({ salt: 10 })
      office.time.nowMs += 400 * DAY_MS
      assert.ok(refused('c3', /expired/)((await runSession(office.calls, never)).get(1) as PeerError))
    })
  })
}
