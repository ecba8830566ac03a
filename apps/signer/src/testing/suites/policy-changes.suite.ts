import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { approvalShape, intentHash, intentShape } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { type Policy, policyHash, policyShape } from '@holdfast/policy'
import { createApprovalApi } from '../../page/approval-api.ts'
import { applyPolicy, cosignAll, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { DAY_MS, NOW_MS } from '../organisation-of.ts'
import { approve, makeMember, type Member } from '../people.ts'
import { type ChangeOptions, policyChangeOf, type TestChange } from '../policy-change-of.ts'
import { declareAway } from '../signer-order-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

/** The chain of policies as three real signers keep it. */
export function policyChangeSuite(get: () => Founded): void {
  const genesis = () => get().organisation.fingerprint
  const later = (days: number) => ({ expiresAtMs: BigInt(NOW_MS + days * DAY_MS) })
  const change = (current: Policy, changes: Partial<Policy>, signers: Member[], options: Partial<ChangeOptions> = {}) =>
    policyChangeOf(get().organisation, current, changes, signers, { initiator: ann, ...options })
  const apply = (office: Office, { record }: TestChange, party = 1) => applyPolicy(office.calls, genesis(), record, [party])
  const versionOf = async (office: Office, party = 1) => (await office.calls.get(party)!.status({ genesis: genesis() })).policyVersion
  const refused = (check: string, words: RegExp) => (cause: PeerError) => {
    assert.deepEqual([cause.kind, cause.check], ['refused', check], cause.message)
    assert.match(cause.message, words)
    return true
  }

  describe('the chain of policies', () => {
    it('takes no version twice, leaves none out, and goes never back', async (t) => {
      const office = await openOffice(t, get())
      const second = change(get().organisation.policy, later(9), [ben, cleo])
      const third = change(second.next, later(8), [ben, cleo])
      await assert.rejects(apply(office, third), refused('c3', /does not follow/), 'version 3 before version 2')
      for (const each of [second, third]) for (const party of PARTIES) await apply(office, each, party)
      await assert.rejects(apply(office, second), refused('c3', /does not follow/), 'version 2 once more')
      const fork = change(get().organisation.policy, later(7), [ben, cleo])
      await assert.rejects(apply(office, fork), refused('c3', /does not follow/), 'another version 2')
      assert.equal(await versionOf(office), 3n)
    })

    it('is not moved by those who would govern, without those who do', async (t) => {
      const office = await openOffice(t, get())
      const [dora, emil] = [makeMember('Dora'), makeMember('Emil')]
      const { policy } = get().organisation
      const takeover = {
        people: [...policy.people, dora.person, emil.person],
        governance: { approvers: [dora.person.id, emil.person.id], threshold: 2n },
      }
      const byTheNew = change(policy, takeover, [], { newSigners: [dora, emil] })
      await assert.rejects(apply(office, byTheNew), refused('c3', /lacks 2 approval\(s\) of the version in force/))
      const inBoth = change(policy, takeover, [dora, emil], { newSigners: [dora, emil] })
      await assert.rejects(apply(office, inBoth), refused('c3', /not in the policy/))
      await apply(office, change(policy, takeover, [ben, cleo], { newSigners: [dora, emil] }))
      assert.equal(await versionOf(office), 2n)
    })

    it("is stopped by one no at this signer's own page, though the server leaves it out", async (t) => {
      const office = await openOffice(t, get())
      const wanted = change(get().organisation.policy, later(9), [ben, cleo])
      const api = createApprovalApi(office.signers.get(1)!, async (method) => ({
        status: 200,
        body:
          method === 'order.get'
            ? { intent: toHex(encode(intentShape, wanted.intent)), approvals: [], state: 'approving' }
            : { state: 'approving', missing: 0 },
      }))
      const no = approve(cleo, wanted.intent, get().organisation.policy, { decision: 'reject' })
      assert.equal((await api('order.approve', { approval: toHex(encode(approvalShape, no)) })).status, 200)
      await restart(office, 1)
      await assert.rejects(apply(office, wanted), refused('c6', /rejected at a signer's approval page/))
      assert.equal(await versionOf(office), 1n)
    })

    it('is only proposed where it puts a key under the name of a passkey: what that key shows counts for nobody', async (t) => {
      const office = await openOffice(t, get())
      const { policy } = get().organisation
      const [, own] = ben.keys
      const planted = makeMember('Mallory').keys[1]
      const key = { ...planted, credential: { ...planted.credential, id: own.credential.id } }
      const people = policy.people.map((person) => (person.id === ben.person.id ? { ...person, credentials: [key.credential] } : person))
      const proposed = change(policy, { people }, [])
      const spoken = approve(ben, proposed.intent, policy, { key, twist: { counter: 200 } })
      const api = createApprovalApi(office.signers.get(1)!, async (method) => ({
        status: 200,
        body: method === 'order.get' ? { intent: toHex(encode(intentShape, proposed.intent)), approvals: [] } : { state: 'approving', missing: 0 },
      }))
      assert.equal((await api('order.approve', { approval: toHex(encode(approvalShape, spoken)) })).status, 200)
      const { counters, votes } = journalOf(office, 1).register
      assert.deepEqual([counters.size, votes.size], [0, 0])
    })

    it('is caught up by a signer that was away, in order, and it takes part again', async (t) => {
      const office = await openOffice(t, get())
      const second = change(get().organisation.policy, later(9), [ben, cleo])
      const third = change(second.next, later(8), [ben, cleo])
      await declareAway(office, 3)
      for (const each of [second, third]) for (const party of [1, 2]) await apply(office, each, party)
      const request = () => ({ kind: 'pairSetup' as const, genesis: genesis(), keyId: get().key.keyId, epoch: 0n, parties: [1n, 3n], nonce: genesis() })
      const behind = await runSession(office.calls, request())
      assert.ok(refused('c12', /policy version 3/)(behind.get(3) as PeerError))
      for (const each of [second, third]) await apply(office, each, 3)
      assert.equal(await versionOf(office, 3), 3n)
      await cosignAll(office, office.log)
      const caughtUp = await runSession(office.calls, { ...request(), nonce: new Uint8Array(32).fill(1) })
      for (const party of [1, 3]) assert.ok(resultOf(caughtUp, party))
    })

    it('can be read back: a change in force is shown under the version it replaced, and is decided no more', async (t) => {
      const office = await openOffice(t, get())
      const { policy } = get().organisation
      const wanted = change(policy, later(9), [ben, cleo])
      await apply(office, wanted)
      await restart(office, 1)
      const api = createApprovalApi(office.signers.get(1)!, async () => ({
        status: 200,
        body: { intent: toHex(encode(intentShape, wanted.intent)), approvals: [], state: 'applied' },
      }))
      const shown = await api('order.get', { hash: toHex(intentHash(wanted.intent)) })
      assert.equal(shown.status, 200)
      assert.equal(toHex(policyHash(decode(policyShape, fromHex(String(shown.body.policy))))), toHex(policyHash(policy)))
      const late = approve(ben, wanted.intent, policy)
      assert.deepEqual(await api('order.approve', { approval: toHex(encode(approvalShape, late)) }), {
        status: 400,
        body: { error: 'This change of the policy is in force already.', code: 'page-in-force' },
      })
    })
  })
}
