import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode, toHex } from '@holdfast/encoding'
import { approvalShape, intentHash, intentShape } from '@holdfast/intent'
import { inThirdForm, type Policy, type ThirdForm, type TransferRule } from '@holdfast/policy'
import { applyPolicy, copyFolder, cosignAll, endorsementsOf, PARTIES, restart } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf } from '../office-acts.ts'
import { approvalsOf, draftOf, requestOf } from '../order-of.ts'
import { DAY_MS, NOW_MS } from '../organisation-of.ts'
import { approve, makeMember, type Member } from '../people.ts'
import { policyChangeOf, type TestChange } from '../policy-change-of.ts'
import { declareAway } from '../signer-order-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

const HOUR_MS = 3_600_000
const [dora, emil] = [makeMember('Dora'), makeMember('Emil')]
const who = (...members: Member[]) => members.map(({ person }) => ({ kind: 'person' as const, id: person.id }))

/** Changes of parts of the policy, and such as loosen it, as three real signers take them. Dora decides over rules, and may ask for nothing. */
export function looseningSuite(get: () => Founded): void {
  const { refused, signs, genesis, pageOf } = actsOf(get)
  type Twist = Parameters<typeof policyChangeOf>[4]['intent']
  const change = (current: Policy, changes: Partial<ThirdForm>, signers: Member[], intent: Twist = {}): TestChange =>
    policyChangeOf(get().organisation, current, changes as Partial<Policy>, signers, {
      initiator: ann,
      intent: { expiresAtMs: BigInt(NOW_MS + 30 * DAY_MS), ...intent },
    })
  const apply = (office: Office, { record }: TestChange, parties: readonly number[] = PARTIES) => applyPolicy(office.calls, genesis(), record, parties)
  const hear = async (office: Office, { record }: TestChange, party = 1) =>
    Number((await office.calls.get(party)!.hearPolicy({ genesis: genesis(), record })).untilMs)
  const endorse = (office: Office, { record }: TestChange, party = 1) =>
    office.calls.get(party)!.endorse({ genesis: genesis(), subject: { kind: 'policyChange', record } })
  const waits = refused('c6', /loosens the policy, and waits here until/)

  /** An office whose policy has parts, and in which what loosens it waits for a day. */
  const openParted = async (t: Parameters<typeof openOffice>[0], changes: Partial<ThirdForm> = {}) => {
    const office = await openOffice(t, get())
    const { policy } = get().organisation
    const people = [...policy.people, dora.person, emil.person]
    const parts = [{ part: 'strategies', need: 1n, who: who(cleo, dora, emil) }]
    const { kind, groups, machines, valuation, signers } = inThirdForm(policy)
    const form = { kind, groups, machines, valuation, signers, looseningDelayMs: BigInt(DAY_MS) }
    const moved = change(policy, { ...form, people, parts, ...changes }, [ben, cleo])
    assert.deepEqual(await apply(office, moved), [2n, 2n, 2n])
    return { office, policy: moved.next as ThirdForm }
  }
  const withMax = ({ rules }: Policy, change: (max: bigint) => bigint) =>
    rules.map((rule) => (rule.id === 'coin' ? { ...rule, maxAmount: change((rule as TransferRule).maxAmount!) } : rule)) as ThirdForm['rules']
  const halved = (policy: Policy) => ({ rules: withMax(policy, (max) => max / 2n) })
  const doubled = (policy: Policy) => ({ rules: withMax(policy, (max) => max * 2n) })
  const say = async (office: Office, party: number, member: Member, { intent }: TestChange, policy: Policy, decision: string) => {
    const approval = toHex(encode(approvalShape, approve(member, intent, policy, { decision })))
    return (await pageOf(office, party, encode(intentShape, intent))('order.approve', { approval })).status
  }
  const pays = async (office: Office, policy: Policy, parties?: bigint[]) => {
    const { key, organisation } = get()
    const salt = office.log.checkpoint.size
    const draft = draftOf({ fingerprint: organisation.fingerprint, policy, key, initiator: ann, salt, nonce: BigInt(salt) })
    const { request } = requestOf({ key, draft, approvals: approvalsOf(draft, policy, [ben, cleo]), log: office.log, parties, salt })
    await cosignAll(office, office.log)
    return signs(office, request)
  }

  describe('a change of one part of the workspace', () => {
    it('is followed at once by the quorum of the part, where it tightens', async (t) => {
      const { office, policy } = await openParted(t)
      assert.deepEqual(await apply(office, change(policy, halved(policy), [dora])), [3n, 3n, 3n])
    })

    it('is followed by nobody where it touches anything else, is signed by others, or names a part of its own', async (t) => {
      const { office, policy } = await openParted(t)
      const mallory = makeMember('Mallory')
      const lacks = refused('c3', /lacks \d approval\(s\) of the version in force/)
      const more: [string, Partial<ThirdForm>][] = [
        ['who governs', { governance: { ...policy.governance, threshold: 1n } }],
        ['the delay', { looseningDelayMs: 0n }],
        ['a part', { parts: [...policy.parts, { part: 'members', need: 1n, who: who(dora) }] }],
        [
          'a key of who governs',
          { people: policy.people.map((person) => (person.name === 'Ben' ? { ...person, credentials: person.credentials.slice(0, 1) } : person)) },
        ],
        ['an asset', { assets: policy.assets.filter(({ symbol }) => symbol !== 'ART') }],
        ['how long it lasts', { expiresAtMs: policy.expiresAtMs + BigInt(DAY_MS) }],
        ['when it ends', { expiresAtMs: policy.expiresAtMs - BigInt(DAY_MS) }],
      ]
      for (const [what, also] of more) await assert.rejects(apply(office, change(policy, { ...halved(policy), ...also }, [dora])), lacks, what)
      await assert.rejects(
        apply(office, change(policy, halved(policy), [ben])),
        refused('c3', /lacks 1 approval\(s\) of those who approve changes of strategies/),
      )
      await assert.rejects(apply(office, change(policy, halved(policy), [mallory])), refused('c3', /not in the policy/))
      const own = { people: [...policy.people, mallory.person], parts: [{ part: 'strategies', need: 1n, who: who(mallory) }] }
      await assert.rejects(apply(office, change(policy, { ...doubled(policy), ...own }, [mallory])), refused('c3'))
      const late = { ...halved(policy), issuedAtMs: BigInt(NOW_MS + 900 * DAY_MS), expiresAtMs: BigInt(NOW_MS + 901 * DAY_MS) }
      await assert.rejects(apply(office, change(policy, late, [dora])), refused('c3', /begins later than the order/))
    })

    it('does not loosen a rule by the word of those alone whom it binds', async (t) => {
      const { office, policy } = await openParted(t, { looseningDelayMs: 0n })
      await assert.rejects(
        apply(office, change(policy, doubled(policy), [cleo])),
        refused('c3', /lacks 1 approval\(s\) of those who approve changes of strategies/),
      )
      assert.deepEqual(await apply(office, change(policy, doubled(policy), [dora])), [3n, 3n, 3n])
    })

    it('is followed by nobody once it was replaced, twice, or out of its order', async (t) => {
      const { office, policy } = await openParted(t)
      const third = change(policy, halved(policy), [dora])
      const fourth = change(third.next, halved(third.next), [dora])
      await assert.rejects(apply(office, fourth), refused('c3', /does not follow/))
      for (const each of [third, fourth]) await apply(office, each)
      await assert.rejects(apply(office, third), refused('c3', /does not follow/))
      await assert.rejects(apply(office, change(policy, { rules: [] }, [dora])), refused('c3', /does not follow/))
    })
  })

  describe('a change that loosens the policy', () => {
    it('waits at every signer by its own clock, from when it was first brought there, and orders go on meanwhile', async (t) => {
      const { office, policy } = await openParted(t)
      const wanted = change(policy, doubled(policy), [dora])
      for (const party of PARTIES) assert.equal(await hear(office, wanted, party), NOW_MS + DAY_MS)
      for (const party of PARTIES) await assert.rejects(endorse(office, wanted, party), waits)
      await pays(office, policy)
      office.time.nowMs += DAY_MS - 1
      // Neither the same record, nor one with other approvals, begins the wait anew or ends it.
      const again = change(policy, doubled(policy), [cleo, dora])
      assert.deepEqual(intentHash(again.intent), intentHash(wanted.intent))
      for (const each of [wanted, again]) assert.equal(await hear(office, each), NOW_MS + DAY_MS)
      for (const party of PARTIES) await restart(office, party)
      for (const party of PARTIES) await assert.rejects(endorse(office, wanted, party), waits)
      office.time.nowMs += 1
      assert.deepEqual(await apply(office, again), [3n, 3n, 3n])
      for (const party of PARTIES) assert.equal(journalOf(office, party).register.loosenings.size, 0)
    })

    it('waits as long as the present version says, also where it makes the wait shorter', async (t) => {
      const { office, policy } = await openParted(t)
      const wanted = change(policy, { ...doubled(policy), looseningDelayMs: 0n }, [ben, cleo, dora])
      assert.equal(await hear(office, wanted), NOW_MS + DAY_MS)
      for (const party of PARTIES) await assert.rejects(endorse(office, wanted, party), waits)
    })

    it('is made no earlier by a clock that is put back, before it is heard of or after', async (t) => {
      const { office, policy } = await openParted(t)
      office.time.nowMs += HOUR_MS
      await pays(office, policy)
      office.time.nowMs = NOW_MS - HOUR_MS / 2
      const open = change(policy, doubled(policy), [dora], { notBeforeMs: BigInt(NOW_MS - HOUR_MS) })
      assert.equal(await hear(office, open), NOW_MS + HOUR_MS + DAY_MS)
      office.time.nowMs = NOW_MS + DAY_MS
      await assert.rejects(endorse(office, open), waits)
    })

    it('is not followed by a signer to which alone it was given', async (t) => {
      const { office, policy } = await openParted(t)
      const wanted = change(policy, doubled(policy), [dora])
      await hear(office, wanted, 1)
      office.time.nowMs += DAY_MS
      await assert.rejects(apply(office, wanted, [1]), refused('c12', /has not said that it would follow/))
      const [two, three] = await Promise.all([2, 3].map((party) => hear(office, wanted, party)))
      assert.deepEqual([two, three], [NOW_MS + 2 * DAY_MS, NOW_MS + 2 * DAY_MS])
      for (const pair of [
        [1, 2],
        [2, 3],
      ])
        await assert.rejects(apply(office, wanted, pair), refused('c12'))
    })

    for (const [name, sayer] of [
      ['governs', () => ben],
      ['decides over the part', () => emil],
    ] as const) {
      it(`is stopped while it waits by the no of one who ${name}, at the page of any signer, and the others hear of it`, async (t) => {
        const { office, policy } = await openParted(t)
        const wanted = change(policy, doubled(policy), [dora])
        for (const party of PARTIES) await hear(office, wanted, party)
        assert.equal(await say(office, 3, sayer(), wanted, policy, 'reject'), 200)
        await pays(office, policy, [1n, 2n])
        for (const party of PARTIES) await restart(office, party)
        office.time.nowMs += DAY_MS
        for (const party of PARTIES) await assert.rejects(endorse(office, wanted, party), refused('c6', /rejected/))
        // Nor where the server says that the signer which heard it first is away.
        await declareAway(office, 3, { policy })
        await assert.rejects(apply(office, wanted, [1]), refused('c6', /rejected/))
        await pays(office, policy)
      })
    }

    it('stops no order where those who govern have approved it at pages', async (t) => {
      const { office, policy } = await openParted(t)
      const wanted = change(policy, { governance: { ...policy.governance, threshold: 1n } }, [ben, cleo])
      for (const member of [ben, cleo]) assert.equal(await say(office, 1, member, wanted, policy, 'approve'), 200)
      await pays(office, policy)
      const tightens = change(policy, { governance: { ...policy.governance, threshold: 3n } }, [ben, cleo])
      for (const member of [ben, cleo]) assert.equal(await say(office, 1, member, tightens, policy, 'approve'), 200)
      await assert.rejects(pays(office, policy), /version 3 of the policy was approved/)
    })

    it('waits anew at a signer whose folder was put back to before, and is followed by no other meanwhile', async (t) => {
      const { office, policy } = await openParted(t)
      const wanted = change(policy, doubled(policy), [dora])
      const copy = `${office.root}/copy-of-2`
      await restart(office, 2, (folder) => copyFolder(folder, copy))
      for (const party of PARTIES) await hear(office, wanted, party)
      office.time.nowMs += DAY_MS
      await restart(office, 2, (folder) => copyFolder(copy, folder))
      await assert.rejects(endorse(office, wanted, 2), waits)
      await assert.rejects(apply(office, wanted, [1]), refused('c12', /signer 2 has not said/))
    })

    it('is taken up without another wait by a signer that was away, by the words of both others and of no fewer', async (t) => {
      const { office, policy } = await openParted(t)
      const wanted = change(policy, doubled(policy), [dora])
      await declareAway(office, 3, { policy })
      for (const party of [1, 2]) await hear(office, wanted, party)
      office.time.nowMs += DAY_MS
      const present = new Map([...office.calls].filter(([party]) => party !== 3))
      const words = await endorsementsOf(present, genesis(), { kind: 'policyChange', record: wanted.record })
      const follow = (party: number, endorsements = words) => office.calls.get(party)!.applyPolicy({ genesis: genesis(), record: wanted.record, endorsements })
      for (const party of [1, 2]) await follow(party)
      await assert.rejects(follow(3, words.slice(0, 1)), refused('c12'))
      assert.equal((await follow(3)).version, 3n)
    })
  })
}
