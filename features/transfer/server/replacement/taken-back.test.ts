import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ownCoin } from '@holdfast/features/network/server'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { getWithdrawal } from '../../../transaction/contract.ts'
import { transactionEndpoints } from '../../../transaction/server/routes.ts'
import { cancelWithdrawal } from '../../../withdrawal/server/cancel-withdrawal.ts'
import { broadcastOrder } from '../settlement/broadcast-order.ts'
import { openReplacement } from './open-replacement.ts'
import { openTransaction } from '../order/order-transactions.ts'
import { signOrder } from '../signing/sign-order.ts'
import {
  approve,
  balanceOf,
  ETH,
  FEE_CAP,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  requestWithdrawal,
  resetScript,
  scan,
  type Wallet,
  type World,
} from '../../../testing/test-world.ts'
import { keyOf } from '../../../testing/request-key.ts'

let world: World
let wallet: Wallet
let asked = 0
const money = () => balanceOf(world, wallet)
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  world.clock.aheadMs = 0
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

/** A payment on its way, and an approved order about it. */
async function approvedAbout(action: 'speed-up' | 'cancel'): Promise<{ payment: string; about: string }> {
  const payment = (await requestWithdrawal(world, wallet, { amount: '1' })).order.row.id
  await approve(world, payment, world.members[1], world.members[2])
  await sign(payment)
  await broadcastOrder(world.context, world.orgId, payment)
  const feeCap = { asset: ownCoin(world.network), amount: 3n * FEE_CAP }
  const request = { key: keyOf(`about-${++asked}`), orderId: payment, action, feeCap, remark: '', lifeMs: 3_600_000 }
  const { order } = await world.db.asOrganisation(world.orgId, (tx) =>
    openReplacement(tx, world.context, { ...request, initiator: world.members[0].id, language: 'en_US' }),
  )
  await approve(world, order.row.id, world.members[1], world.members[2])
  return { payment, about: order.row.id }
}

/** The same, with its transaction begun while too few signers are there to sign it. */
async function begunAbout(action: 'speed-up' | 'cancel'): Promise<{ payment: string; about: string }> {
  const found = await approvedAbout(action)
  const there = [...world.signers.online]
  world.signers.online.clear()
  assert.equal(await sign(found.about), 'wait')
  for (const party of there) world.signers.online.add(party)
  assert.equal((await orderOf(world, found.about)).state, 'signing')
  assert.equal(openTransaction(await orderOf(world, found.payment))?.allowed_by, found.about)
  return found
}

const takeBack = (orderId: string) =>
  world.db.asOrganisation(world.orgId, (tx) =>
    cancelWithdrawal(tx, world.context, { orderId, requesterId: world.members[0].id, remark: 'the payment is right after all' }),
  )

async function mayTakeBack(id: string): Promise<boolean> {
  const { handler } = transactionEndpoints(world.context).find((each) => each.endpoint === getWithdrawal)!
  const member = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as MemberContext
  return getWithdrawal.output.parse(await handler(member, { id } as never)).can_take_back
}

/** Begins the transaction of an order that is over once more, as a version of the server left it that did not end both together. */
const leaveOpen = (about: string) =>
  world.db.asOrganisation(world.orgId, (tx) =>
    tx.updateTable('order_transaction').set({ ended_at: null, reason: null }).where('allowed_by', '=', about).execute(),
  )

/** Nothing but the payment as it was sent is ever signed, sent or held. */
async function assertPaidAsSent({ payment, about }: { payment: string; about: string }): Promise<void> {
  const [sent] = (await orderOf(world, payment)).transactions
  assert.deepEqual((await money()).held, ETH + FEE_CAP)
  for (const id of [payment, about]) assert.notEqual(await sign(id), 'signed')
  await broadcastOrder(world.context, world.orgId, payment)
  world.chain.mine(3)
  await scan(world)
  const { state, row, transactions } = await orderOf(world, payment)
  assert.deepEqual([state, row.txid, transactions.filter(({ raw_tx: raw }) => raw !== null).length], ['completed', sent!.txid, 1])
  assert.deepEqual(await money(), { available: 9n * ETH - row.fee_paid!, held: 0n })
}

describe('an order about a pending payment that is taken back', () => {
  for (const action of ['cancel', 'speed-up'] as const) {
    it(`is never signed afterwards, and the payment goes on as it was sent: ${action}`, async () => {
      const { payment, about } = await begunAbout(action)
      assert.equal(await mayTakeBack(about), true)
      assert.equal((await takeBack(about)).state, 'cancelled')
      const { transactions } = await orderOf(world, payment)
      assert.deepEqual(
        transactions.map((each) => [each.allowed_by, each.ended_at !== null, each.reason]),
        [
          [null, false, null],
          [about, true, 'the payment is right after all'],
        ],
      )
      await assertPaidAsSent({ payment, about })
    })

    it(`can be taken back while its signers join, and then they do not begin: ${action}`, async () => {
      const found = await approvedAbout(action)
      world.signers.beforeSession = async () => void (await takeBack(found.about))
      assert.notEqual(await sign(found.about), 'signed')
      assert.equal((await orderOf(world, found.about)).state, 'cancelled')
      world.signers.resetScript()
      await assertPaidAsSent(found)
    })

    it(`cannot be taken back once its signers were told to begin, and what it holds stays held: ${action}`, async () => {
      const { payment, about } = await approvedAbout(action)
      const { held } = await money()
      world.signers.afterSession = () => {
        throw new Error('the answer was lost')
      }
      assert.equal(await sign(about), 'wait')
      assert.equal((await orderOf(world, about)).state, 'signing')
      assert.equal(await mayTakeBack(about), false)
      await assert.rejects(takeBack(about), { code: '300013' })
      assert.deepEqual([(await orderOf(world, about)).state, (await money()).held], ['signing', held])
      world.signers.resetScript()
      assert.equal(await sign(payment), 'signed')
      assert.deepEqual([(await orderOf(world, about)).state, (await money()).held], ['broadcasting', held])
    })
  }

  it('may be followed by another one, which is signed', async () => {
    const { payment, about } = await begunAbout('cancel')
    await takeBack(about)
    const feeCap = { asset: ownCoin(world.network), amount: 3n * FEE_CAP }
    const request = { key: keyOf(`about-${++asked}`), orderId: payment, action: 'speed-up' as const, feeCap, remark: '', lifeMs: 3_600_000 }
    const { order } = await world.db.asOrganisation(world.orgId, (tx) =>
      openReplacement(tx, world.context, { ...request, initiator: world.members[0].id, language: 'en_US' }),
    )
    await approve(world, order.row.id, world.members[1], world.members[2])
    assert.equal(await sign(order.row.id), 'signed')
    assert.equal((await orderOf(world, order.row.id)).state, 'broadcasting')
  })

  it('has its transaction given up even if an earlier version of the server left that open', async () => {
    const found = await begunAbout('speed-up')
    await takeBack(found.about)
    await leaveOpen(found.about)
    assert.equal(await sign(found.payment), 'ended')
    const { transactions, row } = await orderOf(world, found.payment)
    assert.deepEqual([row.sub_status, transactions.at(-1)!.reason], ['replacement_failed', 'the order that allowed it has ended'])
    await assertPaidAsSent(found)
  })

  it('has no signers begin even if its transaction is left open while they join', async () => {
    const found = await approvedAbout('speed-up')
    world.signers.beforeSession = async () => {
      world.signers.beforeSession = () => {}
      await takeBack(found.about)
      await leaveOpen(found.about)
    }
    assert.notEqual(await sign(found.about), 'signed')
    assert.equal((await orderOf(world, found.payment)).transactions.at(-1)!.raw_tx, null)
  })

  it('ends together with its transaction if it is too late for both, whichever of the two is looked at first', async () => {
    const found = await begunAbout('speed-up')
    world.clock.aheadMs = 2 * 3_600_000
    assert.equal(await sign(found.about), 'ended')
    const { transactions } = await orderOf(world, found.payment)
    assert.deepEqual([(await orderOf(world, found.about)).state, transactions.at(-1)!.reason], ['refused', 'the approval has expired'])
    await assertPaidAsSent(found)
  })
})
