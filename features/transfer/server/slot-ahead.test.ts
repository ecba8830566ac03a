import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ChainError, type ChainNode } from '@holdfast/chain-core'
import { assertConserved } from '@holdfast/ledger'
import { broadcastOrder } from './settlement/broadcast-order.ts'
import { signOrder } from './signing/sign-order.ts'
import { ETH, fund, makeWallet, openWorld, orderOf, requestApproved, resetScript, scan, type Wallet, type World } from '../../testing/test-world.ts'

let world: World
let wallet: Wallet

const nodeThatSays = (nextSlot: ChainNode['nextSlot']): ChainNode => ({ ...world.chain.node, nextSlot })

/** Signs and sends an approved payment, and reads blocks until it would be final. */
async function pay(): Promise<{ state: string; slot: bigint | null }> {
  const id = await requestApproved(world, wallet, { amount: '0.1' })
  assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
  world.network.node = world.chain.node
  await broadcastOrder(world.context, world.orgId, id)
  world.chain.mine(3)
  await scan(world)
  const { state, row } = await orderOf(world, id)
  return { state, slot: row.slot }
}

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(async () => {
  world.network.node = world.chain.node
  world.network.witnesses = []
  await world.db.asSystem(assertConserved)
})
after(() => world.close())

describe('a node that says that an address has used slots which it has not', () => {
  it('is not believed where another source knows better: a slot that nothing leads up to is never reached', async () => {
    await pay()
    world.network.witnesses = [world.chain.node]
    world.network.node = nodeThatSays(async () => 1_000n)
    assert.deepEqual(await pay(), { state: 'completed', slot: 1n })
  })

  it('gets nothing signed while no other source answers', async () => {
    world.network.witnesses = [
      nodeThatSays(async () => {
        throw new ChainError('the node gave no answer')
      }),
    ]
    world.network.node = nodeThatSays(async () => 1_000n)
    const id = await requestApproved(world, wallet, { amount: '0.1' })
    assert.equal(await signOrder(world.context, world.orgId, id), 'wait')
    assert.equal((await orderOf(world, id)).row.sub_status, 'build_failed')
    world.network.node = world.chain.node
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    assert.equal((await orderOf(world, id)).row.slot, 0n)
  })

  it('stops one payment where it is the only source, and none of those that follow', async () => {
    await pay()
    world.network.node = nodeThatSays(async () => 1_000n)
    assert.equal((await pay()).slot, 1_000n)
    assert.deepEqual(
      [await pay(), await pay()],
      [
        { state: 'completed', slot: 1n },
        { state: 'completed', slot: 2n },
      ],
    )
  })
})
