import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { OrganisationTx } from '@holdfast/db'
import { saveOutOfOffice } from '../../team/server/out-of-office.ts'
import { namedRule, approveBy, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { member, samplePolicy } from '../../../packages/policy/src/testing/sample-organisation.ts'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import fc from 'fast-check'
import { proposals } from '../../../apps/server/src/features.ts'
import { approve, ETH, fund, makeWallet, type Member, openWorld, requestWithdrawal, resetScript, type Wallet, type World } from '../../testing/test-world.ts'
import { listProposals } from './list-proposals.ts'
import { metFrom } from './read-absent.ts'
import { remindApprovers } from './remind-approvers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member

const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })
const nowMs = () => world.context.ports.clock.nowMs()
const inOrganisation = <T>(act: (tx: OrganisationTx) => Promise<T>) => world.db.asOrganisation(world.orgId, act)
const leaves = (who: Member, { hours = 24, delegate }: { hours?: number; delegate?: Member } = {}) =>
  inOrganisation((tx) =>
    saveOutOfOffice(
      tx,
      world.context,
      { personId: who.id, role: 'owner', language: 'en_US' },
      { from: nowMs(), to: nowMs() + hours * HOUR_MS, note: '', ...(delegate && { delegate: delegate.id }) },
    ),
  )
const itemOf = async (reader: Member, id: string, state: 'wait' | 'mine' = 'wait') => {
  const viewer = { context: world.context, language: 'en_US' as const, personId: reader.id, nowMs: nowMs(), fiat: 'USD' as const }
  const { list } = await inOrganisation((tx) => listProposals({ ...viewer, tx }, proposals, { state, page_no: 1, page_size: 50 }))
  return list.find(({ item_id }) => item_id === id)!
}
const ask = async () => (await requestWithdrawal(world, wallet, { amount: '0.1', expireHours: 72 })).order.row
const absentOf = async (...given: Parameters<typeof itemOf>) => (await itemOf(...given)).absent
const remind = (id: string, by: Member) => inOrganisation((tx) => remindApprovers(tx, world.context, proposals, { itemId: id, personId: by.id }))

before(async () => {
  world = await openWorld({
    namedRules: ([, first, second]) => [namedRule('both', { action: approveBy([{ need: 2n, who: [idOf(first!), idOf(second!)] }]) })],
  })
  ;[ann, ben, cleo] = world.members
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 100n * ETH)
})
afterEach(async () => {
  await inOrganisation((tx) => tx.updateTable('absence').set({ ended_at: 1 }).where('org_id', '=', tx.orgId).execute())
})
after(() => world?.close())

describe('the to-do list, where people are away', () => {
  it('says who of those it still needs is away, until when, whom to ask, and from when on it can be completed', async () => {
    const { id } = await ask()
    assert.equal(await absentOf(ben, id), null)
    await leaves(cleo, { delegate: ann })
    const until = nowMs() + DAY_MS
    const said = await absentOf(ben, id)
    assert.deepEqual(
      said?.people.map(({ name, ask }) => [name, ask]),
      [['Cleo', 'Ann']],
    )
    assert.ok(Math.abs(said!.people[0]!.until - until) < HOUR_MS)
    assert.deepEqual([said!.suffices, said!.from], [false, said!.people[0]!.until])
    assert.equal(await absentOf(cleo, id), null, 'who reads the list is there')
    await approve(world, id, ben)
    assert.deepEqual(await absentOf(ann, id, 'mine'), said, 'a word that was given changes nothing for who is missing')
  })

  it('says that it cannot be completed in time where people are back too late', async () => {
    const { id } = await ask()
    await leaves(cleo, { hours: 20 * 24 })
    const { suffices, from } = (await absentOf(ben, id))!
    assert.deepEqual([suffices, from], [false, null])
  })

  it('says nothing of who has decided, nor of who is not asked', async () => {
    const { id } = await ask()
    await approve(world, id, cleo)
    await leaves(cleo)
    await leaves(ann)
    assert.equal(await absentOf(ben, id), null)
  })
})

describe('a reminder, where people are away', () => {
  it('leaves them out and says so, and is not offered where nobody else is there', async () => {
    const { id } = await ask()
    await leaves(cleo)
    assert.notEqual((await itemOf(ann, id, 'mine')).remind_at, null)
    const { reminded, absent } = await remind(id, ann)
    assert.deepEqual([reminded, absent], [['Ben'], ['Cleo']])
    const mails = await world.db.asSystem((tx) => tx.selectFrom('mail').select('person_id').where('about_id', '=', id).execute())
    assert.deepEqual(
      mails.map((each) => each.person_id),
      [ben.id],
    )
    await leaves(ben)
    world.clock.aheadMs += HOUR_MS + 1
    assert.equal((await itemOf(ann, id, 'mine')).remind_at, null)
    await assert.rejects(remind(id, ann), { errorName: 'everybody_absent', details: { names: 'Ben, Cleo' } })
    world.clock.aheadMs = 0
  })
})

describe('when steps can be filled', () => {
  const people = [0, 1, 2, 3, 4].map((number) => member(number))
  const directory = samplePolicy(people, 2)
  const subset = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 5 })
  const step = fc.record({ need: fc.integer({ min: 1, max: 3 }), among: subset })

  /** Whether distinct people fill all places, by trying everybody in each. */
  const canFill = (places: readonly number[][], free: readonly number[]): boolean =>
    places.length === 0 ||
    places[0]!.some(
      (who) =>
        free.includes(who) &&
        canFill(
          places.slice(1),
          free.filter((each) => each !== who),
        ),
    )

  it('is the first moment at which those who are there and those who are back suffice, by brute force', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 5 }), (steps, backAt) => {
        const quorum = { directory, steps: steps.map(({ need, among }) => ({ need, eligible: among.map((who) => people[who]!.id) })) }
        const idAt = (who: number) => bytesToUuid(people[who]!.id)
        const there = new Set(backAt.flatMap((atMs, who) => (atMs === 0 ? [idAt(who)] : [])))
        const back = backAt.flatMap((untilMs, who) => (untilMs === 0 ? [] : [{ id: idAt(who), untilMs }]))
        const places = steps.flatMap(({ need, among }) => Array.from({ length: need }, () => among))
        const isMet = (atMs: number) =>
          canFill(
            places,
            backAt.flatMap((untilMs, who) => (untilMs <= atMs ? [who] : [])),
          )
        assert.equal(metFrom([quorum], there, back), [0, 1, 2, 3, 4].find(isMet) ?? null)
      }),
    )
  })
})
