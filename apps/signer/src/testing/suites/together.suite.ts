import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { approvalShape, freezeHash, freezeShape, intentHash, intentShape, machineMessage, machineSignatureShape, type TransferIntent } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { inThirdForm, partyOfMachine, type Policy } from '@holdfast/policy'
import { type Evidence, evidenceShape, EvidenceRefused, requestHash, signatureResultShape, sessionRequestShape, verifyEvidence } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { dayLimit, namedRule, personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { createApprovalApi } from '../../page/approval-api.ts'
import { applyPolicy, copyFolder, cosignAll, endorsementsOf, followKeyOrder, gatherWords, PAIRS, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf, type Asked } from '../office-acts.ts'
import { reshareRequest } from '../key-change-of.ts'
import { keyOrderOf } from '../key-order-of.ts'
import { approvalsOf, type Draft, draftOf, requestOf } from '../order-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS } from '../organisation-of.ts'
import { approve, assertWith } from '../people.ts'
import { policyChangeOf } from '../policy-change-of.ts'
import { absenceOf, declareAway, followSignerOrder, liftFreezeOf } from '../signer-order-of.ts'
import { ann, ben, cleo, ORDER_MAX, outsider } from '../world-of.ts'

const GUARD_SECRET = new Uint8Array(32).fill(52)
const GUARD = {
  id: 'guard',
  name: 'Guard',
  kind: 'coSigner',
  publicKey: ed25519.getPublicKey(GUARD_SECRET),
  purpose: '',
  expiresAtMs: BigInt(NOW_MS + DAY_MS),
}

/** Signers follow a policy under which a co-signer checks small payments, and people approve what its limits leave. */
async function guardedPolicy({ calls, founded: { organisation } }: Office): Promise<Policy> {
  const { groups, valuation, signers, parts, looseningDelayMs } = inThirdForm(organisation.policy)
  const limits = [dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: ORDER_MAX }], maxCount: 3n })]
  const fees = [{ chain: CHAIN, max: 10n ** 18n }]
  const rules = [
    namedRule('checked', { limits, action: { kind: 'checked', machine: GUARD.id, fees, mayStop: [], expiresAfterMs: 0n } }),
    namedRule('people', { steps: [{ need: 2n, who: [ben, cleo].map(({ person }) => personOf(person)) }] }),
  ]
  const form = { kind: 'namedRules', groups, machines: [GUARD], valuation, signers, parts, looseningDelayMs, rules } as Partial<Policy>
  const { record, next } = policyChangeOf(organisation, organisation.policy, form, [ben, cleo], { initiator: ann })
  await applyPolicy(calls, organisation.fingerprint, record)
  return next
}

function noOfGuard(intent: TransferIntent): Uint8Array {
  const { genesis, policyHash } = intent
  const statement = { genesis, intentHash: intentHash(intent), policyHash, machine: GUARD.id, decision: 'reject', signedAtMs: BigInt(NOW_MS) }
  return encode(machineSignatureShape, { ...statement, signature: signEd25519(machineMessage(statement), GUARD_SECRET) })
}

/** What signers know together: whatever a server leaves out, one of the three knows it, and the two that sign hear it. */
export function togetherSuite(get: () => Founded): void {
  const { refused, signs, refuses, pageOf, freezeOf, genesis } = actsOf(get)
  const thirdOf = (pair: readonly bigint[]) => PARTIES.find((party) => !pair.includes(BigInt(party)))!
  const putBack = async (office: Office, party: number, copy: string) =>
    restart(office, party, async (folder) => {
      await rm(folder, { recursive: true })
      await copyFolder(copy, folder)
    })

  describe('an order that was paid', () => {
    for (const pair of PAIRS) {
      for (const old of pair) {
        it(`by signers ${pair.join(' and ')} is not paid again where the folder of signer ${old} is put back, by no pair, with or without new starts`, async (t) => {
          const office = await openOffice(t, get())
          const copy = `${office.root}/copy`
          await restart(office, Number(old), (folder) => copyFolder(folder, copy))
          await signs(office, await office.request({ salt: 60, nonce: 60n, parties: [...pair] }))
          await putBack(office, Number(old), copy)
          for (const again of PAIRS) {
            await refuses(
              office,
              await office.request({ salt: 60, nonce: 61n, parties: [...again] }),
              again.join() === pair.join() || !again.some((party) => party === old) ? 'c10' : 'c12',
            )
          }
          for (const party of PARTIES) await restart(office, party)
          for (const again of PAIRS) {
            const outcomes = await runSession(office.calls, await office.request({ salt: 60, nonce: 62n, parties: [...again] }))
            assert.ok([...outcomes.values()].every((each) => each instanceof Error))
          }
        })
      }
    }
  })

  describe('a window', () => {
    it('is one for all three: what every pair let through counts for every other, also after new starts', async (t) => {
      const office = await openOffice(t, get())
      for (const pair of PAIRS) {
        await signs(office, await office.request({ asset: COIN, amount: ORDER_MAX, parties: [...pair] }))
        await restart(office, Number(pair[0]))
      }
      for (const pair of PAIRS) await refuses(office, await office.request({ asset: COIN, amount: 1n, parties: [...pair] }), 'c9')
      office.time.nowMs += DAY_MS / 2
      for (const pair of PAIRS) await refuses(office, await office.request({ asset: COIN, amount: 1n, parties: [...pair] }), 'c9')
    })
  })

  describe('a rejection', () => {
    for (const pair of PAIRS) {
      it(`at the page of signer ${thirdOf(pair)} stops signers ${pair.join(' and ')}, and is known to both from then on`, async (t) => {
        const office = await openOffice(t, get())
        const third = thirdOf(pair)
        const request = await office.request({ salt: 70, parties: [...pair] })
        const order = decode(intentShape, request.intent)
        const no = approve(cleo, order, get().organisation.policy, { decision: 'reject' })
        assert.equal((await pageOf(office, third, request.intent)('order.approve', { approval: toHex(encode(approvalShape, no)) })).status, 200)
        await restart(office, third)
        await refuses(office, request, 'c6', /rejected/)
        for (const party of pair) await restart(office, Number(party))
        await declareAway(office, third)
        await refuses(office, await office.request({ salt: 70, parties: [...pair] }), 'c6', /rejected/)
        await signs(office, await office.request({ parties: [...pair] }))
      })
    }
  })

  describe('the no of a co-signer', () => {
    for (const pair of PAIRS) {
      it(`at the page of signer ${thirdOf(pair)} stops signers ${pair.join(' and ')}, also under the rule after its own`, async (t) => {
        const office = await openOffice(t, get())
        const policy = await guardedPolicy(office)
        const draftBy = (salt: number) => draftOf({ fingerprint: genesis(), policy, key: get().key, initiator: ann, salt, nonce: BigInt(salt) })
        const underPeople = async (draft: Draft) => {
          const approvals = approvalsOf(draft, policy, [ben, cleo])
          const { request } = requestOf({ key: get().key, draft, approvals, log: office.log, parties: [...pair], salt: office.log.tree.size })
          await cosignAll(office, office.log)
          return { ...request, rule: 'people' }
        }
        await signs(office, await underPeople(draftBy(75)))
        const draft = draftBy(76)
        const third = thirdOf(pair)
        const answer = await pageOf(office, third, encode(intentShape, draft.intent))('order.approve', { approval: toHex(noOfGuard(draft.intent)) })
        assert.equal(answer.status, 200)
        await restart(office, third)
        await refuses(office, await underPeople(draft), 'c6', /rejected/)
        for (const party of pair)
          assert.deepEqual(journalOf(office, Number(party)).register.vetoes.get(toHex(intentHash(draft.intent))), [partyOfMachine(GUARD)])
      })
    }
  })

  describe('a version of the policy', () => {
    it('that one signer follows is not left out by the two others, and goes forward only with the word of all', async (t) => {
      const office = await openOffice(t, get())
      const { organisation } = get()
      const { record } = policyChangeOf(organisation, organisation.policy, { expiresAtMs: BigInt(NOW_MS + 9 * DAY_MS) }, [ben, cleo], { initiator: ann })
      await assert.rejects(office.calls.get(1)!.applyPolicy({ genesis: genesis(), record, endorsements: [] }), refused('c12', /has not said/))
      const words = await endorsementsOf(office.calls, genesis(), { kind: 'policyChange', record })
      for (const few of [[words[0]!], [words[0]!, words[1]!], [words[1]!, words[1]!], [words[1]!, { ...words[1]!, party: 3n }]]) {
        await assert.rejects(office.calls.get(1)!.applyPolicy({ genesis: genesis(), record, endorsements: few }), refused('c12'))
      }
      await applyPolicy(office.calls, genesis(), record, [1])
      await refuses(office, await office.request({ parties: [2n, 3n] }), 'c12', /version 2/)
      await restart(office, 1)
      await refuses(office, await office.request({ parties: [2n, 3n] }), 'c12', /version 2/)
    })

    it('that somebody rejected at one page is followed by nobody, and after a signer has said that it follows one, a no comes too late at its page', async (t) => {
      const office = await openOffice(t, get())
      const { organisation } = get()
      const wanted = policyChangeOf(organisation, organisation.policy, { expiresAtMs: BigInt(NOW_MS + 9 * DAY_MS) }, [ben, cleo], { initiator: ann })
      const no = toHex(encode(approvalShape, approve(cleo, wanted.intent, organisation.policy, { decision: 'reject' })))
      const intent = encode(intentShape, wanted.intent)
      assert.equal((await pageOf(office, 3, intent)('order.approve', { approval: no })).status, 200)
      for (const party of [1, 2]) await assert.rejects(applyPolicy(office.calls, genesis(), wanted.record, [party]), refused('c12', /signer 3 has not said/))
      await assert.rejects(office.calls.get(3)!.endorse({ genesis: genesis(), subject: { kind: 'policyChange', record: wanted.record } }), refused('c6'))
      const late = await pageOf(office, 1, intent)('order.approve', { approval: no })
      assert.equal(late.status, 400)
      assert.match(String(late.body.error), /too late/)
      assert.equal(journalOf(office, 1).register.vetoes.size, 0)
    })
  })

  describe('an order about a key', () => {
    it('that somebody rejected at one page is followed by nobody, neither an export nor a retirement', async (t) => {
      const office = await openOffice(t, get())
      for (const action of ['export', 'retire'] as const) {
        const recipients = action === 'export' ? PARTIES.map((party) => ({ party: BigInt(party), recipients: ['age1nobody'] })) : []
        const { order, asked } = await keyOrderOf(office, action, { changes: { recipients } })
        const no = toHex(encode(approvalShape, approve(cleo, order, get().organisation.policy, { decision: 'reject' })))
        assert.equal((await pageOf(office, 2, asked.intent)('order.approve', { approval: no })).status, 200)
        for (const party of [1, 3]) await assert.rejects(followKeyOrder(office.calls, asked, party), refused('c12', /signer 2 has not said/))
      }
    })
  })

  describe('a signer that is away', () => {
    it('is gone on without only where those who govern say so, for their time, and until it speaks again', async (t) => {
      const office = await openOffice(t, get())
      const without = new Map([...office.calls].filter(([party]) => party !== 3))
      const silent = async (parties = [1n, 2n]) => runSession(without, await office.request({ parties }))
      const refusedAll = (outcomes: Awaited<ReturnType<typeof silent>>) =>
        [...outcomes.values()].every((each) => refused('c12', /signer 3 gave no word/)(each as PeerError))
      assert.ok(refusedAll(await silent()))
      const order = await declareAway(office, 3, { changes: { untilMs: BigInt(NOW_MS + 1000) } })
      for (const party of [1, 2]) resultOf(await silent(), party)
      office.time.nowMs = Number(order.untilMs)
      assert.ok(refusedAll(await silent()), 'its time is over')
      office.time.nowMs = NOW_MS
      for (const party of [1, 2]) resultOf(await silent(), party)
      await cosignAll(office, office.log)
      await signs(office, await office.request())
      assert.ok(refusedAll(await silent()), 'it has given its word: it is back')
      for (const party of [1, 2]) assert.equal(journalOf(office, party).register.absence, null)
    })

    it('stays away if it joins a session and gives no word, as one does that was put back to an older copy', async (t) => {
      const office = await openOffice(t, get())
      await declareAway(office, 3)
      const request = await office.request({ parties: [1n, 3n] })
      const encoded = encode(sessionRequestShape, request)
      const joins = await Promise.all([1, 3].map(async (party) => office.calls.get(party)!.openSession({ request: encoded })))
      for (const party of [1, 2]) await office.calls.get(party)!.giveWord({ genesis: genesis(), joins })
      for (const party of [1, 2]) assert.equal(journalOf(office, party).register.absence?.party, 3)
      for (const party of [1, 3]) await office.calls.get(party)!.endSession({ requestHash: requestHash(request) })
      const without = new Map([...office.calls].filter(([party]) => party !== 3))
      const outcomes = await runSession(without, await office.request())
      for (const party of [1, 2]) resultOf(outcomes, party)
    })

    it('is one at a time, never the one that is asked, by the quorum of those who govern, once for each order and with the word of the other', async (t) => {
      const office = await openOffice(t, get())
      const follow = async (party: number, away: number, options: Parameters<typeof absenceOf>[2] = {}) =>
        followSignerOrder(office, (await absenceOf(office, away, options)).asked, [party])
      await assert.rejects(follow(3, 3), refused('c1', /not away/))
      await assert.rejects(follow(1, 3, { approvers: [ben] }), refused('c5', /1 approval/))
      await assert.rejects(follow(1, 3, { approvers: [ann, ben] }), refused('c5', /1 approval/))
      await assert.rejects(follow(1, 3, { unlogged: true }), refused('c11'))
      await assert.rejects(follow(1, 3, { changes: { untilMs: BigInt(NOW_MS + 31 * DAY_MS) } }), refused('c4', /30 days/))
      const { asked } = await absenceOf(office, 3)
      await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...asked, endorsements: [] }), refused('c12', /signer 2 has not said/))
      await followSignerOrder(office, asked, [1, 2])
      await followSignerOrder(office, asked, [1])
      const { genesis: of, ...next } = (await absenceOf(office, 2)).asked
      const words = await endorsementsOf(office.calls, of, { kind: 'order', ...next })
      const followWith = (endorsements: typeof words) => office.calls.get(1)!.followSignerOrder({ genesis: of, ...next, endorsements })
      await assert.rejects(followWith(words.filter(({ party }) => party !== 3n)), refused('c12', /signer 3 has not said/))
      await followWith(words)
      assert.equal(journalOf(office, 1).register.absence?.party, 2, 'signer 3 has said that it follows, and so is back')
      await restart(office, 1)
      await signs(office, await office.request())
      await assert.rejects(followSignerOrder(office, asked, [1]), refused('c10', /has been back since/))
    })

    it('is named in the evidence of what was signed without it, and the order that says so is checked', async (t) => {
      const office = await openOffice(t, get())
      const { organisation, key } = get()
      const { asked } = await absenceOf(office, 3, { parties: [1, 2] })
      await followSignerOrder(office, asked, [1, 2])
      const request = office.requestWithoutCosigning()
      const lines = await cosignAll(office, office.log)
      const outcomes = await runSession(new Map([...office.calls].filter(([party]) => party !== 3)), request)
      const results = [1, 2].map((party) => decode(signatureResultShape, resultOf(outcomes, party)))
      const signatures = results[0]!.signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
      const absenceIndexes = [asked.intent, ...asked.approvals].map((body) => office.log.entries.findIndex((entry) => toHex(entry).includes(toHex(body))))
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
        words: [],
        absence: { intent: asked.intent, approvals: asked.approvals, logged: absenceIndexes.map((index) => office.log.logged(index)) },
      }
      const verify = (bundle: Evidence) => verifyEvidence(encode(evidenceShape, bundle), { codecFor, fingerprint: toHex(genesis()) })
      assert.deepEqual(verify(evidence).standing, { kind: 'absence', signer: 'signer 3', untilMs: BigInt(NOW_MS + 7 * DAY_MS), approvedBy: ['Ben', 'Cleo'] })
      // It is back, and signer 1 gives it what was signed without it.
      const again = await runSession(office.calls, { ...request, parties: [1n, 3n], nonce: new Uint8Array(32).fill(9) })
      const signatureStatements = [1, 3].map((party) => decode(signatureResultShape, resultOf(again, party)).statement)
      assert.deepEqual(verify({ ...evidence, signatureStatements }).standing, { kind: 'word', signer: 'signer 2', isShown: false })
      const bad: [Partial<typeof evidence>, string][] = [
        [{ absence: null }, 'words'],
        [{ absence: { ...evidence.absence!, approvals: asked.approvals.slice(0, 1), logged: evidence.absence!.logged.slice(0, 2) } }, 'absence'],
        [{ absence: { ...evidence.absence!, logged: request.logged } }, 'log'],
      ]
      for (const [change, step] of bad) {
        assert.throws(
          () => verify({ ...evidence, ...change } as Evidence),
          (cause) => cause instanceof EvidenceRefused && cause.step === step,
          step,
        )
      }
    })
  })

  describe('a freeze', () => {
    it('by one person at any page stops all signers and all signing, until those who govern lift it', async (t) => {
      const office = await openOffice(t, get())
      const { statement, encoded } = freezeOf(cleo)
      const page = createApprovalApi(office.signers.get(3)!, async () => ({ status: 500, body: { error: 'left out' } }))
      assert.deepEqual(await page('freeze', { freeze: toHex(encoded) }), { status: 200, body: { state: 'frozen', passed: false } })
      await restart(office, 3)
      await refuses(office, await office.request({ parties: [1n, 2n] }), 'c6', /frozen by Cleo: a key was stolen/)
      for (const party of [1, 2]) assert.equal(journalOf(office, party).register.freezes.size, 1, 'it spreads as a rejection does')
      const recipients = PARTIES.map((party) => ({ party: BigInt(party), recipients: ['age1nobody'] }))
      await assert.rejects(followKeyOrder(office.calls, (await keyOrderOf(office, 'export', { changes: { recipients } })).asked, 1), refused('c6', /frozen/))
      const reshare = await runSession(office.calls, await reshareRequest(office))
      for (const party of PARTIES) assert.ok(refused('c6', /frozen/)(reshare.get(party) as PeerError))

      await assert.rejects(followSignerOrder(office, (await liftFreezeOf(office, [statement], { approvers: [ben] })).asked), refused('c5'))
      const { asked } = await liftFreezeOf(office, [statement])
      await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...asked, endorsements: [] }), refused('c12'))
      await followSignerOrder(office, asked)
      for (const party of PARTIES) await office.calls.get(party)!.freeze({ genesis: genesis(), freeze: encoded })
      await signs(office, await office.request())
      await office.calls.get(2)!.freeze({ genesis: genesis(), freeze: freezeOf(cleo, 'once more', 2).encoded })
      await followSignerOrder(office, asked)
      await refuses(office, await office.request({ parties: [1n, 3n] }), 'c6', /once more/)
    })

    it('of one person, however often it is given, leaves out nobody else’s', async (t) => {
      const office = await openOffice(t, get())
      const give = (encoded: Uint8Array) => office.calls.get(1)!.freeze({ genesis: genesis(), freeze: encoded })
      for (let nonce = 1; nonce <= 17; nonce++) await give(freezeOf(cleo, 'again and again', nonce).encoded)
      await give(freezeOf(ben, 'mine').encoded)
      const reasons = [...journalOf(office, 1).register.freezes.values()].map((each) => decode(freezeShape, each).statement.reason)
      assert.deepEqual(reasons, ['again and again', 'again and again', 'mine'])
      const told = (await office.calls.get(1)!.status({ genesis: genesis() })).frozen.map((each) => decode(freezeShape, each).statement.reason)
      assert.deepEqual(told.slice(0, 2), ['again and again', 'mine'], 'the newest of each person is told first')
    })

    it('that somebody gives again holds until a lift names it, and the one before it does not come back', async (t) => {
      const office = await openOffice(t, get())
      const give = (party: number, encoded: Uint8Array) => office.calls.get(party)!.freeze({ genesis: genesis(), freeze: encoded })
      const [one, two, three, four] = [1, 2, 3, 4].map((nonce) => freezeOf(cleo, `freeze ${nonce}`, nonce, NOW_MS + nonce))
      const inForce = (party: number) => [...journalOf(office, party).register.freezes.values()].map((each) => decode(freezeShape, each).statement.reason)
      for (const party of PARTIES) await give(party, one!.encoded)
      const { asked: liftsFirst } = await liftFreezeOf(office, [one!.statement])
      await give(3, two!.encoded)
      await followSignerOrder(office, liftsFirst)
      await refuses(office, await office.request(), 'c6', /freeze 2/)
      for (const party of PARTIES) assert.deepEqual(inForce(party), ['freeze 2'], 'both that were asked have heard it')

      const { asked: liftsTwo } = await liftFreezeOf(office, [two!.statement, three!.statement])
      await give(1, four!.encoded)
      await give(1, three!.encoded)
      assert.deepEqual(inForce(1), ['freeze 4', 'freeze 3'], 'what comes late takes the place of what is older')
      await restart(office, 1)
      for (const { encoded } of [one!, two!]) await give(1, encoded)
      assert.deepEqual(inForce(1), ['freeze 4', 'freeze 3'], 'what was lifted or replaced does not come back')
      await followSignerOrder(office, liftsTwo)
      await refuses(office, await office.request({ parties: [2n, 3n] }), 'c6', /freeze 4/)
      await followSignerOrder(office, (await liftFreezeOf(office, [four!.statement])).asked)
      await signs(office, await office.request())
    })

    it('counts only where somebody who approves or governs has signed it', async (t) => {
      const office = await openOffice(t, get())
      const give = (encoded: Uint8Array) => office.calls.get(1)!.freeze({ genesis: genesis(), freeze: encoded })
      await assert.rejects(give(freezeOf(outsider).encoded), refused('c6', /not in the policy/))
      const { statement } = freezeOf(cleo)
      const forged = (assertion: ReturnType<typeof assertWith>) => encode(freezeShape, { statement, assertion })
      await assert.rejects(give(forged(assertWith(ben.keys[0], freezeHash(statement)))), refused('c6', /not one of Cleo/))
      await assert.rejects(give(forged(assertWith(cleo.keys[0], new Uint8Array(32)))), refused('c6', /does not verify/))
      await assert.rejects(give(forged(assertWith(cleo.keys[0], freezeHash(statement), { origin: 'http://console.localhost' }))), refused('c6', /origin/))
      await assert.rejects(give(Uint8Array.of(1)), refused('c6'))
      await signs(office, await office.request())
    })
  })

  describe('words', () => {
    it('are not given by a signer that has forgotten: put back to an older copy it is found out as the third, however many records it has written since', async (t) => {
      const office = await openOffice(t, get())
      const copy = `${office.root}/copy`
      await restart(office, 3, (folder) => copyFolder(folder, copy))
      const request = await office.request({ salt: 80 })
      const no = approve(cleo, decode(intentShape, request.intent), get().organisation.policy, { decision: 'reject' })
      assert.equal((await pageOf(office, 3, request.intent)('order.approve', { approval: toHex(encode(approvalShape, no)) })).status, 200)
      await signs(office, await office.request())
      const { position } = journalOf(office, 3)
      await putBack(office, 3, copy)
      await cosignAll(office, office.log)
      for (let i = 0; journalOf(office, 3).position < position + 4; i++) {
        const unapproved = { ...request, parties: [1n, 3n], approvals: [], nonce: new Uint8Array(32).fill(i) }
        await assert.rejects(office.calls.get(3)!.openSession({ request: encode(sessionRequestShape, unapproved) }), refused('c5'))
      }
      const joins = await Promise.all([1, 2].map((party) => office.calls.get(party)!.openSession({ request: encode(sessionRequestShape, request) })))
      await assert.rejects(office.calls.get(3)!.giveWord({ genesis: genesis(), joins }), refused('c12', /put back to an older copy/))
      await Promise.all([1, 2].map((party) => office.calls.get(party)!.endSession({ requestHash: requestHash(request) })))
      await refuses(office, await office.request({ salt: 80 }), 'c12', /signer 3 gave no word/)
    })

    it('count for their session alone, once, of each signer, and as each has signed it', async (t) => {
      const office = await openOffice(t, get())
      const openBoth = async (request: Asked) =>
        Promise.all(request.parties.map((party) => office.calls.get(Number(party))!.openSession({ request: encode(sessionRequestShape, request) })))
      const before = await office.request()
      const old = await gatherWords(office.calls, genesis(), await openBoth(before))
      for (const party of [1, 2]) await office.calls.get(party)!.endSession({ requestHash: requestHash(before) })
      const tricks: [(words: typeof old) => typeof old, string][] = [
        [() => old, 'c1'],
        [(words) => [...words.slice(0, 2), old[2]!], 'c1'],
        [(words) => [words[0]!, words[1]!, { ...words[1]!, party: 3n }], 'c1'],
        [(words) => [words[2]!, words[2]!, words[1]!], 'c1'],
        [(words) => words.slice(0, 2), 'c12'],
        [() => [], 'c12'],
      ]
      for (const [trick, check] of tricks) {
        const outcomes = await runSession(office.calls, await office.request(), { words: trick })
        assert.ok(refused(check)(outcomes.get(1) as PeerError))
      }
      await signs(office, await office.request())
      const request = await office.request()
      const joins = await openBoth(request)
      await assert.rejects(office.calls.get(3)!.giveWord({ genesis: genesis(), joins: [joins[0]!, joins[0]!, joins[1]!].slice(0, 1) }), refused('c1'))
      const { position } = journalOf(office, 3)
      await gatherWords(office.calls, genesis(), joins)
      assert.equal(journalOf(office, 3).position, position, 'giving a word writes nothing')
    })
  })
}
