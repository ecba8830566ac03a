import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { decode, encode, toHex } from '@holdfast/encoding'
import { approvalShape, intentShape } from '@holdfast/intent'
import type { MemberContext } from '@holdfast/http'
import { proposals } from '../../../apps/server/src/features.ts'
import {
  approvalOn,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  pageCalls,
  requestWithdrawal,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { auditOrder, generateQr, getQrStatus } from '../contract.ts'
import { proposalEndpoints } from './routes.ts'

let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member
before(async () => {
  world = await openWorld()
  ;[ann, ben, cleo] = world.members as [Member, Member, Member]
  wallet = await makeWallet(world, 'Treasury')
  await fund(world, wallet, 10n * ETH)
})
after(() => world?.close())

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, by = ben): Promise<OutputOf<E>> {
  const handled = proposalEndpoints(world.context, proposals).find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes))
  const context = { orgId: world.orgId, personId: by.id, language: 'en_US' } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}

const refusedAs = (errorName: string, reason?: RegExp) => (cause: { errorName?: string; details?: { reason?: string } }) => {
  assert.equal(cause.errorName, errorName, String(cause))
  if (reason) assert.match(String(cause.details?.reason), reason)
  return true
}

async function ordered() {
  const { order } = await requestWithdrawal(world, wallet, { amount: '0.1' })
  return { id: order.row.id, hash: toHex(order.row.intent_hash), intent: decode(intentShape, new Uint8Array(order.row.intent)) }
}
type Ordered = Awaited<ReturnType<typeof ordered>>

const signedBy = ({ intent }: Ordered, member: Member, decision: 'approve' | 'reject' = 'approve') =>
  toHex(encode(approvalShape, approvalOn(world, intent, member, decision)))
const open = ({ hash }: Ordered) => pageCalls(world)['order.get']!({ hash })

describe('a code that opens an item on another device', () => {
  const codeFor = ({ id }: Ordered, by = ben) => call(generateQr, { type: 'approve', biz_id: id }, by)
  const statusOf = async (qr_id: string, by = ben) => (await call(getQrStatus, { qr_id }, by)).status

  it('carries the hash of the item and nothing else', async () => {
    const order = await ordered()
    const { qr_content: content } = await codeFor(order)
    assert.equal(content, `${world.context.settings.approvalOrigin}/#/order/${order.hash}`)
  })

  it('waits, was opened on an approval page, and was answered by whom it was made for', async () => {
    const order = await ordered()
    const code = await codeFor(order)
    await pageCalls(world)['order.get']!({ hash: order.hash, part: 'intent' })
    assert.equal(await statusOf(code.qr_id), 0, 'a signer that takes a decision opens nothing')
    await open(order)
    assert.equal(await statusOf(code.qr_id), 1)
    await pageCalls(world)['order.approve']!({ approval: signedBy(order, cleo) })
    assert.equal(await statusOf(code.qr_id), 1, 'the word of somebody else is no answer of theirs')
    await pageCalls(world)['order.approve']!({ approval: signedBy(order, ben) })
    assert.deepEqual(await call(getQrStatus, { qr_id: code.qr_id }), { status: 2, device: 'laptop', by: 'Ben' })
  })

  it('says of a rejection that it is one', async () => {
    const order = await ordered()
    const code = await codeFor(order)
    await pageCalls(world)['order.approve']!({ approval: signedBy(order, ben, 'reject') })
    assert.equal(await statusOf(code.qr_id), 3)
    await assert.rejects(codeFor(order), refusedAs('order_not_found'), 'nothing waits any more')
  })

  it('is over after five minutes, and opening the item then tells it nothing', async () => {
    const order = await ordered()
    const { qr_id, expire_at } = await codeFor(order)
    assert.equal(expire_at - world.context.ports.clock.nowMs() <= 5 * 60_000, true)
    world.clock.aheadMs += 5 * 60_000 + 1
    await open(order)
    assert.equal(await statusOf(qr_id), 4)
    world.clock.aheadMs = 0
  })

  it('is its maker’s own, and gives way to the next one', async () => {
    const order = await ordered()
    const first = await codeFor(order)
    const ofCleo = await codeFor(order, cleo)
    await assert.rejects(statusOf(first.qr_id, cleo), refusedAs('resource_not_found'))
    const second = await codeFor(order)
    await assert.rejects(statusOf(first.qr_id), refusedAs('resource_not_found'))
    assert.deepEqual([await statusOf(second.qr_id), await statusOf(ofCleo.qr_id, cleo)], [0, 0])
  })
})

describe('a decision by the console’s call', () => {
  const audit = (order: Ordered, input: Partial<CallInput<typeof auditOrder>> = {}, by = ben) =>
    call(auditOrder, { withdraw_id: order.id, result: '1', payload_hash: order.hash, ...input } as CallInput<typeof auditOrder>, by)

  it('is refused with where it is made, for no session decides for a person', async () => {
    const order = await ordered()
    const url = `${world.context.settings.approvalOrigin}/#/order/${order.hash}`
    await assert.rejects(audit(order), (cause: { errorName?: string; details?: unknown }) => {
      assert.deepEqual([cause.errorName, cause.details], ['decide_on_page', { approval_url: url, need_qrc: true }])
      return true
    })
    assert.equal((await orderOf(world, order.id)).state, 'approving')
  })

  it('hands on what the caller signed with their own key, and says how the order stands then', async () => {
    const order = await ordered()
    assert.deepEqual(await audit(order, { approval: signedBy(order, ben) }), { status: 1000, node: { done: 1, need: 2 }, need_qrc: false })
    const last = await audit(order, { approval: signedBy(order, cleo) }, cleo)
    assert.deepEqual(last, { status: 1100, node: { done: 2, need: 2 }, need_qrc: false })
  })

  it('is nothing by another’s signature, of another order, or against what was signed', async () => {
    const [order, other] = [await ordered(), await ordered()]
    await assert.rejects(audit(order, { approval: signedBy(order, cleo) }), refusedAs('invalid_parameters', /somebody else/))
    await assert.rejects(audit(order, { approval: signedBy(other, ben) }), refusedAs('invalid_parameters', /another order/))
    await assert.rejects(audit(order, { approval: signedBy(order, ben), result: '2' }), refusedAs('invalid_parameters', /different things/))
    await assert.rejects(audit(order, { payload_hash: other.hash }), refusedAs('state_changed'))
    await assert.rejects(audit(order, { approval: 'ff' }), refusedAs('invalid_parameters'))
    await assert.rejects(audit(order, { approval: signedBy(order, ann) }, ann), refusedAs('invalid_parameters'), 'who asked never counts')
    assert.equal((await orderOf(world, order.id)).state, 'approving')
  })
})
