import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { uuidToBytes } from '@holdfast/units'
import { approveBy, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { fund, ETH, makeWallet, openWorld, orderOf, requestApproved, requestWithdrawal, type Wallet, type World } from '../../testing/test-world.ts'
import { moveOrder, usedOf } from '../../transfer/server/index.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { readPastOrders } from './read-past-orders.ts'

const DAY_MS = 86_400_000
let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld({
    namedRules: ([, ben, cleo]) => [
      namedRule('two', { action: approveBy([{ need: 2n, who: [ben!, cleo!].map(({ id }) => personOf({ id: uuidToBytes(id) })) }]) }),
    ],
  })
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
after(() => world.close())

const sign = (id: string) => signOrder(world.context, world.orgId as never, id as never)
const end = async (id: string, event: 'supersede') => {
  const order = await orderOf(world, id)
  await world.db.asOrganisation(world.orgId, (tx) => moveOrder(tx, world.context, order, { event, actor: 'server' }))
}

describe('the orders of the past by which rules are judged', () => {
  it('are counted as limits count them: not those that ended before a signer was told to begin', async () => {
    const waiting = (await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row.id
    const closed = (await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row.id
    await end(closed, 'supersede')
    const refused = await requestApproved(world, wallet, { amount: '0.1' })
    world.signers.beforeSession = (request) => {
      if (request.kind === 'sign') throw world.signers.refusal(request, 2, 'c9', 'a test says so')
    }
    await sign(refused)
    world.signers.resetScript()
    // It has its slot, and no signer was told to begin.
    const unbegun = await requestApproved(world, wallet, { amount: '0.1' })
    world.signers.setOnline(3)
    await sign(unbegun)
    await end(unbegun, 'supersede')
    world.signers.resetScript()
    const signed = await requestApproved(world, wallet, { amount: '0.1' })
    await sign(signed)
    assert.notEqual((await orderOf(world, unbegun)).row.slot, null)
    assert.equal((await orderOf(world, refused)).state, 'refused')

    const nowMs = world.context.ports.clock.nowMs()
    const { orders } = await world.db.asOrganisation(world.orgId, (tx) => readPastOrders(tx, nowMs - DAY_MS, nowMs))
    const counted = orders.filter(({ isCounted }) => isCounted).map(({ id }) => id)
    assert.deepEqual(new Set(counted), new Set([waiting, refused, signed]))
    const within = { rule: 'two', each: 'rule', of: '', asset: { chain: world.network.chain, contract: null }, sinceMs: 0n } as const
    const used = await world.db.asOrganisation(world.orgId, (tx) => usedOf(tx, within))
    assert.equal(used.order, BigInt(counted.length))
  })
})
