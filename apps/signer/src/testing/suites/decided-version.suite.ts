import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import { approvalShape, intentShape } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import {
  type Evidence,
  evidenceShape,
  EvidenceRefused,
  signatureResultShape,
  type Signed,
  signMessage,
  verifyEvidence,
  type Word,
  wordShape,
} from '@holdfast/protocol'
import { applyPolicy, cosignAll, followKeyOrder, PAIRS, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { reshareRequest } from '../key-change-of.ts'
import { keyOrderOf } from '../key-order-of.ts'
import { actsOf } from '../office-acts.ts'
import { CHAIN, DAY_MS, NOW_MS } from '../organisation-of.ts'
import { approve, type Member } from '../people.ts'
import { policyChangeOf } from '../policy-change-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

/** What the words of signers carry of a version of the policy that nobody was given, and what evidence shows of them. */
export function decidedVersionSuite(get: () => Founded): void {
  const { refused, signs, refuses, pageOf, freezeOf, genesis } = actsOf(get)

  describe('a version of the policy that was approved, and given to no signer', () => {
    const changeOf = () => {
      const { organisation } = get()
      return policyChangeOf(organisation, organisation.policy, { expiresAtMs: BigInt(NOW_MS + 9 * DAY_MS) }, [ben, cleo], { initiator: ann })
    }
    type Change = ReturnType<typeof changeOf>
    const say = async (office: Office, party: number, member: Member, { intent }: Change, decision = 'approve', status = 200) => {
      const approval = encode(approvalShape, approve(member, intent, get().organisation.policy, { decision }))
      const answer = await pageOf(office, party, encode(intentShape, intent), status)('order.approve', { approval: toHex(approval) })
      assert.equal(answer.status, status)
    }

    for (const pages of [
      [3, 3],
      [1, 2],
    ] as const) {
      it(`is known to every pair where it was approved at the pages of signers ${pages.join(' and ')}: nothing new is signed by the one before, until all follow`, async (t) => {
        const office = await openOffice(t, get())
        const change = changeOf()
        await signs(office, await office.request({ salt: 90 }))
        await say(office, pages[0], ben, change)
        await signs(office, await office.request())
        await say(office, pages[1], cleo, change)
        for (const pair of PAIRS) await refuses(office, await office.request({ parties: [...pair] }), 'c12', /version 2 of the policy was approved/)
        for (const party of PARTIES) await restart(office, party)
        for (const pair of PAIRS) await refuses(office, await office.request({ parties: [...pair] }), 'c12', /version 2 of the policy was approved/)
        if (pages[0] === pages[1]) {
          const recipients = PARTIES.map((party) => ({ party: BigInt(party), recipients: ['age1nobody'] }))
          const { asked } = await keyOrderOf(office, 'export', { changes: { recipients } })
          await assert.rejects(followKeyOrder(office.calls, asked, pages[0]), refused('c12', /was approved/))
          assert.ok(refused('c12', /was approved/)((await runSession(office.calls, await reshareRequest(office))).get(pages[0]) as PeerError))
        }
        await signs(office, await office.request({ salt: 90 }))
        assert.deepEqual(await applyPolicy(office.calls, genesis(), change.record), [2n, 2n, 2n])
        for (const party of PARTIES) assert.equal(journalOf(office, party).register.votes.size, 0)
      })
    }

    it('stops nothing where the server took a word not, where somebody rejected it, and where who asked is among those that approved', async (t) => {
      const office = await openOffice(t, get())
      const change = changeOf()
      await say(office, 1, ben, change)
      await say(office, 1, cleo, change, 'approve', 400)
      await say(office, 2, ann, change)
      await signs(office, await office.request({ parties: [1n, 2n] }))
      await say(office, 1, cleo, change)
      await refuses(office, await office.request(), 'c12', /was approved/)
      await say(office, 2, cleo, change, 'reject')
      for (const pair of PAIRS) await signs(office, await office.request({ parties: [...pair] }))
    })
  })

  describe('the word of the third signer', () => {
    it('is in the evidence of what was signed, which refuses another word in its place, one of another session, and one that spoke against it', async (t) => {
      const office = await openOffice(t, get())
      const { organisation, key } = get()
      const request = office.requestWithoutCosigning()
      const lines = await cosignAll(office, office.log)
      let words: Signed[] = []
      const hear = (given: Signed[]) => (words = given)
      const outcomes = await runSession(office.calls, request, { words: hear })
      const results = [1, 2].map((party) => decode(signatureResultShape, resultOf(outcomes, party)))
      const signatures = results[0]!.signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
      const third = words.find(({ party }) => party === 3n)!
      const evidence: Evidence = {
        kind: 'witnessed',
        genesisRecord: organisation.record,
        policyChanges: [],
        intent: request.intent,
        approvals: request.approvals,
        raw: codecFor(CHAIN)!.attach(request.unsigned, signatures).raw,
        keyStatements: await Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestKey({ genesis: genesis(), keyId: key.keyId, epoch: 0n }))),
        signatureStatements: results.map(({ statement }) => statement),
        checkpoint: office.log.note(lines),
        logged: request.logged,
        words: [third],
        absence: null,
      }
      const verify = (given: Signed[]) =>
        verifyEvidence(encode(evidenceShape, { ...evidence, words: given }), { codecFor, fingerprint: toHex(genesis()) }).standing
      assert.deepEqual(verify([third]), { kind: 'word', signer: 'signer 3', isShown: true })
      assert.deepEqual(verify([]), { kind: 'word', signer: 'signer 3', isShown: false })
      const word = decode(wordShape, third.message)
      const { secretKey } = office.signers.get(3)!.options.identity
      const said = (changes: Partial<typeof word>) => signMessage(wordShape, { ...word, ...changes } as typeof word, 3n, secretKey)
      assert.deepEqual(verify([said({})]), { kind: 'word', signer: 'signer 3', isShown: true })
      const { voted, counted, book, standingOrder, ended: _, ...before } = word as Word
      const first = { ...before, spends: [], older: 0n }
      assert.ok(verify([signMessage(wordShape, { ...first, kind: 'first' }, 3n, secretKey)]), 'bundles from before hold words of the first form')
      assert.ok(verify([signMessage(wordShape, { ...first, voted, kind: 'second' }, 3n, secretKey)]), 'and of the second')
      assert.ok(verify([signMessage(wordShape, { ...before, voted, counted, kind: 'third' }, 3n, secretKey)]), 'and of the third')
      assert.ok(verify([signMessage(wordShape, { ...before, voted, counted, book, kind: 'fourth' }, 3n, secretKey)]), 'and of the fourth')
      assert.ok(verify([signMessage(wordShape, { ...before, voted, counted, book, standingOrder, kind: 'fifth' }, 3n, secretKey)]), 'and of the fifth')
      const bad = [
        { ...third, party: 2n },
        { ...third, signature: new Uint8Array(64) },
        said({ session: new Uint8Array(32) }),
        said({ policyVersion: 2n }),
        said({ vetoes: [{ order: new Uint8Array(32), person: cleo.person.id }] }),
        said({ frozen: [freezeOf(cleo).encoded] }),
      ]
      for (const given of bad)
        assert.throws(
          () => verify([given]),
          (cause) => cause instanceof EvidenceRefused && cause.step === 'words',
        )
    })
  })
}
