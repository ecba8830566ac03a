import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { readInput } from '@holdfast/contract'
import { insertSampleRows } from '@holdfast/db/test'
import type { MemberContext } from '@holdfast/http'
import { permissionsOf } from '@holdfast/features/session/server'
import { sql } from 'kysely'
import { proposals } from '../../../apps/server/src/features.ts'
import { approve, ETH, fund, makeWallet, openWorld, requestWithdrawal, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { listInbox, markInboxRead } from '../contract.ts'
import { inboxEndpoints } from './routes.ts'

let world: World
let wallet: Wallet
let paidId: string

type As = { member?: number; role?: string; orgId?: string }

const contextOf = ({ member = 0, role = 'owner', orgId = world.orgId }: As) =>
  ({ orgId, personId: world.members[member]!.id, language: 'en_US', session: { permissions: permissionsOf(role) } }) as unknown as MemberContext
const handlerOf = (path: string) => inboxEndpoints(world.context, proposals).find(({ endpoint }) => endpoint.path === path)!.handler
const inbox = async (as: As = {}) => listInbox.output.parse(await handlerOf(listInbox.path)(contextOf(as), {} as never))
const read = async (until: number, as: As = {}) => handlerOf(markInboxRead.path)(contextOf(as), readInput(markInboxRead, { until: String(until) }) as never)

before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  paidId = (await requestWithdrawal(world, wallet, { amount: '2.5', remark: 'Rent' })).order.row.id
  await approve(world, paidId, world.members[1], world.members[2])
  await signOrder(world.context, world.orgId, paidId)
  await broadcastOrder(world.context, world.orgId, paidId)
  world.chain.mine(3)
  await scan(world)
})
after(() => world.close())

it('tells what was received and what was paid, the newest first, and to whom it was theirs', async () => {
  const { news, unread } = await inbox()
  const told = news.map((item) => (item.kind === 'order' ? `${item.ending} ${item.amount}` : item.kind === 'deposit' ? `received ${item.amount}` : item.kind))
  assert.deepEqual(told.slice(0, 2).toSorted(), ['completed 2.5', 'received 10'])
  assert.equal(unread, news.length)
  const isOwn = async (member: number) => (await inbox({ member })).news.find((item) => item.kind === 'order')!.own
  assert.deepEqual([await isOwn(0), await isOwn(1)], [true, false])
})

it('tells whoever decides that something waits for them, and whoever asked that it does not', async () => {
  const { id } = (await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row
  assert.deepEqual([(await inbox()).needs.decisions, (await inbox({ member: 1 })).needs.decisions], [0, 1])
  await approve(world, id, world.members[1])
  assert.equal((await inbox({ member: 1 })).needs.decisions, 0)
})

it('is read by each person for themselves, up to what was shown, and never unread again', async () => {
  const [{ news: before }] = [await inbox()]
  const newest = before[0]!.at
  await read(newest)
  assert.equal((await inbox()).unread, 0)
  assert.ok((await inbox({ member: 1 })).unread > 0)
  await read(newest - 10)
  assert.equal((await inbox()).unread, 0)
  // A moment that is still to come would hide what happens until then.
  await read(newest + 10 * 86_400_000)
  world.clock.aheadMs += 1_000
  await fund(world, wallet, ETH)
  assert.equal((await inbox()).unread, 1)
})

it('says nothing of what a person may not see, nor of another organisation', async () => {
  const { needs, news } = await inbox({ role: 'nobody' })
  assert.deepEqual([needs.decisions, needs.drills, needs.orders, news], [0, [], [], []])
  const other = await insertSampleRows(world.db, 'other')
  const theirs = await inbox({ orgId: other.orgId })
  assert.deepEqual(
    theirs.news.filter((item) => 'id' in item && item.id === paidId),
    [],
  )
})

it('is read from the end of an index, however much there is', async () => {
  const plans = [
    sql`select id from transfer_order where org_id = ${world.orgId} and is_final and batch_id is null order by updated_at desc limit 100`,
    sql`select id from batch_transfer where org_id = ${world.orgId} and is_final and intent is not null order by updated_at desc limit 100`,
    sql`select id from transfer_order where org_id = ${world.orgId} and initiator = ${world.members[0].id} and not is_final`,
    sql`select id from deposit where org_id = ${world.orgId} and credited_at >= 0 order by credited_at desc limit 100`,
    sql`select id from member_event where org_id = ${world.orgId} order by at desc limit 100`,
    sql`select id from tron_supply where org_id = ${world.orgId} and told_at >= 0 order by told_at desc limit 100`,
  ]
  const indexes = ['transfer_order_ended_alone', 'batch_transfer_ended', 'transfer_order_own_open', 'deposit_credited', 'member_event_time', 'tron_supply_told']
  for (const [at, index] of indexes.entries()) {
    const { rows } = await world.db.asOrganisation(world.orgId, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_sort = off`.execute(tx)
      return sql`explain ${plans[at]!}`.execute(tx)
    })
    assert.match(JSON.stringify(rows), new RegExp(index))
  }
})
