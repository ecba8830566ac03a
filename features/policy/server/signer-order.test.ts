import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { encode, toHex } from '@holdfast/encoding'
import { countWaiting, listProposals } from '@holdfast/features/proposal/server'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { absenceFault, deviceMessage, type Freeze, freezeHash, freezeShape, type FreezeStatement, liftFreezeFault } from '@holdfast/intent'
import { uuidToBytes } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { proposals } from '../../../apps/server/src/features.ts'
import {
  requestWithdrawal,
  requestApproved,
  resetScript,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  pageCalls,
  approveAs,
  approvalOn,
  type World,
} from '../../testing/test-world.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { currentPolicy } from './current-policy.ts'
import { followSignerOrder } from './signer-order/follow-signer-order.ts'
import { proposeAbsence, proposeLift } from './signer-order/propose-signer-order.ts'
import { type SignerOrder, signerOrders } from './signer-order/signer-order.ts'
import { freezesNow, signingState } from './signer-order/signer-order-view.ts'
import { keyOf } from '../../testing/request-key.ts'

const ORIGIN = 'http://approve.localhost:24000'
const DAY_MS = 24 * 3_600_000
let world: World
let ann: Member
let ben: Member
let cleo: Member

before(async () => {
  world = await openWorld()
  ;[ann, ben, cleo] = world.members
})
beforeEach(async () => {
  resetScript(world)
  world.clock.aheadMs = 0
  const open = await inOrganisation((tx) => tx.selectFrom('signer_order').selectAll().where('is_final', '=', false).execute())
  for (const { id, state } of open) {
    const order = (await inOrganisation((tx) => signerOrders.read(tx, id)))!
    if (state === 'approving') await withdraw(order)
    else await follow(order)
  }
  resetScript(world)
})
after(() => world.close())

const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const follow = ({ row }: SignerOrder) => followSignerOrder(world.context, world.orgId, row.id)
const word = (order: SignerOrder, member: Member, decision?: 'approve' | 'reject') => approveAs(world, approvalOn(world, order.intent, member, decision))
const withdraw = ({ row }: SignerOrder, by = ann) =>
  inOrganisation((tx) => signerOrders.withdraw(tx, world.context, { id: row.id, personId: by.id, remark: 'no longer' }))
const stateNow = (by = ann) => signingState(world.context, { orgId: world.orgId, personId: by.id, language: 'en_US' })
const frozenNow = () => inOrganisation((tx) => freezesNow(tx))
const stateOf = async ({ row }: SignerOrder) => (await inOrganisation((tx) => signerOrders.read(tx, row.id)))!.row.state
const asked = (by = ann) => ({
  personId: by.id,
  language: 'en_US' as const,
  key: keyOf(`signer-order-${toHex(world.context.ports.random.bytes(8))}`),
  remark: 'its machine is lost',
  demandSecondFactor: async () => {},
})
const away = async (given: { party?: number; days?: number; by?: Member; away?: number; requestId?: string } = {}) => {
  const { party = 3, days = 3, by = ann, away: other, requestId } = given
  const repeated = requestId === undefined ? {} : { key: keyOf(requestId, { party, days }) }
  return (await inOrganisation((tx) => proposeAbsence(tx, world.context, { ...asked(by), ...repeated, party, days, away: other }))).order
}
const refusedAs =
  (name: string, reason = /./) =>
  (error: unknown) =>
    error instanceof AppError && error.errorName === name && (error.details.reason === undefined || reason.test(String(error.details.reason)))

/** A freeze as the approval page makes it, handed in by way of the page's call. */
async function freeze(member: Member, reason: string): Promise<string> {
  const { ports } = world.context
  const { fingerprint } = await inOrganisation((tx) => currentPolicy(tx))
  const statement: FreezeStatement = {
    genesis: fingerprint,
    person: uuidToBytes(member.id),
    atMs: BigInt(ports.clock.nowMs()),
    nonce: ports.random.bytes(32),
    reason,
  }
  const signature = p256.sign(deviceMessage(freezeHash(statement), ORIGIN), member.secretKey)
  const given: Freeze = { statement, assertion: { kind: 'device', credentialId: member.credentialId, origin: ORIGIN, signature } }
  await pageCalls(world)['organisation.freeze']!({ freeze: toHex(encode(freezeShape, given)) })
  return toHex(freezeHash(statement))
}

const todo = async (member: Member, state: 'wait' | 'mine' | 'done', kind?: 'signer_order') =>
  inOrganisation((tx) => {
    const viewer = {
      tx,
      context: world.context,
      language: 'en_US' as const,
      personId: member.id,
      nowMs: world.context.ports.clock.nowMs(),
      fiat: 'USD' as const,
    }
    return listProposals(viewer, proposals, { state, page_no: 1, page_size: 20, ...(kind ? { kind } : {}) })
  })

describe('a signer that is said to be away', () => {
  it('lets a payment go on that waited for it, once those who govern have approved, and is said to be back when it is', async () => {
    const wallet = await makeWallet(world)
    await fund(world, wallet, ETH * 5n)
    world.signers.setOnline(1, 2)
    const payment = await requestApproved(world, wallet)
    await signOrder(world.context, world.orgId, payment)
    assert.equal((await orderOf(world, payment)).row.sub_status, 'waiting_third_signer')
    const order = await away()
    assert.deepEqual(await word(order, ben), { state: 'approving', missing: 1 })
    assert.deepEqual(await word(order, cleo), { state: 'approved', missing: 0 })
    assert.equal(await follow(order), 'followed')
    assert.deepEqual(
      world.signers.followed.map(({ party, intent }) => [party, intent.kind]),
      [
        [1, 'absence'],
        [2, 'absence'],
      ],
    )
    const state = await stateNow()
    assert.deepEqual([state.orders[0]!.state, state.orders[0]!.standing, state.away?.party], ['followed', 'in_force', 3])
    assert.equal(state.away!.until, state.orders[0]!.until)
    await signOrder(world.context, world.orgId, payment)
    assert.equal((await orderOf(world, payment)).row.sub_status === 'waiting_third_signer', false)
    world.signers.setOnline(1, 2, 3)
    world.signers.away = null
    assert.deepEqual([(await stateNow()).orders[0]!.standing, (await stateNow()).away], ['back', null])
    world.clock.aheadMs = 4 * DAY_MS
    assert.equal((await stateNow()).orders[0]!.standing, 'over')
    world.clock.aheadMs = 0
    world.signers.setOnline(1)
    assert.equal((await stateNow()).orders[0]!.standing, 'unknown', 'one signer alone does not tell')
  })

  it('stands in the to-do lists and their counts with its page, and is approved by nobody who does not govern or who asked', async () => {
    const before = await inOrganisation((tx) => countWaiting(tx, proposals, { personId: ben.id, nowMs: Date.now() }))
    const order = await away({ party: 2, days: 30 })
    assert.equal(absenceFault(order.intent as Parameters<typeof absenceFault>[0]), undefined, 'as long as the signers let it be')
    assert.equal(await inOrganisation((tx) => countWaiting(tx, proposals, { personId: ben.id, nowMs: Date.now() })), before + 1)
    const { list, counts } = await todo(ben, 'wait', 'signer_order')
    assert.deepEqual([list.length, list[0]!.kind, list[0]!.mine, counts.signer_order], [1, 'signer_order', 'decide', 1])
    assert.match(list[0]!.title, /^Ann asks: Signer 2 is away/)
    assert.match(list[0]!.approval_url, new RegExp(`/#/order/${toHex(order.row.intent_hash)}$`))
    assert.deepEqual((await todo(ann, 'mine', 'signer_order')).list[0]!.item_id, order.row.id)
    await assert.rejects(word(order, ann), refusedAs('invalid_parameters', /may not approve/))
    await word(order, ben)
    assert.equal(await inOrganisation((tx) => countWaiting(tx, proposals, { personId: ben.id, nowMs: Date.now() })), before)
    assert.equal((await todo(ben, 'done', 'signer_order')).list[0]!.item_id, order.row.id)
    assert.equal((await word(order, cleo, 'reject')).state, 'rejected')
    assert.equal(await follow(order), 'ended')
    assert.deepEqual(world.signers.followed, [])
  })

  it('is asked for once at a time, taken back by who asked alone, and asked with the same request it is the same order', async () => {
    const order = await away({ requestId: 'the-same-request' })
    assert.equal((await away({ requestId: 'the-same-request' })).row.id, order.row.id)
    await assert.rejects(away({ requestId: 'the-same-request', days: 4 }), refusedAs('duplicate_request'))
    await assert.rejects(away({ party: 1, by: ben }), refusedAs('signer_order_open'))
    await assert.rejects(withdraw(order, ben), refusedAs('not_permitted'))
    await withdraw(order)
    await withdraw(order)
    assert.equal(await stateOf(order), 'withdrawn')
    await assert.rejects(word(order, ben), refusedAs('state_changed'))
    await assert.rejects(away({ party: 1, away: 3 }), refusedAs('signer_order_refused', /signer 3 is already declared away/))
  })

  it('is stopped by one who governs after its quorum, until a signer has said that it would follow', async () => {
    const small = await openWorld({ threshold: 1n })
    const mine = world
    world = small
    try {
      ;[ann, ben, cleo] = world.members
      const order = await away()
      assert.equal((await word(order, ben)).state, 'approved')
      assert.equal((await word(order, cleo, 'reject')).state, 'rejected')
      assert.equal(await follow(order), 'ended')
      const second = await away()
      await word(second, ben)
      world.signers.setOnline(1)
      assert.equal(await follow(second), 'wait')
      world.signers.setOnline(1, 2)
      assert.equal(await follow(second), 'followed')
      await assert.rejects(word(second, cleo, 'reject'), refusedAs('state_changed'))
    } finally {
      world = mine
      ;[ann, ben, cleo] = world.members
      await small.close()
    }
  })

  it('that a signer refuses ends with its words', async () => {
    const order = await away()
    await word(order, ben)
    await word(order, cleo)
    world.signers.beforeEndorsing = (party) => {
      if (party === 2) throw new CoSignerError({ kind: 'refused', party, check: 'c6', message: 'Ben rejected this' })
    }
    assert.equal(await follow(order), 'ended')
    const [shown] = (await stateNow()).orders
    assert.deepEqual([shown!.state, shown!.reason], ['refused', 'c6: Ben rejected this'])
  })
})

describe('a stop of all signing', () => {
  it('is shown with who, when and why, and is lifted by those who govern, each freeze by name', async () => {
    const first = await freeze(ben, 'a key was stolen')
    const second = await freeze(cleo, 'me too')
    const { freezes, lift_open: liftOpen } = await frozenNow()
    assert.equal(liftOpen, false)
    assert.deepEqual(
      freezes.map(({ person, reason, hash }) => [person.name, reason, hash]),
      [
        ['Ben', 'a key was stolen', first],
        ['Cleo', 'me too', second],
      ],
    )
    const lift = (hashes: string[], by = ann) => inOrganisation((tx) => proposeLift(tx, world.context, { ...asked(by), freezes: hashes }))
    await assert.rejects(lift(['00'.repeat(32)]), refusedAs('signer_order_refused', /not in force/))
    await assert.rejects(lift([first, '00'.repeat(32)]), refusedAs('signer_order_refused', /not in force/))
    const { order } = await lift([first])
    assert.equal((await frozenNow()).lift_open, true)
    assert.equal(liftFreezeFault(order.intent as Parameters<typeof liftFreezeFault>[0]), undefined)
    await assert.rejects(lift([second]), refusedAs('signer_order_open'))
    for (const member of [ben, cleo]) await word(order, member)
    assert.equal(await follow(order), 'followed')
    assert.deepEqual(
      (await frozenNow()).freezes.map(({ hash }) => hash),
      [second],
      'what was not named stays',
    )
    const { order: rest } = await lift([second])
    for (const member of [ben, cleo]) await word(rest, member)
    await follow(rest)
    assert.deepEqual((await frozenNow()).freezes, [])
    assert.equal((await requestWithdrawal(world, await fundedWallet())).order.row.state, 'approving')
  })
})

async function fundedWallet() {
  const wallet = await makeWallet(world)
  await fund(world, wallet, ETH * 5n)
  return wallet
}
