import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Endpoint, InputOf } from '@holdfast/contract'
import { batchOf } from '@holdfast/features/batch-transfer/server'
import { permissionsOf } from '@holdfast/features/session/server'
import { type Relay, relayOutbox } from '@holdfast/jobs'
import { known } from '@holdfast/units'
import { proposals } from '../../../../apps/server/src/features.ts'
import { submitBatch, uploadBatch } from '../../../batch-transfer/contract.ts'
import { batchTransferEndpoints } from '../../../batch-transfer/server/routes.ts'
import { advance } from '../../../batch-transfer/server/run-batches.ts'
import { readInbox } from '../../../inbox/server/read-inbox.ts'
import { CHAIN } from '../../../testing/scripted-chain.ts'
import { approvalOn, approveAs, ETH, fund, makeWallet, openWorld, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { notificationSubscriber } from '../tell-endpoints.ts'
import { listen, toldTo } from '../testing/listening.ts'

let world: World
let wallet: Wallet
let relay: Relay

before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  relay = relayOutbox({ ports: world.context.ports, db: world.db, subscribers: [notificationSubscriber(world.context)], pollMs: 50 })
})
after(async () => {
  await relay.close()
  await world.close()
})

async function call<E extends Endpoint>(endpoint: E, input: object): Promise<Record<string, never>> {
  const endpoints = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
  const { handler } = known(
    endpoints.find((each) => each.endpoint === endpoint),
    endpoint.path,
  )
  return handler({ orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as never, input as InputOf<E> as never) as never
}

/** Asks for a batch of so many payments. */
async function ask(count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, i) => `0x${String(i + 1).repeat(40)},0.1`)
  const file = new File([['address,amount', ...lines].join('\n')], 'payroll.csv')
  const { batch_id: id } = await call(uploadBatch, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', file })
  await call(submitBatch, { batch_id: id, mode: 'single', execution: 'strict', fee_tier: 'normal', remark: 'March' })
  return id as unknown as string
}

const rowOf = (id: string) =>
  world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('batch_transfer').selectAll().where('id', '=', id).executeTakeFirstOrThrow())

async function decide(id: string, member: 1 | 2, decision: 'approve' | 'reject' = 'approve') {
  const { intent } = known(batchOf(await rowOf(id)), 'a batch')
  await approveAs(world, approvalOn(world, intent, world.members[member], decision))
}

const step = (id: string, needs = world.context) => advance(needs, world.orgId as never, id)

async function pay(id: string): Promise<void> {
  await signOrder(world.context, world.orgId, id as never)
  await broadcastOrder(world.context, world.orgId, id as never)
  world.chain.mine(3)
  await scan(world)
}

const mailsAbout = (id: string) =>
  world.db.asSystem((tx) => tx.selectFrom('mail').select(['topic', 'person_id', 'body']).where('about_id', '=', id).orderBy('topic').execute())
const inbox = () =>
  world.db.asOrganisation(world.orgId, (tx) => {
    const nowMs = world.context.ports.clock.nowMs()
    const { networks } = world.context
    return readInbox(tx, { personId: world.members[0].id, permissions: permissionsOf('owner'), nowMs, networks, proposals })
  })

it('a batch is told of as a whole, once when people are asked and once when it ended, whatever dies in between; programs hear of each line too', async () => {
  const whole = await listen(world, 'https://whole.example/', ['batch'])
  const each = await listen(world, 'https://each.example/', ['withdraw'])
  const id = await ask(3)
  await toldTo(world, whole)
  const [ann, ben, cleo] = world.members
  const asked = (await mailsAbout(id)).map(({ topic, person_id: personId }) => `${topic} ${personId}`)
  assert.deepEqual(asked.toSorted(), [`batch_waits ${ben.id}`, `batch_waits ${cleo.id}`].toSorted())
  await decide(id, 1)
  await decide(id, 2)
  await toldTo(world, whole)
  await step(id)
  const orders = await world.db.asSystem((tx) => tx.selectFrom('transfer_order').select('id').where('batch_id', '=', id).orderBy('id').execute())
  for (const [i, order] of orders.entries()) {
    world.chain.failing = i === 0
    await pay(order.id)
  }
  // Who dies while it writes has told nobody.
  await assert.rejects(step(id, { ...world.context, settings: undefined as never }))
  assert.equal((await rowOf(id)).told_at, null)
  await Promise.allSettled([step(id), step(id), step(id)])
  await step(id)
  const ended = (await mailsAbout(id)).filter(({ topic }) => topic === 'batch_ended')
  assert.deepEqual(
    ended.map(({ person_id: personId }) => personId),
    [ann.id],
  )
  assert.match(ended[0]?.body ?? '', /Paid: 2 of 3\. Failed: 1\. Not executed: 0\./)
  const told = await toldTo(world, whole)
  assert.deepEqual(
    told.map(({ event, lines, paid, failed }) => [event, lines, paid, failed]),
    [
      ['batch.approving', 3, 0, 0],
      ['batch.approved', 3, 0, 0],
      ['batch.finished', 3, 2, 1],
    ],
  )
  const ofLines = await toldTo(world, each)
  assert.equal(new Set(ofLines.map((body) => body['id'])).size, 3)
  assert.deepEqual([...new Set(ofLines.map((body) => body['batch_id']))], [id])
  const { news } = await inbox()
  const ofBatches = news.filter(({ kind }) => kind === 'batch' || kind === 'order')
  assert.deepEqual(
    ofBatches.map((item) => item.kind === 'batch' && [item.id, item.ending, item.own, item.lines, item.paid, item.failed]),
    [[id, 'finished', true, 3, 2, 1]],
  )
})

it('a batch that is rejected is told of once too, and one that stands still needs whoever asked for it, once for all its lines', async () => {
  const rejected = await ask(2)
  await decide(rejected, 1, 'reject')
  await step(rejected)
  await step(rejected)
  assert.deepEqual(
    (await mailsAbout(rejected)).filter(({ topic }) => topic === 'batch_ended').map(({ body }) => /It was rejected/.test(body)),
    [true],
  )
  const stuck = await ask(2)
  await decide(stuck, 1)
  await decide(stuck, 2)
  await step(stuck)
  await world.db.asSystem((tx) => tx.updateTable('transfer_order').set({ sub_status: 'needs_attention' }).where('batch_id', '=', stuck).execute())
  const { needs } = await inbox()
  assert.deepEqual([needs.orders, needs.batches.map(({ id, lines }) => [id, lines])], [[], [[stuck, 2]]])
})
