import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkBytes } from '@holdfast/chain-bitcoin/codec'
import { ChainError } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import type { PeerError } from '@holdfast/link'
import { FROST_TAPROOT } from '@holdfast/mpc'
import {
  type Evidence,
  EvidenceRefused,
  evidenceShape,
  type KeyStatement,
  keyStatementShape,
  openSigned,
  signatureResultShape,
  signatureStatementShape,
  signedShape,
  signMessage,
  type SignRequest,
  verifyEvidence,
} from '@holdfast/protocol'
import { bitcoin, type BitcoinOrder, bitcoinOrderOf } from '../bitcoin-order-of.ts'
import { cosignAll, PARTIES, type Relay, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'
import { approvalsOf, requestOf } from '../order-of.ts'
import { BTC } from '../organisation-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

type Kind = { name: string; keyOf(office: Office): Promise<KeyStatement>; roundsEach: number }

/** Transactions that need several signatures: one for each coin they spend. `get` gives the founded organisation, which exists once the tests run. */
export function manySignaturesSuite(get: () => Founded): void {
  const kinds: Kind[] = [
    { name: 'P2WPKH, by ECDSA', keyOf: async () => get().key, roundsEach: 3 },
    { name: 'P2TR, by FROST', keyOf: makeTaprootKey, roundsEach: 2 },
  ]
  let nonces = 0

  async function makeTaprootKey(office: Office): Promise<KeyStatement> {
    const { fingerprint, genesis } = get().organisation
    const keyId = new Uint8Array(32).fill(0x7a)
    const made = { kind: 'generateKey' as const, genesis: fingerprint, keyId, protocol: FROST_TAPROOT, epoch: 0n, purpose: 'custody', nonce: keyId }
    const outcomes = await runSession(office.calls, { ...made, parties: [1n, 2n, 3n] })
    return openSigned(keyStatementShape, decode(signedShape, resultOf(outcomes, 1)), genesis.signers[0]!.signKey)!
  }

  /** The request of a server whose log every signer has signed, with the lines of their signatures. */
  async function requestFor(office: Office, key: KeyStatement, order: Partial<BitcoinOrder> & { parties?: bigint[] } = {}) {
    const { fingerprint, policy } = get().organisation
    const { draft, unsigned } = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann, ...order })
    const approvals = approvalsOf(draft, policy, [ben, cleo])
    const { request } = requestOf({ key, draft, approvals, log: office.log, unsigned, parties: order.parties, salt: 1000 + nonces++ })
    return { request, lines: await cosignAll(office, office.log) }
  }

  const signaturesOf = (result: Uint8Array) =>
    decode(signatureResultShape, result).signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))

  /** Runs a session and gives the signed form, which both parties must agree on. */
  async function sign(office: Office, request: { kind: 'sign' } & SignRequest, relay?: Relay): Promise<Uint8Array> {
    const outcomes = await runSession(office.calls, request, relay)
    const [one, two] = request.parties.map((party) => bitcoin.attach(request.unsigned, signaturesOf(resultOf(outcomes, Number(party)))))
    assert.deepEqual(one, two)
    return one!.raw
  }

  for (const { name, keyOf, roundsEach } of kinds) {
    describe(`a transaction of three coins (${name})`, () => {
      it('is signed whole in one session by every pair: each coin by its own signature, and without one of them it is none', async (t) => {
        const office = await openOffice(t, get())
        const key = await keyOf(office)
        for (const [salt, parties] of [
          [1, [1n, 2n]],
          [2, [1n, 3n]],
          [3, [2n, 3n]],
        ] as const) {
          const { request } = await requestFor(office, key, { salt, firstCoin: 10 * salt, parties: [...parties] })
          const outcomes = await runSession(office.calls, request)
          const signatures = signaturesOf(resultOf(outcomes, Number(parties[0])))
          assert.equal(signatures.length, 3)
          const { raw } = bitcoin.attach(request.unsigned, signatures)
          assert.deepEqual(bitcoin.detach(raw).unsigned, request.unsigned)
          assert.ok(networkBytes(BTC.chain, raw).length > 0)
          for (let missing = 0; missing < 3; missing++) assert.throws(() => bitcoin.attach(request.unsigned, signatures.toSpliced(missing, 1)), ChainError)
          const swapped = [signatures[1]!, signatures[0]!, signatures[2]!]
          assert.throws(() => bitcoin.attach(request.unsigned, swapped), ChainError)
        }
      })

      it('has the same bytes again after a crash, and of a session that died between two signatures nothing is left but the slot', async (t) => {
        const office = await openOffice(t, get())
        const key = await keyOf(office)
        for (const round of [1, roundsEach + 1, 3 * roundsEach]) {
          const { request } = await requestFor(office, key)
          const dies: Relay = {
            deliver: (envelopes, _, at) => {
              if (at === round) throw new Error('the server died')
              return envelopes
            },
          }
          await runSession(office.calls, request, dies).then(
            () => assert.fail(`ended well in spite of round ${round}`),
            () => {},
          )
          for (const party of [1, 2]) await restart(office, party)
        }
        const raw = await sign(office, (await requestFor(office, key)).request)
        for (const party of [1, 2]) await restart(office, party)
        assert.deepEqual(await sign(office, (await requestFor(office, key)).request), raw)
        assert.deepEqual(
          await sign(office, (await requestFor(office, key, { parties: [1n, 3n] })).request),
          raw,
          'a party that has them gives them to one that does not',
        )
      })

      it('is bound to its anchor: a replacement with a higher fee is signed, a payment with other coins is not', async (t) => {
        const office = await openOffice(t, get())
        const key = await keyOf(office)
        const first = await sign(office, (await requestFor(office, key)).request)
        const faster = await sign(office, (await requestFor(office, key, { satPerKvb: 6_000n })).request)
        assert.notDeepEqual(bitcoin.detach(faster).txid, bitcoin.detach(first).txid)
        assert.equal(bitcoin.decode(bitcoin.detach(faster).unsigned).slot, bitcoin.decode(bitcoin.detach(first).unsigned).slot)
        const { request } = await requestFor(office, key, { firstCoin: 50 })
        const outcome = (await runSession(office.calls, request)).get(1) as PeerError
        assert.deepEqual([outcome.kind, outcome.check], ['refused', 'c10'], outcome.message)
      })

      it('convinces a stranger, who finds every signature in it and the words of the signers about each', async (t) => {
        const office = await openOffice(t, get())
        const { organisation } = get()
        const key = await keyOf(office)
        const { request, lines } = await requestFor(office, key)
        const outcomes = await runSession(office.calls, request)
        const asked = { genesis: organisation.fingerprint, keyId: key.keyId, epoch: 0n }
        const evidence: Evidence = {
          kind: 'witnessed',
          genesisRecord: organisation.record,
          policyChanges: [],
          intent: request.intent,
          approvals: request.approvals,
          raw: bitcoin.attach(request.unsigned, signaturesOf(resultOf(outcomes, 1))).raw,
          keyStatements: await Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestKey(asked))),
          signatureStatements: [1, 2].map((party) => decode(signatureResultShape, resultOf(outcomes, party)).statement),
          checkpoint: office.log.note(lines),
          logged: request.logged,
          words: [],
          absence: null,
        }
        const verify = (bundle: Evidence) => verifyEvidence(encode(evidenceShape, bundle), { codecFor, fingerprint: toHex(organisation.fingerprint) })
        assert.deepEqual(verify(evidence).signers, ['signer 1', 'signer 2'])

        const identity = office.signers.get(2)!.options.identity
        const said = openSigned(signatureStatementShape, evidence.signatureStatements[1]!, identity.publicKey)!
        assert.equal(said.digests.length, 3)
        for (const digests of [said.digests.slice(1), said.digests.toReversed(), [...said.digests, said.digests[0]!]]) {
          const other = signMessage(signatureStatementShape, { ...said, digests }, 2n, identity.secretKey)
          const changed = { ...evidence, signatureStatements: [evidence.signatureStatements[0]!, other] }
          assert.throws(
            () => verify(changed),
            (cause) => cause instanceof EvidenceRefused && cause.step === 'signers' && /asks for/.test(cause.message),
          )
        }
        for (const at of [evidence.raw.length - 20, Math.floor(evidence.raw.length / 2), 40]) {
          const raw = evidence.raw.map((byte, i) => (i === at ? byte ^ 1 : byte))
          assert.throws(() => verify({ ...evidence, raw }), EvidenceRefused)
        }
      })
    })
  }
}
