import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { intentHash, intentShape } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { PROTOCOL } from '@holdfast/mpc'
import {
  keyStatementShape,
  openSigned,
  refusalStatementShape,
  requestHash,
  type SessionRequest,
  sessionRequestShape,
  signatureResultShape,
  type Signed,
  type SignRequest,
  signedShape,
  verifyEvidence,
  evidenceShape,
} from '@holdfast/protocol'
import fc from 'fast-check'
import type { Turn } from '../../sessions/sessions.ts'
import { type Cluster, copyFolder, cosignAll, gatherWords, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { CHAIN, COIN, DAY_MS } from '../organisation-of.ts'
import { declareAway } from '../signer-order-of.ts'
import { tempFolder } from '../temp-folder.ts'
import { cleo, DAY_MAX, ORDER_MAX } from '../world-of.ts'

/** How sessions run and end. `get` gives the founded organisation, which exists once the tests run. */
export function sessionSuite(get: () => Founded): void {
  const refused = (check: string) => (cause: PeerError) => {
    assert.deepEqual([cause.kind, cause.check], ['refused', check], cause.message)
    return true
  }

  /** Runs a session and gives the raw transaction, which every party must agree on and the codec must accept. */
  async function sign(office: Office, request: { kind: 'sign' } & SignRequest): Promise<string> {
    const outcomes = await runSession(office.calls, request)
    const raws = request.parties.map((party) => rawOf(request, resultOf(outcomes, Number(party))))
    assert.equal(new Set(raws).size, 1)
    return raws[0]!
  }

  function rawOf(request: SignRequest, result: Uint8Array): string {
    const { signatures } = decode(signatureResultShape, result)
    const codec = codecFor(CHAIN)!
    const { raw } = codec.attach(
      request.unsigned,
      signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) })),
    )
    assert.deepEqual(codec.detach(raw).unsigned, request.unsigned)
    return toHex(raw)
  }

  /** What the evidence of a session says to whoever trusts nobody. */
  async function verified(office: Office, request: Awaited<ReturnType<Office['request']>>, lines: string[], outcomes: Awaited<ReturnType<typeof runSession>>) {
    const { organisation, key } = get()
    const asked = { genesis: organisation.fingerprint, keyId: key.keyId, epoch: 0n }
    const evidence = encode(evidenceShape, {
      kind: 'witnessed',
      genesisRecord: organisation.record,
      policyChanges: [],
      intent: request.intent,
      approvals: request.approvals,
      raw: fromHex(rawOf(request, resultOf(outcomes, Number(request.parties[0])))),
      keyStatements: await Promise.all([1, 2, 3].map((party) => office.calls.get(party)!.attestKey(asked))),
      signatureStatements: request.parties.map((party) => decode(signatureResultShape, resultOf(outcomes, Number(party))).statement),
      checkpoint: office.log.note(lines),
      logged: request.logged,
      words: [],
      absence: null,
    })
    return verifyEvidence(evidence, { codecFor, fingerprint: toHex(organisation.fingerprint) })
  }

  const open = (office: Cluster, party: number, request: SessionRequest) =>
    office.calls.get(party)!.openSession({ request: encode(sessionRequestShape, request) })
  const end = (office: Cluster, party: number, request: SessionRequest) => office.calls.get(party)!.endSession({ requestHash: requestHash(request) })

  describe('three signers', () => {
    it('say the same of the key they made', async (t) => {
      const office = await openOffice(t, get())
      const { keyId, epoch } = get().key
      for (const { party, signKey } of get().organisation.genesis.signers) {
        const signed = await office.calls.get(Number(party))!.attestKey({ genesis: get().organisation.fingerprint, keyId, epoch })
        assert.deepEqual(openSigned(keyStatementShape, signed, signKey), { ...get().key, party })
      }
    })

    it('sign with every pair, and what they give convinces a stranger', async (t) => {
      const office = await openOffice(t, get())
      for (const parties of [
        [1n, 2n],
        [1n, 3n],
        [2n, 3n],
      ]) {
        const request = office.requestWithoutCosigning({ parties })
        const lines = await cosignAll(office, office.log)
        const report = await verified(office, request, lines, await runSession(office.calls, request))
        assert.deepEqual(
          report.signers,
          parties.map((party) => `signer ${party}`),
        )
        assert.deepEqual(report.approvedBy, ['Ben', 'Cleo'])
      }
    })

    it('convince a stranger also where one of them gives again what it signed before with the third', async (t) => {
      const office = await openOffice(t, get())
      const first = office.requestWithoutCosigning({ salt: 7 })
      const lines = await cosignAll(office, office.log)
      await runSession(office.calls, first, { deliver: (envelopes, to, round) => (to === 2 && round === 3 ? null : envelopes) })
      const again = { ...first, parties: [1n, 3n], nonce: new Uint8Array(32).fill(8) }
      const report = await verified(office, again, lines, await runSession(office.calls, again))
      assert.deepEqual([report.signers, report.standing], [['signer 1', 'signer 3'], { kind: 'word', signer: 'signer 2', isShown: false }])
    })

    it('go on after each was stopped and started again', async (t) => {
      const office = await openOffice(t, get())
      await sign(office, await office.request())
      for (const party of [1, 2, 3]) await restart(office, party)
      await sign(office, await office.request())
      await sign(office, await office.request({ parties: [2n, 3n] }))
    })

    it('give the first signature again for the same bytes, and no other', async (t) => {
      const office = await openOffice(t, get())
      const first = await office.request({ salt: 5 })
      const raw = await sign(office, first)
      const again = await office.request({ salt: 5 })
      assert.notDeepEqual(requestHash(again), requestHash(first))
      assert.equal(await sign(office, again), raw)
      assert.equal(await sign(office, await office.request({ salt: 5, parties: [1n, 3n] })), raw, 'a party that has it gives it to one that does not')
    })

    it('bring a peer that missed the last message to the same signature', async (t) => {
      const office = await openOffice(t, get())
      const request = await office.request({ salt: 6 })
      const outcomes = await runSession(office.calls, request, { deliver: (envelopes, to, round) => (to === 2 && round === 3 ? null : envelopes) })
      const raw = rawOf(request, resultOf(outcomes, 1))
      assert.equal(outcomes.get(2), undefined)
      assert.equal(await sign(office, await office.request({ salt: 6 })), raw)
    })

    it('say the result again to a caller that asks after the end, and read nothing more', async (t) => {
      const office = await openOffice(t, get())
      const outcomes = await runSession(office.calls, await office.request())
      const { session } = outcomes.get(1) as Turn
      const junk = { message: Uint8Array.of(1), party: 2n, signature: new Uint8Array(64) }
      for (const envelopes of [[], [junk]]) {
        assert.deepEqual(await office.calls.get(1)!.deliver({ session, envelopes }), { session, outgoing: [], done: true, result: resultOf(outcomes, 1) })
      }
    })

    it('sign a replacement with a higher fee in the same slot, and never a second payment in another', async (t) => {
      const office = await openOffice(t, get())
      const first = await sign(office, await office.request({ salt: 7, nonce: 70n }))
      assert.notEqual(await sign(office, await office.request({ salt: 7, nonce: 70n, fee: 60_000_000_000n })), first)
      await assert.rejects(open(office, 1, await office.request({ salt: 7, nonce: 71n })), refused('c10'))
      await assert.rejects(open(office, 1, await office.request({ salt: 8, nonce: 70n })), refused('c10'))
      assert.ok(await sign(office, await office.request({ salt: 8, nonce: 71n })))
    })

    it('state their refusals under signature, and write them down', async (t) => {
      const office = await openOffice(t, get())
      const request = { ...(await office.request()), approvals: [] }
      const { position } = journalOf(office, 2)
      const cause = await open(office, 2, request).then(
        () => assert.fail('joined'),
        (each: PeerError) => each,
      )
      const statement = openSigned(refusalStatementShape, cause.statement!, get().organisation.genesis.signers[1]!.signKey)!
      assert.deepEqual([statement.check, toHex(statement.requestHash), statement.reason], ['c5', toHex(requestHash(request)), cause.message])
      assert.equal(journalOf(office, 2).position, position + 1)
    })
  })

  describe('sessions side by side', () => {
    it('sign up to the limit and not one unit past it', async (t) => {
      const office = await openOffice(t, get())
      let signed = 0n
      for (let i = 0; i < 5; i++) {
        const outcome = (await runSession(office.calls, await office.request({ asset: COIN, amount: ORDER_MAX }))).get(1)
        if (outcome instanceof Error) assert.ok(refused('c9')(outcome as PeerError))
        else signed += ORDER_MAX
      }
      assert.equal(signed, DAY_MAX)
    })

    it('opened at the same moment, are judged one after the other', async (t) => {
      const office = await openOffice(t, get())
      await sign(office, await office.request({ asset: COIN, amount: ORDER_MAX }))
      await sign(office, await office.request({ asset: COIN, amount: ORDER_MAX }))
      const rivals = [await office.request({ asset: COIN, amount: ORDER_MAX }), await office.request({ asset: COIN, amount: ORDER_MAX })]
      const opened = await Promise.allSettled(rivals.map((request) => open(office, 1, request)))
      assert.deepEqual(
        opened.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      )
      assert.equal(((opened[1] as PromiseRejectedResult).reason as PeerError).check, 'c9')
    })

    it('with one key go one at a time; the other is told to come again, and then signs', async (t) => {
      const office = await openOffice(t, get())
      const [one, two] = [await office.request(), await office.request()]
      await open(office, 1, one)
      await assert.rejects(open(office, 1, two), { kind: 'unavailable' })
      await end(office, 1, one)
      await sign(office, two)
    })

    it('are refused at the start where the policy, the time or a person has changed its mind since the join', async (t) => {
      const office = await openOffice(t, get())
      const changes: [string, (request: SignRequest) => void][] = [
        ['c3', () => void (office.time.nowMs = Number(get().organisation.policy.expiresAtMs))],
        ['c4', () => void (office.time.nowMs += 2 * DAY_MS)],
        [
          'c6',
          ({ intent }) => void journalOf(office, 1).write([{ kind: 'vetoed', intentHash: intentHash(decode(intentShape, intent)), person: cleo.person.id }]),
        ],
      ]
      for (const [check, change] of changes) {
        const request = await office.request()
        const joins = [await open(office, 1, request), await open(office, 2, request)]
        const was = office.time.nowMs
        const words = await gatherWords(office.calls, request.genesis, joins)
        change(request)
        await assert.rejects(office.calls.get(1)!.startSession({ requestHash: requestHash(request), joins, words }), refused(check))
        office.time.nowMs = was
        await end(office, 2, request)
      }
      await sign(office, await office.request())
    })

    it('asked for twice before the start, give the same join; after the end, none', async (t) => {
      const office = await openOffice(t, get())
      const request = await office.request()
      assert.deepEqual(await open(office, 1, request), await open(office, 1, request))
      await end(office, 1, request)
      await assert.rejects(open(office, 1, request), refused('c1'))
    })

    it('that nobody goes on with end by themselves and free the key and the slot', async (t) => {
      const office = await openOffice(t, get())
      await open(office, 1, await office.request({ salt: 20, nonce: 20n }))
      office.time.fire()
      await sign(office, await office.request({ salt: 21, nonce: 20n }))
    })

    it('cut off by a crash are over, and the next one signs', async (t) => {
      const office = await openOffice(t, get())
      const request = await office.request({ salt: 22 })
      await runSession(office.calls, request, {
        deliver: (envelopes, _, round) => {
          if (round === 2) throw new Error('the server died')
          return envelopes
        },
      }).catch(() => {})
      await assert.rejects(open(office, 1, await office.request({ salt: 23 })), { kind: 'unavailable' })
      for (const party of [1, 2]) await restart(office, party)
      await sign(office, await office.request({ salt: 22 }))
    })
  })

  describe('a signer put back to an older copy of its folder', () => {
    /** Copies party 1's folder, lets the organisation sign `more` orders, and puts the copy back. */
    async function rollBack(t: Parameters<typeof openOffice>[0], more: number): Promise<Office> {
      const office = await openOffice(t, get())
      await sign(office, await office.request())
      const copy = `${await tempFolder(t)}/copy`
      await restart(office, 1, (folder) => copyFolder(folder, copy))
      for (let i = 0; i < more; i++) await sign(office, await office.request())
      await restart(office, 1, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      return office
    }

    it('refuses to sign', async (t) => {
      const office = await rollBack(t, 1)
      const outcomes = await runSession(office.calls, await office.request())
      assert.ok(refused('c12')(outcomes.get(1) as PeerError))
    })

    it('refuses also after it has written as many records again, and more', async (t) => {
      const office = await rollBack(t, 2)
      const was = journalOf(office, 1).position
      for (let i = 0; journalOf(office, 1).position < was + 12; i++)
        await assert.rejects(open(office, 1, { ...(await office.request()), approvals: [] }), refused('c5'))
      const outcomes = await runSession(office.calls, await office.request())
      assert.ok(refused('c12')(outcomes.get(1) as PeerError))
      assert.match((outcomes.get(1) as PeerError).message, /another record/)
    })

    it('is refused by a peer that knows it from later, even if it lies to itself', async (t) => {
      const office = await rollBack(t, 1)
      const outcomes = await runSession(office.calls, await office.request())
      assert.ok(refused('c12')(outcomes.get(2) as PeerError))
    })

    it('gives no word to the two that stayed as they were; they sign once people say that it is away', async (t) => {
      const office = await rollBack(t, 1)
      const outcomes = await runSession(office.calls, await office.request({ parties: [2n, 3n] }))
      for (const party of [2, 3]) assert.match((outcomes.get(party) as PeerError).message, /signer 1 gave no word/)
      await declareAway(office, 1)
      await sign(office, await office.request({ parties: [2n, 3n] }))
    })
  })

  describe('what the relay may do', () => {
    it('never leads to a wrong signature or a crash: any byte of any message changed ends the session, and the next one signs', async (t) => {
      const office = await openOffice(t, get())
      const fields = fc.constantFrom('message' as const, 'signature' as const)
      await fc.assert(
        fc.asyncProperty(fc.nat(3), fc.constantFrom(1, 2), fields, fc.nat(), async (round, victim, field, at) => {
          const spoil = <T extends { message: Uint8Array; signature: Uint8Array }>(signed: T): T => ({
            ...signed,
            [field]: signed[field].map((byte, i) => (i === at % signed[field].length ? byte ^ 1 : byte)),
          })
          const request = await office.request()
          const outcomes = await runSession(office.calls, request, {
            joins: (joins, to) => (round === 0 && to === victim ? joins.map(spoil) : joins),
            deliver: (envelopes, to, now) => (now === round && to === victim ? envelopes.map(spoil) : envelopes),
          })
          const failure = outcomes.get(victim) as PeerError
          assert.equal(failure.kind, round === 0 ? 'refused' : 'fault', failure.message)
        }),
        { numRuns: 25 },
      )
      assert.deepEqual(
        (await office.calls.get(1)!.status({ genesis: get().organisation.fingerprint })).locked,
        [],
        'what the relay changes is not laid on the peer',
      )
      await sign(office, await office.request())
    })

    it('nor do messages of other sessions, other rounds, twice, or not at all', async (t) => {
      const office = await openOffice(t, get())
      const kept: Signed[][] = []
      await runSession(office.calls, await office.request(), { deliver: (envelopes, to) => (to === 1 && kept.push(envelopes), envelopes) })
      const tricks: ((envelopes: Signed[], round: number) => Signed[])[] = [
        (_, round) => kept[round - 1]!,
        (envelopes, round) => (round === 2 ? kept[2]! : envelopes),
        (envelopes) => [...envelopes, ...envelopes],
      ]
      for (const trick of tricks) {
        const outcomes = await runSession(office.calls, await office.request(), {
          deliver: (envelopes, to, round) => (to === 1 ? trick(envelopes, round) : envelopes),
        })
        assert.equal((outcomes.get(1) as PeerError).kind, 'fault')
      }
      await sign(office, await office.request())
    })

    it('a request that cannot be read is a fault and leaves no trace', async (t) => {
      const office = await openOffice(t, get())
      const { position } = journalOf(office, 1)
      await assert.rejects(office.calls.get(1)!.openSession({ request: Uint8Array.of(1, 2, 3) }), { kind: 'fault' })
      assert.equal(journalOf(office, 1).position, position)
    })
  })

  describe('making a key', () => {
    const request: SessionRequest = {
      kind: 'generateKey',
      protocol: PROTOCOL,
      genesis: new Uint8Array(32),
      keyId: new Uint8Array(32).fill(8),
      epoch: 0n,
      parties: [1n, 2n, 3n],
      purpose: 'payments',
      nonce: new Uint8Array(32).fill(1),
    }

    it('needs all three, a new name and a first epoch', async (t) => {
      const office = await openOffice(t, get())
      const { fingerprint } = get().organisation
      for (const change of [{ parties: [1n, 2n] }, { parties: [2n, 1n, 3n] }, { epoch: 1n }, { keyId: get().key.keyId }])
        await assert.rejects(open(office, 1, { ...request, genesis: fingerprint, ...change }), refused('c1'))
      await assert.rejects(open(office, 1, request), refused('c2'))
    })

    it('gives the second of two keys its own shares, and each signs for its own addresses', async (t) => {
      const office = await openOffice(t, get())
      const { fingerprint } = get().organisation
      const made = await runSession(office.calls, { ...request, genesis: fingerprint })
      const statements = [1, 2, 3].map(
        (party) => openSigned(keyStatementShape, decode(signedShape, resultOf(made, party)), get().organisation.genesis.signers[party - 1]!.signKey)!,
      )
      assert.equal(new Set(statements.map(({ publicKey, chainCode }) => toHex(publicKey) + toHex(chainCode))).size, 1)
      assert.notDeepEqual(statements[0]!.publicKey, get().key.publicKey)
      await assert.rejects(open(office, 1, { ...(await office.request()), keyId: request.keyId }), refused('c7'))
    })
  })
}
