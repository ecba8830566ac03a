import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { REVIEW_MAX, reviewUrl } from '@holdfast/features/approval-url'
import { toHex } from '@holdfast/encoding'
import { assertConserved } from '@holdfast/ledger'
import {
  approve,
  requestWithdrawal,
  balanceOf,
  resetScript,
  ETH,
  FEE_CAP,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  pageCalls,
  replace,
  approveAs,
  approvalOf,
  type Member,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import type { OrderItem, TodoItem, TodoKind } from '../contract.ts'
import { proposals } from '../../../apps/server/src/features.ts'
import { listProposals } from './list-proposals.ts'
import { remindApprovers } from './remind-approvers.ts'

let world: World
let wallet: Wallet
let orderId: string
let ann: Member
let ben: Member
let cleo: Member
const refusedWith = (code: string, reason?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AppError, String(error))
  assert.equal(error.code, code)
  if (reason) assert.match(String(error.details.reason), reason)
  return true
}
const approvals = () =>
  world.db.asOrganisation(world.orgId, async (tx) =>
    tx
      .selectFrom('approval')
      .select(['person_id', 'decision'])
      .where('intent_hash', '=', (await orderOf(world, orderId)).row.intent_hash)
      .execute(),
  )

before(async () => {
  world = await openWorld()
  ;[ann, ben, cleo] = world.members
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  orderId = (await requestWithdrawal(world, wallet)).order.row.id
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

describe('an approval', () => {
  it('of the person who asked is never counted', async () => {
    await assert.rejects(approve(world, orderId, ann), refusedWith('100004', /may not approve/))
    assert.deepEqual(await approvals(), [])
  })

  it('is taken once from each person: the same again, even signed anew, answers the same', async () => {
    const approval = await approvalOf(world, orderId, ben)
    assert.deepEqual(await approveAs(world, approval), { state: 'approving', missing: 1 })
    assert.deepEqual(await approveAs(world, approval), { state: 'approving', missing: 1 })
    const anew = await approvalOf(world, orderId, ben, 'approve', Date.now() + 1)
    assert.deepEqual(await approveAs(world, anew), { state: 'approving', missing: 1 })
    await assert.rejects(approveAs(world, { ...anew, signedAtMs: anew.signedAtMs + 1n }), refusedWith('100004'))
    assert.equal((await approvals()).length, 1)
    await approveAs(world, await approvalOf(world, orderId, cleo))
    assert.deepEqual(await approveAs(world, approval), { state: 'approved', missing: 0 })
  })

  it('may be taken back by a no, which ends the order as that of anybody does; a yes after a no is refused', async () => {
    await approveAs(world, await approvalOf(world, orderId, ben))
    assert.equal((await approveAs(world, await approvalOf(world, orderId, ben, 'reject'))).state, 'rejected')
    await assert.rejects(async () => approveAs(world, await approvalOf(world, orderId, ben)), refusedWith('300013'))
    await assert.rejects(async () => approveAs(world, await approvalOf(world, orderId, cleo)), refusedWith('300013'))
    const last = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('transfer_event').select(['actor', 'state']).where('order_id', '=', orderId).orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    )
    assert.deepEqual(last, { actor: ben.id, state: 'rejected' })
  })

  it('of many at once counts each person once and moves the order once', async () => {
    const [b, c] = [await approvalOf(world, orderId, ben), await approvalOf(world, orderId, cleo)]
    await Promise.all([b, c, b, c, b, c, b, c].map((approval) => approveAs(world, approval)))
    assert.equal((await approvals()).length, 2)
    const events = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('transfer_event').select('state').where('order_id', '=', orderId).where('state', '=', 'approved').execute(),
    )
    assert.equal(events.length, 1)
  })

  it('that was changed in any way after it was signed does not count', async () => {
    const good = await approvalOf(world, orderId, ben)
    const other = (await requestWithdrawal(world, wallet)).order.row.intent_hash
    const flipped = (bytes: Uint8Array) => Uint8Array.from(bytes, (byte, i) => (i === 0 ? byte ^ 1 : byte))
    const changes = [
      { decision: 'reject' },
      { intentHash: other },
      { signedAtMs: good.signedAtMs + 1n },
      { renderHash: flipped(good.renderHash) },
      { policyHash: flipped(good.policyHash) },
      { genesis: flipped(good.genesis) },
      { locale: 'zh-CN' },
      { person: (await approvalOf(world, orderId, cleo)).person },
      { decision: 'maybe' },
    ]
    for (const change of changes) await assert.rejects(approveAs(world, { ...good, ...change }), refusedWith('100004'))
    assert.deepEqual(await approvals(), [])
  })

  it('stands in the log before anything is signed, with its place known', async () => {
    await approve(world, orderId, ben, cleo)
    const places = await world.db.asOrganisation(world.orgId, (tx) =>
      tx
        .selectFrom('order_log_place')
        .innerJoin('log_entry', 'log_entry.sequence', 'order_log_place.sequence')
        .select(['person_id', 'order_log_place.sequence', 'bytes'])
        .where('order_id', '=', orderId)
        .orderBy('order_log_place.sequence')
        .execute(),
    )
    assert.deepEqual(
      places.map((each) => each.person_id),
      [null, ben.id, cleo.id],
    )
    const stored = await world.db.asOrganisation(world.orgId, async (tx) =>
      tx
        .selectFrom('approval')
        .select('bytes')
        .where('intent_hash', '=', (await orderOf(world, orderId)).row.intent_hash)
        .orderBy('created_at')
        .execute(),
    )
    stored.forEach(({ bytes }, i) => assert.ok(toHex(places[i + 1]!.bytes).includes(toHex(bytes))))
  })

  it('after the order ended changes nothing', async () => {
    await approveAs(world, await approvalOf(world, orderId, ben, 'reject'))
    await assert.rejects(approve(world, orderId, cleo), refusedWith('300013'))
  })
})

describe('a rejection', () => {
  it('ends the order and frees its funds, even as the first decision', async () => {
    assert.deepEqual(await balanceOf(world, wallet), { available: 9n * ETH - FEE_CAP, held: ETH + FEE_CAP })
    assert.equal((await approveAs(world, await approvalOf(world, orderId, ben, 'reject'))).state, 'rejected')
    assert.deepEqual(await balanceOf(world, wallet), { available: 10n * ETH, held: 0n })
  })

  it('after an approval ends it as well', async () => {
    await approve(world, orderId, ben)
    assert.equal((await approveAs(world, await approvalOf(world, orderId, cleo, 'reject'))).state, 'rejected')
    assert.deepEqual(await balanceOf(world, wallet), { available: 10n * ETH, held: 0n })
  })
})

describe('the approval page', () => {
  it("is given the order's bytes, the approvals and the state, and nothing for a hash nobody made", async () => {
    await approve(world, orderId, ben)
    const { row } = await orderOf(world, orderId)
    const calls = pageCalls(world)
    const reply = (await calls['order.get']!({ hash: toHex(row.intent_hash) })) as { intent: string; approvals: string[]; state: string }
    assert.deepEqual([reply.intent, reply.approvals.length, reply.state], [toHex(row.intent), 1, 'approving'])
    assert.deepEqual(await calls['order.get']!({ hash: toHex(row.intent_hash), part: 'intent' }), { intent: toHex(row.intent) })
    await assert.rejects(calls['order.get']!({ hash: '00'.repeat(32) }), refusedWith('210003'))
    await assert.rejects(calls['order.approve']!({ approval: 'zz' }), refusedWith('100004'))
    await assert.rejects(calls['order.approve']!({ approval: '00' }), refusedWith('100004'))
  })
})

describe('the list of what waits', () => {
  const todo = async (member: Member, state: 'wait' | 'mine' | 'done', kind?: TodoKind) =>
    world.db.asOrganisation(world.orgId, (tx) =>
      listProposals({ tx, context: world.context, language: 'en_US', personId: member.id, nowMs: Date.now(), fiat: 'USD' }, proposals, {
        state,
        ...(kind === undefined ? {} : { kind }),
        page_no: 1,
        page_size: 200,
      }),
    )
  const order = (items: readonly TodoItem[], id: string) => items.find((each): each is OrderItem => each.item_id === id)!
  const ids = async (member: Member, state: 'wait' | 'mine' | 'done') => (await todo(member, state)).list.map((each) => each.item_id)

  it('names the page that goes through everything that waits, if there are several', async () => {
    const { review_url: url, list } = await todo(ben, 'wait')
    assert.ok(list.length > 1)
    assert.equal(url, `${world.context.settings.approvalOrigin}/#/review/${list.map((each) => each.approval_url.slice(-64)).join(',')}`)
    assert.equal((await todo(ben, 'done')).review_url, null)
    assert.equal(reviewUrl(world.context, [new Uint8Array(32)]), null)
    assert.equal(
      reviewUrl(
        world.context,
        Array.from({ length: 60 }, () => new Uint8Array(32)),
      )!.split(',').length,
      REVIEW_MAX,
    )
  })

  it('shows an order to those who can decide it, until they have, and to who asked for it', async () => {
    assert.ok((await ids(ben, 'wait')).includes(orderId))
    assert.ok(!(await ids(ann, 'wait')).includes(orderId))
    assert.ok((await ids(ann, 'mine')).includes(orderId))
    await approve(world, orderId, ben)
    assert.ok(!(await ids(ben, 'wait')).includes(orderId))
    assert.ok((await ids(ben, 'done')).includes(orderId))
    const item = order((await todo(cleo, 'wait')).list, orderId)
    assert.deepEqual(
      [item.node, item.mine, item.amount, item.risk],
      [{ no: 1, total: 1, need: 2, done: 1, waiting_for: ['Cleo'] }, 'decide', '1', ['first_seen', 'expires_soon']],
    )
    assert.match(item.title, /^Ann asks to pay 1 ETH to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC on Test network$/)
    assert.equal(item.approval_url, `http://approve.localhost:24000/#/order/${toHex((await orderOf(world, orderId)).row.intent_hash)}`)
  })

  it('is narrowed to one kind, and says how many there are of each', async () => {
    const { list, counts } = await todo(cleo, 'wait')
    const orders = list.filter(({ kind }) => kind === 'transfer')
    assert.equal(counts.transfer, orders.length)
    assert.ok(orders.length > 0)
    const ofKind = async (kind: TodoKind) => (await todo(cleo, 'wait', kind)).list.map((each) => each.item_id)
    assert.deepEqual(
      await ofKind('transfer'),
      orders.map((each) => each.item_id),
    )
    for (const kind of ['nft', 'contract_call', 'stake'] as const) assert.deepEqual([counts[kind], await ofKind(kind)], [0, []], kind)
  })

  it('warns of a destination that was never paid, although the viewer has a contact of that name, and knows our own addresses', async () => {
    const { chain, address_to: address } = (await orderOf(world, orderId)).row
    const contact = { id: randomUUID(), org_id: world.orgId, person_id: cleo.id, name: 'Landlord', chain, address, memo: '', note: '' }
    await world.db.asOrganisation(world.orgId, (tx) =>
      tx
        .insertInto('personal_address')
        .values({ ...contact, created_at: 0n, updated_at: 0n })
        .execute(),
    )
    const toOurselves = (await requestWithdrawal(world, wallet, { to: (await makeWallet(world, 'Reserve')).address })).order.row.id
    const { list } = await todo(cleo, 'wait')
    const seen = [orderId, toOurselves].map((id) => order(list, id)).map(({ to_label, risk }) => [to_label, risk])
    assert.deepEqual(seen, [
      ['Landlord', ['first_seen', 'expires_soon']],
      ['Reserve / Main', ['own', 'expires_soon']],
    ])
  })

  it('lets the requester remind the others, once an hour, and tells them so', async () => {
    const remind = (member: Member) =>
      world.db.asOrganisation(world.orgId, (tx) => remindApprovers(tx, world.context, proposals, { itemId: orderId, personId: member.id }))
    await approve(world, orderId, ben)
    await assert.rejects(remind({ ...ben, id: orderId }), refusedWith('110249'), 'who neither asked nor governs')
    assert.deepEqual([(await remind(ann)).reminded, order((await todo(cleo, 'wait')).list, orderId).reminded?.by], [['Cleo'], 'Ann'])
    const mails = await world.db.asSystem((tx) => tx.selectFrom('mail').select(['person_id', 'body']).where('about_id', '=', orderId).execute())
    assert.deepEqual(
      mails.map((each) => each.person_id),
      [cleo.id],
    )
    assert.ok(!/ETH|0x|\d\.\d/.test(mails[0]!.body), mails[0]!.body)
    await assert.rejects(remind(ann), refusedWith('300006'))
    await approveAs(world, await approvalOf(world, orderId, cleo, 'reject'))
    await assert.rejects(remind(ann), refusedWith('300013'))
  })
})

describe('an approval of an order about a payment', () => {
  it('is counted by the rule for the payment, and neither the payment’s requester nor the order’s counts', async () => {
    await approve(world, orderId, ben, cleo)
    await signOrder(world.context, world.orgId, orderId)
    await broadcastOrder(world.context, world.orgId, orderId)
    const cancel = { cancel: true, maxFee: '0.000000000003' }
    // Ann requested the payment: if Ben requests this, Cleo alone would be left of the two that the rule wants.
    await assert.rejects(replace(world, orderId, { ...cancel, by: ben }), (cause: AppError) => cause.details.denied === 'quorum-impossible')
    const { row } = (await replace(world, orderId, cancel)).order
    await assert.rejects(approve(world, row.id, ann), refusedWith('100004', /may not approve/))
    assert.deepEqual(await approveAs(world, await approvalOf(world, row.id, ben)), { state: 'approving', missing: 1 })
    assert.deepEqual(await approveAs(world, await approvalOf(world, row.id, cleo)), { state: 'approved', missing: 0 })
  })

  it('that is a rejection ends it, and leaves the payment on its way', async () => {
    await approve(world, orderId, ben, cleo)
    await signOrder(world.context, world.orgId, orderId)
    await broadcastOrder(world.context, world.orgId, orderId)
    const { row } = (await replace(world, orderId, { cancel: true, maxFee: '0.000000000003' })).order
    assert.equal((await approveAs(world, await approvalOf(world, row.id, ben, 'reject'))).state, 'rejected')
    assert.equal((await orderOf(world, orderId)).state, 'pending')
    assert.equal((await balanceOf(world, wallet)).held, ETH + FEE_CAP)
  })
})
