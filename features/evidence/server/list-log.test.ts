import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type OutputOf, readInput } from '@holdfast/contract'
import { insertSampleRows } from '@holdfast/db/test'
import type { MemberContext } from '@holdfast/http'
import { Client } from 'pg'
import { approve, ETH, fund, makeWallet, openWorld, requestWithdrawal, STRANGER, type World } from '../../testing/test-world.ts'
import { listLog } from '../contract.ts'
import { writeMissingFacts } from './log-facts.ts'
import { evidenceEndpoints } from './routes.ts'

let world: World
let orderId: string

async function list(filter: Record<string, string | number> = {}, orgId = world.orgId): Promise<OutputOf<typeof listLog>> {
  const { handler } = evidenceEndpoints(world.context).find(({ endpoint }) => endpoint.path === listLog.path)!
  return listLog.output.parse(
    await handler({ orgId } as MemberContext, readInput(listLog, Object.fromEntries(Object.entries(filter).map(([k, v]) => [k, String(v)]))) as never),
  )
}
const kinds = async (filter: Record<string, string | number>) => (await list(filter)).list.map(({ kind }) => kind)

before(async () => {
  world = await openWorld()
  const wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  orderId = (await requestWithdrawal(world, wallet, { amount: '2.5', remark: 'Rent of März 三月' })).order.row.id
  await approve(world, orderId, world.members[1])
})
after(() => world.close())

it('the log is listed from its newest entry to the founding, with who said what', async () => {
  const { list: rows, entries, pageTotal, facts_from } = await list({ page_size: 50 })
  assert.deepEqual([rows.length, pageTotal, facts_from], [entries, entries, 0])
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    rows.map((_, at) => entries - 1 - at),
  )
  assert.equal(rows.at(-1)!.kind, 'genesis')
  const [approval, order] = rows
  assert.deepEqual([approval!.kind, approval!.person!.name, approval!.detail], ['approval', 'Ben', 'approve'])
  assert.deepEqual([order!.kind, order!.person!.name, order!.detail, order!.order_id], ['intent', 'Ann', 'Rent of März 三月', orderId])
})

it('is narrowed by kind, person, time and words, each by itself and together', async () => {
  assert.deepEqual(await kinds({ kind: 'approval' }), ['approval'])
  assert.deepEqual(await kinds({ person_id: world.members[0].id }), ['intent'])
  for (const keyword of ['rent OF', 'märz', '三月', orderId, STRANGER.toLowerCase()]) assert.ok((await kinds({ keyword })).includes('intent'), keyword)
  assert.deepEqual(await kinds({ keyword: 'nothing of the kind' }), [])
  assert.deepEqual(await kinds({ keyword: '%rent%' }), [])
  const [newest] = (await list()).list
  assert.ok((await kinds({ start_time: newest!.at })).includes('approval'))
  assert.deepEqual(await kinds({ start_time: newest!.at + 60_000 }), [])
  assert.deepEqual(await kinds({ kind: 'intent', person_id: world.members[0].id, keyword: 'rent', end_time: newest!.at }), ['intent'])
})

it('another organisation finds nothing of it', async () => {
  const other = await insertSampleRows(world.db, 'other')
  const owner = new Client({ connectionString: world.db.url })
  await owner.connect()
  await owner.query('delete from log_fact where org_id = $1', [other.orgId])
  await owner.query('delete from log_checkpoint where org_id = $1', [other.orgId])
  await owner.end()
  const { list: rows, people } = await list({ keyword: 'rent' }, other.orgId)
  assert.deepEqual([rows, people.filter(({ name }) => name === 'Ann')], [[], []])
})

it('entries from before their facts were kept are read once more, and are then found like others', async () => {
  const before = await list({ page_size: 50 })
  const owner = new Client({ connectionString: world.db.url })
  await owner.connect()
  await owner.query('delete from log_fact where org_id = $1 and sequence < 2', [world.orgId])
  assert.equal((await list()).facts_from, 2)
  await owner.query('delete from log_entry where org_id <> $1', [world.orgId])
  await owner.end()
  while ((await writeMissingFacts(world.db)) > 0) {
    /* There may be more. */
  }
  assert.deepEqual(await list({ page_size: 50 }), before)
})
