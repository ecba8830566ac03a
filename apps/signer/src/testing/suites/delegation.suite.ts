import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import { type Delegation, delegationShape, encodeVote, type Intent, intentShape, type Vote } from '@holdfast/intent'
import { inThirdForm, type Policy } from '@holdfast/policy'
import {
  type Evidence,
  evidenceShape,
  EvidenceRefused,
  type EvidenceReport,
  sessionRequestShape,
  signatureResultShape,
  signatureStatementShape,
  type Signed,
  signMessage,
  verifyEvidence,
  type Word,
  wordShape,
} from '@holdfast/protocol'
import { personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { createApprovalApi, type JsonRecord } from '../../page/approval-api.ts'
import { applyPolicy, copyFolder, cosignAll, PAIRS, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf } from '../office-acts.ts'
import { type Draft, draftOf, requestOf } from '../order-of.ts'
import { CHAIN, DAY_MS, NOW_MS } from '../organisation-of.ts'
import { approve, approveFor, delegate, makeMember } from '../people.ts'
import { policyChangeOf } from '../policy-change-of.ts'
import { declareAway } from '../signer-order-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

const dora = makeMember('Dora')
type World = { office: Office; policy: Policy; record: Uint8Array }

/** Votes for who is away, over real sessions of three signers: what counts, and that an end cannot be hidden. */
export function delegationSuite(get: () => Founded): void {
  const { refused, signs, refuses, pageOf, genesis } = actsOf(get)
  const said = (sequence: bigint, changes: Parameters<typeof delegate>[3] | object = {}) =>
    delegate(cleo, dora, genesis(), { nowMs: NOW_MS, sequence, ...changes })
  const ending = (sequence: bigint) => said(sequence, { fromMs: 0n, untilMs: 0n })
  const hexOf = (delegation: Delegation) => toHex(encode(delegationShape, delegation))
  const endedAt = (office: Office, party: number) => journalOf(office, party).register.ended.get(toHex(cleo.person.id))
  const leftOut = (office: Office, party: number) => createApprovalApi(office.signers.get(party)!, async () => ({ status: 500, body: { error: 'left out' } }))
  const thirdOf = (pair: readonly bigint[]) => PARTIES.find((party) => !pair.includes(BigInt(party)))!

  /** An office whose policy lets Dora stand in. */
  const openWorld = async (t: TestContext): Promise<World> => {
    const office = await openOffice(t, get())
    const { policy } = get().organisation
    const { groups, machines, valuation, signers, parts, looseningDelayMs } = inThirdForm(policy)
    const form = { kind: 'namedDeputies', groups, machines, valuation, signers, parts, looseningDelayMs, listingCoolingMs: 0n }
    const changes = { ...form, people: [...policy.people, dora.person], deputies: [personOf(dora.person)] }
    const { record, next } = policyChangeOf(get().organisation, policy, changes as Partial<Policy>, [ben, cleo], { initiator: ann })
    await applyPolicy(office.calls, genesis(), record)
    return { office, policy: next, record }
  }
  let orders = 200
  const drafted = ({ policy }: World, salt = orders++) => draftOf({ fingerprint: genesis(), policy, key: get().key, initiator: ann, salt, nonce: BigInt(salt) })
  const votesOn = ({ policy }: World, { intent }: Draft, delegation: Delegation): Vote[] => [
    approve(ben, intent, policy),
    approveFor(dora, cleo, delegation, intent, policy),
  ]
  const requested = async (world: World, delegation: Delegation, parties: readonly bigint[] = [1n, 2n], draft = drafted(world)) => {
    const { office } = world
    const approvals = votesOn(world, draft, delegation)
    const { request } = requestOf({ key: get().key, draft, approvals, log: office.log, parties: [...parties], salt: orders++ })
    await cosignAll(office, office.log)
    return request
  }

  describe('a vote for somebody who is away', () => {
    it('leads to a signature of every pair, and signers know the statement from then on', async (t) => {
      const world = await openWorld(t)
      for (const pair of PAIRS) await signs(world.office, await requested(world, said(1n), pair))
      for (const party of PARTIES) assert.equal(endedAt(world.office, party), 1n)
      await signs(world.office, await requested(world, said(2n)))
      await refuses(world.office, await requested(world, said(1n)), 'c6', /Cleo has ended/)
    })

    it('is taken at a signer’s page, and refused there where it does not count', async (t) => {
      const world = await openWorld(t)
      const draft = drafted(world)
      const at = pageOf(world.office, 1, encode(intentShape, draft.intent))
      const give = (delegation: Delegation, decision = 'approve') =>
        at('order.approve', { approval: toHex(encodeVote(approveFor(dora, cleo, delegation, draft.intent, world.policy, { decision }))) })
      assert.equal((await give(said(3n))).status, 200)
      assert.equal(endedAt(world.office, 1), 3n)
      assert.equal((await give(said(2n))).body.code, 'page-delegation-ended')
      assert.equal((await give(said(3n, { untilMs: BigInt(NOW_MS) }))).body.code, 'delegated-expired')
      assert.equal((await give(said(3n), 'reject')).status, 200)
      assert.deepEqual([...journalOf(world.office, 1).register.vetoes.values()], [[cleo.person.id]], 'her delegate’s no is hers')
      await refuses(world.office, await requested(world, said(3n), [2n, 3n], draft), 'c6', /rejected/)
    })

    it('is signed no more once its time has passed by the clock of a signer', async (t) => {
      const world = await openWorld(t)
      const { office } = world
      const short = said(1n, { untilMs: BigInt(NOW_MS + 1000) })
      const request = await requested(world, short)
      office.time.nowMs += 1000
      await refuses(office, request, 'c5', /has passed/)
    })

    it('counts in no order but those that move money', async (t) => {
      const world = await openWorld(t)
      const next = policyChangeOf(get().organisation, world.policy, { expiresAtMs: world.policy.expiresAtMs + 1n }, [ben], { initiator: ann })
      const vote = approveFor(dora, cleo, said(1n), next.intent as Intent, world.policy)
      const { body } = await pageOf(world.office, 1, encode(intentShape, next.intent))('order.approve', { approval: toHex(encodeVote(vote)) })
      assert.equal(body.code, 'delegated-other-order')
      await assert.rejects(applyPolicy(world.office.calls, genesis(), next.record), (cause: Error) => /lacks 1 approval/.test(cause.message))
    })
  })

  describe('the end of a delegation', () => {
    for (const pair of PAIRS) {
      it(`said at the page of signer ${thirdOf(pair)}, without the server, stops signers ${pair.join(' and ')}, also after new starts`, async (t) => {
        const world = await openWorld(t)
        const { office } = world
        const third = thirdOf(pair)
        const answer = await leftOut(office, third)('delegation.set', { delegation: hexOf(ending(2n)) })
        assert.deepEqual(answer, { status: 200, body: { state: 'kept', sequence: '2', passed: false } })
        await restart(office, third)
        await refuses(office, await requested(world, said(1n), pair), 'c6', /Cleo has ended/)
        for (const party of pair) assert.equal(endedAt(office, Number(party)), 1n, 'what another signer says is asked for every time')
        await signs(office, await requested(world, said(3n), pair))
      })
    }

    for (const pair of PAIRS) {
      it(`heard by signer ${pair[0]} alone stops it with every other`, async (t) => {
        const world = await openWorld(t)
        const { office } = world
        await office.calls.get(Number(pair[0]))!.setDelegation({ genesis: genesis(), delegation: encode(delegationShape, ending(2n)) })
        for (const each of PAIRS) await refuses(office, await requested(world, said(1n), each), 'c6', /Cleo has ended/)
      })
    }

    it('is not undone by a folder that is put back to an older copy', async (t) => {
      const world = await openWorld(t)
      const { office } = world
      const copy = `${office.root}/copy`
      await restart(office, 1, (folder) => copyFolder(folder, copy))
      await leftOut(office, 1)('delegation.set', { delegation: hexOf(ending(2n)) })
      // Whatever they sign together afterwards shows the others how far signer 1 had come.
      await signs(office, await requested(world, said(3n), [1n, 2n]))
      await leftOut(office, 1)('delegation.set', { delegation: hexOf(ending(4n)) })
      await signs(office, await requested(world, said(5n), [1n, 2n]))
      await restart(office, 1, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      for (const each of PAIRS) {
        const outcomes = [...(await runSession(office.calls, await requested(world, said(1n), each))).values()]
        assert.ok(outcomes.every((outcome) => outcome instanceof Error))
        assert.ok(outcomes.some((outcome) => ['c6', 'c12'].includes((outcome as { check?: string }).check ?? '')))
      }
    })

    it('is lost where the one that heard it is away by the word of people, as a rejection is', async (t) => {
      const world = await openWorld(t)
      const { office } = world
      await office.calls.get(3)!.setDelegation({ genesis: genesis(), delegation: encode(delegationShape, ending(2n)) })
      await refuses(office, await requested(world, said(1n), [1n, 2n]), 'c6', /Cleo has ended/)
      await declareAway(office, 3, { policy: world.policy })
      const without = new Map([...office.calls].filter(([party]) => party !== 3))
      const outcomes = await runSession(without, await requested(world, said(1n), [1n, 2n]))
      for (const party of [1, 2]) resultOf(outcomes, party)
    })

    it('ends sessions under way, is told to the server, and says what was heard', async (t) => {
      const world = await openWorld(t)
      const { office } = world
      const request = await requested(world, said(1n))
      await office.calls.get(1)!.openSession({ request: encode(sessionRequestShape, request) })
      const asked: [string, JsonRecord][] = []
      const page = createApprovalApi(office.signers.get(1)!, async (method, body) => {
        asked.push([method, body])
        return { status: 200, body: {} }
      })
      const delegation = hexOf(ending(2n))
      assert.equal((await page('delegation.set', { delegation })).body.passed, true)
      assert.deepEqual(asked, [['delegation.set', { delegation, language: 'en_US' }]])
      assert.equal(journalOf(office, 1).register.hasSessionsUnderWay, false)
      const { heard } = (await page('delegation.get', { genesis: toHex(genesis()) })).body
      assert.deepEqual(heard, [{ person: toHex(cleo.person.id), sequence: '2' }])
      await page('delegation.set', { delegation: hexOf(said(1n)) })
      assert.equal(endedAt(office, 1), 2n, 'an older one changes nothing')
    })

    it('is taken from whoever may sign it, and from nobody else', async (t) => {
      const world = await openWorld(t)
      const { office } = world
      const tell = (delegation: Delegation) => office.calls.get(1)!.setDelegation({ genesis: genesis(), delegation: encode(delegationShape, delegation) })
      await assert.rejects(tell({ ...ending(2n), assertion: said(9n).assertion }), refused('c6', /the statement/))
      await assert.rejects(tell(said(2n, { key: ben.keys[0] })), refused('c6', /not one of Cleo's/))
      await assert.rejects(tell(said(2n, { delegate: ann.person.id })), refused('c6', /Ann is not among those who may stand in/))
      await assert.rejects(tell(said(2n, { genesis: new Uint8Array(32) })), refused('c6', /another organisation/))
      assert.equal(endedAt(office, 1), undefined)
      assert.deepEqual(await tell(said(2n)), { sequence: 2n })
    })
  })

  describe('evidence with a vote for somebody who is away', () => {
    it('verifies offline and names both, and any other than what was signed does not', async (t) => {
      const world = await openWorld(t)
      const { office, record } = world
      const { organisation, key } = get()
      const draft = drafted(world)
      const request = requestOf({ key, draft, approvals: votesOn(world, draft, said(1n)), log: office.log, salt: orders++ }).request
      const lines = await cosignAll(office, office.log)
      let words: Signed[] = []
      const outcomes = await runSession(office.calls, request, { words: (given: Signed[]) => (words = given) })
      const results = [1, 2].map((party) => decode(signatureResultShape, resultOf(outcomes, party)))
      const signatures = results[0]!.signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
      const third = words.find(({ party }) => party === 3n)!
      const evidence: Evidence = {
        kind: 'witnessed',
        genesisRecord: organisation.record,
        policyChanges: [record],
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
      const verify = (changes: object = {}): EvidenceReport =>
        verifyEvidence(encode(evidenceShape, { ...evidence, ...changes } as Evidence), { codecFor, fingerprint: toHex(genesis()) })
      const report = verify()
      assert.deepEqual(report.approvedBy.toSorted(), ['Ben', 'Dora for Cleo'])
      assert.ok(report.rendering('zh-CN').title.length > 0)
      const refusedAt = (changes: object, step: string) =>
        assert.throws(
          () => verify(changes),
          (cause) => cause instanceof EvidenceRefused && cause.step === step,
          step,
        )
      const [own, given] = request.approvals as [Uint8Array, Uint8Array]
      const flipped = given.with(given.length - 5, given.at(-5)! ^ 1)
      refusedAt({ approvals: [own, flipped] }, 'approvals')
      const [, other] = votesOn(world, draft, said(2n)) as [Vote, Vote]
      refusedAt({ approvals: [own, encodeVote(other)] }, 'log')
      refusedAt({ approvals: [own, encodeVote(approve(dora, draft.intent, world.policy))] }, 'approvals')
      const at = (atMs: number) =>
        results.map(({ statement: { party, message } }) => {
          const statement = { ...decode(signatureStatementShape, message), atMs: BigInt(atMs) }
          return signMessage(signatureStatementShape, statement, party, office.signers.get(Number(party))!.options.identity.secretKey)
        })
      assert.ok(verify({ signatureStatements: at(NOW_MS + DAY_MS) }), 'a session that began in time may end a little later')
      refusedAt({ signatureStatements: at(NOW_MS + DAY_MS + 300_000) }, 'delegation')
      const word = decode(wordShape, third.message) as Word
      const { secretKey } = office.signers.get(3)!.options.identity
      const spoken = (changes: object) => ({ words: [signMessage(wordShape, { ...word, ...changes } as Word, 3n, secretKey)] })
      assert.ok(verify(spoken({ ended: [{ person: cleo.person.id, sequence: 1n }] })))
      refusedAt(spoken({ ended: [{ person: cleo.person.id, sequence: 2n }] }), 'words')
      const { ended: _, ...former } = word
      refusedAt({ words: [signMessage(wordShape, { ...former, kind: 'fifth' }, 3n, secretKey)] }, 'words')
    })
  })
}
