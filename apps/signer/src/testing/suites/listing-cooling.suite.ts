import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { toHex } from '@holdfast/encoding'
import type { BookChange } from '@holdfast/intent'
import { inThirdForm, listedAt, type Policy, type ThirdForm } from '@holdfast/policy'
import { applyPolicy, copyFolder, cosignAll, endorsementsOf, PARTIES, restart } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf } from '../office-acts.ts'
import { CHAIN, DAY_MS, NOW_MS } from '../organisation-of.ts'
import { makeMember, type Member } from '../people.ts'
import { policyChangeOf, type TestChange } from '../policy-change-of.ts'
import { bookOrderOf, followSignerOrder, type SignerOrderOptions } from '../signer-order-of.ts'
import { ann, ben, cleo } from '../world-of.ts'

const HOUR_MS = 3_600_000
const ADDRESSES = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x9fB29AAc15b9A4B7F17c3385939b007540f4d791', '0x90F79bf6EB2c4f870365E785982E1f101E93b906']
const idOf = (number: number) => new Uint8Array(16).fill(number)
const add = (number: number): BookChange => {
  const entry = { id: idOf(number), name: `Entry ${number}`, address: ADDRESSES[number - 1]!, chains: [CHAIN], memo: null, lists: [] }
  return { kind: 'add', ...entry }
}
const dora = makeMember('Dora')

/** How long addresses of the whitelist wait, by the policy that each signer has itself: what a server says of it counts for nothing. */
export function listingCoolingSuite(get: () => Founded): void {
  const { refused, genesis } = actsOf(get)
  const bookOf = (office: Office, party = 1) => journalOf(office, party).register.book
  const waitOf = (office: Office, number: number, party = 1) => bookOf(office, party).entries.get(toHex(idOf(number)))!.usableAtMs - office.time.nowMs
  const change = (current: Policy, changes: Partial<ThirdForm>, signers: Member[] = [ben, cleo]): TestChange => {
    const intent = { expiresAtMs: BigInt(NOW_MS + 30 * DAY_MS) }
    return policyChangeOf(get().organisation, current, changes as Partial<Policy>, signers, { initiator: ann, intent })
  }
  const cooling = (hours: number): Partial<ThirdForm> => ({ kind: 'namedCooling', listingCoolingMs: BigInt(hours * HOUR_MS) })
  const apply = (office: Office, { record }: TestChange) => applyPolicy(office.calls, genesis(), record)
  const put = async (office: Office, number: number, options: SignerOrderOptions = {}) => {
    const made = await bookOrderOf(office, bookOf(office), [add(number)], options)
    await followSignerOrder(office, made.asked, options.parties)
    return made
  }
  /** An office whose policy says how long addresses wait, and in which what loosens the policy waits for a day. Dora decides over the whitelist. */
  const openCooling = async (t: TestContext, hours: number) => {
    const office = await openOffice(t, get())
    const { policy } = get().organisation
    const { groups, machines, valuation, signers } = inThirdForm(policy)
    const parts = [{ part: 'addressBook', need: 1n, who: [{ kind: 'person' as const, id: dora.person.id }] }]
    const form = { groups, machines, valuation, signers, parts, people: [...policy.people, dora.person], looseningDelayMs: BigInt(DAY_MS) }
    const moved = change(policy, { ...form, ...cooling(hours) })
    await apply(office, moved)
    return { office, policy: moved.next }
  }

  describe('the waiting period of the whitelist', () => {
    it('is a day by a policy that does not say it, and by one that does as long as it says, at each signer by its own clock', async (t) => {
      const former = await openOffice(t, get())
      await put(former, 1)
      assert.equal(waitOf(former, 1), DAY_MS)
      const { office, policy } = await openCooling(t, 48)
      await put(office, 1, { policy, approvers: [dora] })
      for (const party of PARTIES) assert.equal(waitOf(office, 1, party), 48 * HOUR_MS)
      office.time.nowMs += 48 * HOUR_MS - 1
      const at = () => listedAt(bookOf(office), { chain: CHAIN, address: ADDRESSES[0]!, memo: null }, office.time.nowMs).state
      assert.equal(at(), 'cooling')
      await restart(office, 1)
      office.time.nowMs += 1
      assert.equal(at(), 'listed')
    })

    it('is not shortened by a clock that was put back', async (t) => {
      const office = await openOffice(t, get())
      office.time.nowMs += HOUR_MS
      await cosignAll(office, office.log)
      office.time.nowMs -= HOUR_MS
      await put(office, 1)
      for (const party of PARTIES) assert.equal(waitOf(office, 1, party), DAY_MS + HOUR_MS)
    })

    it('becomes longer at once, and shorter only after the wait of what loosens the policy: until then what is put on waits as before', async (t) => {
      const { office, policy } = await openCooling(t, 24)
      const longer = change(policy, cooling(72))
      assert.deepEqual(await apply(office, longer), [3n, 3n, 3n])
      await put(office, 1, { policy: longer.next, approvers: [dora] })
      assert.equal(waitOf(office, 1), 72 * HOUR_MS)
      const shorter = change(longer.next, cooling(0))
      const endorse = (party: number) => office.calls.get(party)!.endorse({ genesis: genesis(), subject: { kind: 'policyChange', record: shorter.record } })
      for (const party of PARTIES) await assert.rejects(endorse(party), refused('c6', /loosens the policy, and waits here until/))
      await assert.rejects(apply(office, shorter), refused('c12', /has not said that it would follow/))
      await put(office, 2, { policy: longer.next, approvers: [dora] })
      assert.equal(waitOf(office, 2), 72 * HOUR_MS)
      for (const party of PARTIES) await office.calls.get(party)!.hearPolicy({ genesis: genesis(), record: shorter.record })
      office.time.nowMs += DAY_MS
      assert.deepEqual(await apply(office, shorter), [4n, 4n, 4n])
      assert.equal(waitOf(office, 2), 48 * HOUR_MS, 'what waits already waits as long as it was to')
      await put(office, 3, { policy: shorter.next, approvers: [dora] })
      assert.equal(waitOf(office, 3), 0)
      assert.equal(listedAt(bookOf(office), { chain: CHAIN, address: ADDRESSES[2]!, memo: null }, office.time.nowMs).state, 'listed')
    })

    it('is not made shorter by a server: neither by a policy that nobody approved, that the wrong people approved or that says too much, nor by an old date', async (t) => {
      const { office, policy } = await openCooling(t, 48)
      const lacks = refused('c3', /lacks \d approval\(s\) of the version in force/)
      await assert.rejects(apply(office, change(policy, cooling(0), [])), lacks)
      await assert.rejects(apply(office, change(policy, cooling(0), [dora])), lacks, 'who decides over the whitelist does not decide how long it waits')
      await assert.rejects(apply(office, change(policy, cooling(73))), refused('c3', /more than 72 hours/))
      const claimed = change(policy, cooling(0)).next
      const under = async (options: SignerOrderOptions) => {
        const { asked } = await bookOrderOf(office, bookOf(office), [add(1)], { approvers: [dora], ...options })
        const { genesis: of, ...order } = asked
        return office.calls.get(1)!.endorse({ genesis: of, subject: { kind: 'order', ...order } })
      }
      await assert.rejects(under({ policy: claimed }), refused('c3'), 'a version that is not in force here')
      await assert.rejects(under({ policy: { ...claimed, version: policy.version } }), refused('c3'), 'another policy under the number of the one in force')
      const old = BigInt(NOW_MS - 5 * DAY_MS)
      await put(office, 1, { policy, approvers: [dora], book: { notBeforeMs: old } })
      for (const party of PARTIES) assert.equal(waitOf(office, 1, party), 48 * HOUR_MS, 'it counts from when the signer was told')
      const { sinceMs } = bookOf(office).entries.get(toHex(idOf(1)))!
      assert.equal(listedAt(bookOf(office), { chain: CHAIN, address: ADDRESSES[0]!, memo: null }, sinceMs - 1).state, 'cooling', 'a clock that was put back')
    })

    it('of an order that a signer follows late is the longer one of when it was approved and of now', async (t) => {
      const { office, policy } = await openCooling(t, 48)
      const copy = `${office.root}/copy`
      await restart(office, 1, (folder) => copyFolder(folder, copy))
      const { asked } = await put(office, 1, { policy, approvers: [dora] })
      await restart(office, 1, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      const shorter = change(policy, cooling(0))
      for (const party of PARTIES) await office.calls.get(party)!.hearPolicy({ genesis: genesis(), record: shorter.record })
      office.time.nowMs += DAY_MS
      await apply(office, shorter)
      await cosignAll(office, office.log)
      const late = { ...asked, checkpoint: office.log.note(), logged: asked.logged.map(({ index }) => office.log.logged(Number(index))) }
      const { genesis: of, ...order } = late
      const endorsements = await endorsementsOf(office.calls, of, { kind: 'order', ...order })
      await office.calls.get(1)!.followSignerOrder({ ...late, endorsements })
      assert.equal(waitOf(office, 1, 1), 48 * HOUR_MS)
      assert.equal(waitOf(office, 1, 2), DAY_MS, 'where it was followed in time it has waited for a day')
    })
  })
}
