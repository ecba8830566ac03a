import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { intentHash, screeningMessage, type ScreeningWord, screeningWordShape } from '@holdfast/intent'
import { inThirdForm, type NamedRule, type Policy } from '@holdfast/policy'
import {
  type Evidence,
  evidenceShape,
  EvidenceRefused,
  type EvidenceReport,
  signatureResultShape,
  signatureStatementShape,
  type Signed,
  signMessage,
  verifyEvidence,
} from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { namedRule, personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { applyPolicy, copyFolder, cosignAll, PAIRS, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf } from '../office-acts.ts'
import { approvalsOf, type Draft, draftOf, requestOf } from '../order-of.ts'
import { CHAIN, NOW_MS } from '../organisation-of.ts'
import { policyChangeOf } from '../policy-change-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

const SECRET = new Uint8Array(32).fill(61)
const MINUTE_MS = 60_000
const LISTS = {
  id: 'lists',
  name: 'List desk',
  kind: 'screener',
  publicKey: ed25519.getPublicKey(SECRET),
  purpose: '',
  expiresAtMs: BigInt(NOW_MS + 86_400_000),
}
const by: NamedRule = namedRule('calm', {
  conditions: [{ kind: 'screening', machines: ['lists'], levels: ['low'], withinMs: BigInt(10 * MINUTE_MS) }],
  steps: [{ need: 2n, who: [ben, cleo].map(({ person }) => personOf(person)) }],
})
type World = { office: Office; policy: Policy; record: Uint8Array }

/** What screeners say, over real sessions of three signers: what is signed, what is not, and what a stranger can check afterwards. */
export function screeningSuite(get: () => Founded): void {
  const { signs, refuses, genesis } = actsOf(get)

  /** An office whose policy lets pay what a list desk calls low. */
  const openWorld = async (t: TestContext): Promise<World> => {
    const office = await openOffice(t, get())
    const { policy } = get().organisation
    const { groups, valuation, signers, parts, looseningDelayMs } = inThirdForm(policy)
    const form = { kind: 'namedRules', groups, machines: [LISTS], valuation, signers, parts, looseningDelayMs }
    const { record, next } = policyChangeOf(get().organisation, policy, { ...form, rules: [by] } as Partial<Policy>, [ben, cleo], { initiator: ann })
    await applyPolicy(office.calls, genesis(), record)
    return { office, policy: next, record }
  }
  let orders = 300
  const drafted = ({ policy }: World, salt = orders++) => draftOf({ fingerprint: genesis(), policy, key: get().key, initiator: ann, salt, nonce: BigInt(salt) })
  const wordOf = ({ intent }: Draft, changes: Partial<ScreeningWord> = {}, secret = SECRET): Uint8Array => {
    const found = { provider: 'deny list', level: 'low', screenedAtMs: BigInt(NOW_MS), reportHash: new Uint8Array(32).fill(4) }
    const statement = { genesis: genesis(), intentHash: intentHash(intent), machine: 'lists', ...found, ...changes }
    return encode(screeningWordShape, { ...statement, signature: signEd25519(screeningMessage(statement), secret) })
  }
  const requested = async ({ office, policy }: World, draft: Draft, words: readonly Uint8Array[], parties: readonly bigint[] = [1n, 2n]) => {
    const { log } = office
    const made = requestOf({ key: get().key, draft, approvals: approvalsOf(draft, policy, [ben, cleo]), log, parties: [...parties], salt: orders++ }).request
    const places = [...made.logged.map(({ index }) => Number(index)), ...words.map((body) => log.append('approval', body))]
    await cosignAll(office, log)
    return { ...made, approvals: [...made.approvals, ...words], checkpoint: log.note(), logged: places.map((index) => log.logged(index)) }
  }

  describe('signers under a rule that demands a screening word', () => {
    for (const pair of PAIRS) {
      it(`${pair.join(' and ')} sign with it, and with none that is stale, forged, missing or of another order`, async (t) => {
        const world = await openWorld(t)
        const draft = drafted(world)
        const hostile = [
          [],
          [wordOf(draft, { screenedAtMs: BigInt(NOW_MS - 11 * MINUTE_MS) })],
          [wordOf(draft, {}, new Uint8Array(32).fill(62))],
          [wordOf(drafted(world))],
          [wordOf(draft, { level: 'severe' })],
        ]
        for (const words of hostile) await refuses(world.office, await requested(world, draft, words, pair), 'c5', /what screeners said/)
        await signs(world.office, await requested(world, draft, [wordOf(draft)], pair))
      })
    }

    it('ask for it also after a start, and after a folder is put back', async (t) => {
      const world = await openWorld(t)
      const { office } = world
      const copy = `${office.root}/copy`
      await restart(office, 1, (folder) => copyFolder(folder, copy))
      const draft = drafted(world)
      await refuses(office, await requested(world, draft, []), 'c5')
      await restart(office, 1, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      await refuses(office, await requested(world, draft, []), 'c5')
      await signs(office, await requested(world, draft, [wordOf(draft)]))
    })

    it('count its age by their own clocks, while the order waits', async (t) => {
      const world = await openWorld(t)
      const draft = drafted(world)
      world.office.time.nowMs += 11 * MINUTE_MS
      await refuses(world.office, await requested(world, draft, [wordOf(draft)]), 'c5')
      await signs(world.office, await requested(world, draft, [wordOf(draft), wordOf(draft, { screenedAtMs: BigInt(NOW_MS + 11 * MINUTE_MS) })]))
    })
  })

  describe('evidence of an order that was screened', () => {
    it('shows the word, and proves nothing without it, with another, or where it was too old when it was signed', async (t) => {
      const world = await openWorld(t)
      const { office, record } = world
      const { organisation, key } = get()
      const draft = drafted(world)
      const request = await requested(world, draft, [wordOf(draft)])
      const lines = await cosignAll(office, office.log)
      let words: Signed[] = []
      const outcomes = await runSession(office.calls, request, { words: (given: Signed[]) => (words = given) })
      const results = [1, 2].map((party) => decode(signatureResultShape, resultOf(outcomes, party)))
      const signatures = results[0]!.signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
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
        words: words.filter(({ party }) => party === 3n).slice(0, 1),
        absence: null,
      }
      const verify = (changes: object = {}): EvidenceReport =>
        verifyEvidence(encode(evidenceShape, { ...evidence, ...changes } as Evidence), { codecFor, fingerprint: toHex(genesis()) })
      assert.deepEqual(verify().screenings, [{ screener: 'List desk', provider: 'deny list', level: 'low', atMs: BigInt(NOW_MS) }])
      const refusedAt = (changes: object, step: string) =>
        assert.throws(
          () => verify(changes),
          (cause) => cause instanceof EvidenceRefused && cause.step === step,
          step,
        )
      const votes = request.approvals.slice(0, 2)
      refusedAt({ approvals: votes, logged: request.logged.slice(0, 3) }, 'approvals')
      refusedAt({ approvals: [...votes, wordOf(draft, { level: 'severe' })] }, 'approvals')
      refusedAt({ approvals: [...votes, wordOf(draft, {}, new Uint8Array(32).fill(62))] }, 'approvals')
      refusedAt({ approvals: [...votes, wordOf(draft, { reportHash: new Uint8Array(32) })] }, 'log')
      const signedAt = (atMs: number) =>
        results.map(({ statement: { party, message } }) => {
          const statement = { ...decode(signatureStatementShape, message), atMs: BigInt(atMs) }
          return signMessage(signatureStatementShape, statement, party, office.signers.get(Number(party))!.options.identity.secretKey)
        })
      assert.ok(verify({ signatureStatements: signedAt(NOW_MS + 12 * MINUTE_MS) }), 'a session that began in time may end a little later')
      refusedAt({ signatureStatements: signedAt(NOW_MS + 13 * MINUTE_MS) }, 'approvals')
    })
  })
}
