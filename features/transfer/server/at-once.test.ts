import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertConserved } from '@holdfast/ledger'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { signOrder } from './signing/sign-order.ts'
import {
  approve,
  requestWithdrawal,
  requestApproved,
  balanceOf,
  ETH,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  scan,
  type World,
} from '../../testing/test-world.ts'

const ROUNDS = 2
const PAYMENTS = 4

let world: World
const givenUp: string[] = []
before(async () => {
  world = await openWorld({ report: (line) => givenUp.push(line) })
})
after(() => world.close())

test('payments that become final, approvals and new requests of one sub-wallet at once never wait for one another in a circle', async () => {
  const wallets = [await makeWallet(world), await makeWallet(world)]
  for (const wallet of wallets) await fund(world, wallet, 1000n * ETH)
  for (let round = 0; round < ROUNDS; round++) {
    const sent: string[] = []
    const waiting: string[] = []
    for (const wallet of wallets) {
      for (let i = 0; i < PAYMENTS; i++) {
        const id = await requestApproved(world, wallet, { amount: '0.01' })
        assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
        assert.equal(await broadcastOrder(world.context, world.orgId, id), true)
        sent.push(id)
        waiting.push((await requestWithdrawal(world, wallet, { amount: '0.02' })).order.row.id)
      }
    }
    // The reader finds them in a block and final at once, so that one transaction moves an order twice: it reports it, and settles it.
    world.chain.mine(5)
    await Promise.all([
      scan(world),
      ...wallets.flatMap((wallet) => Array.from({ length: PAYMENTS }, () => requestWithdrawal(world, wallet, { amount: '0.03' }))),
      ...waiting.map((id) => approve(world, id, world.members[1], world.members[2])),
    ])
    for (const id of sent) assert.equal((await orderOf(world, id)).state, 'completed')
    for (const id of waiting) assert.equal((await orderOf(world, id)).state, 'approved')
  }
  for (const wallet of wallets) assert.ok((await balanceOf(world, wallet)).held > 0n)
  assert.deepEqual(givenUp, [])
  await world.db.asSystem(assertConserved)
})
