import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { ETH, fund, makeWallet, openWorld, requestWithdrawal, type Wallet, type World } from '../../testing/test-world.ts'
import { readFirstSteps } from './read-first-steps.ts'

let world: World
let wallet: Wallet
before(async () => {
  world = await openWorld()
})
after(() => world.close())

const read = () => world.db.asOrganisation(world.orgId, (tx) => readFirstSteps(tx, world.context))
const done = async () => (await read()).steps.filter((step) => step.done).map(({ name }) => name)

test('a new organisation has its five steps before it, and each is done once it is', async () => {
  assert.deepEqual(
    (await read()).steps.map(({ name }) => name),
    ['wallet', 'recovery', 'deposit', 'pay', 'invite'],
  )
  assert.deepEqual([await done(), (await read()).wallet, (await read()).order], [[], null, null])
  wallet = await makeWallet(world)
  assert.deepEqual(await done(), ['wallet'])
  assert.equal((await read()).wallet?.wallet_id, wallet.walletId)
  const nowMs = world.context.ports.clock.nowMs()
  await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .updateTable('recovery_kit')
      .set({ drill: Uint8Array.of(1), verified_at: nowMs })
      .where('org_id', '=', tx.orgId)
      .execute(),
  )
  await fund(world, wallet, ETH)
  assert.deepEqual(await done(), ['wallet', 'recovery', 'deposit'])
})

test('a payment that waits is the way on, and counts once it is final', async () => {
  const { id } = (await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row
  const { order } = await read()
  assert.deepEqual([order?.id, order?.is_waiting], [id, true])
  assert.match(order?.approval_url ?? '', /#\/order\/[0-9a-f]{64}$/)
  assert.ok(!(await done()).includes('pay'))
  await world.db.asSystem((tx) => sql`update transfer_order set state = 'completed', is_final = true where id = ${id}::uuid`.execute(tx))
  assert.ok((await done()).includes('pay'))
  assert.equal((await read()).order?.is_waiting, false)
})

test('a demo on this machine ends with the approval, and no other organisation is taken for one', async () => {
  const [own] = world.policy.recovery.map(({ recipients }) => recipients)
  Object.assign(world.context.settings, { demoRecipients: [own, own, own], demoDrillUrl: 'http://127.0.0.1:9' })
  assert.equal((await read()).demo, false)
  await world.db.asSystem((tx) => sql`update organisation set demo = true where id = ${world.orgId}::uuid`.execute(tx))
  const { demo, steps } = await read()
  assert.deepEqual([demo, steps.map(({ name }) => name)], [true, ['wallet', 'recovery', 'deposit', 'ask', 'approve']])
  Object.assign(world.context.settings, { demoRecipients: null, demoDrillUrl: null })
})

test('people who joined after the founding are people who were invited', async () => {
  assert.ok(!(await done()).includes('invite'))
  await world.db.asSystem((tx) => sql`update organisation set created_at = 1 where id = ${world.orgId}::uuid`.execute(tx))
  assert.ok((await done()).includes('invite'))
})
