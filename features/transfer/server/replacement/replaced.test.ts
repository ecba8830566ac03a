import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { AppError, type OutputOf } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { ownCoin } from '@holdfast/features/network/server'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { verifyEvidence } from '@holdfast/protocol'
import fc from 'fast-check'
import { getWithdrawal } from '../../../transaction/contract.ts'
import { transactionEndpoints } from '../../../transaction/server/routes.ts'
import { evidenceOf } from '../../../testing/evidence-of.ts'
import { broadcastOrder } from '../settlement/broadcast-order.ts'
import { openReplacement } from './open-replacement.ts'
import { addTransaction, newestSigned, openTransaction, signedTransactions } from '../order/order-transactions.ts'
import { readOrder } from '../order/read-order.ts'
import { signOrder } from '../signing/sign-order.ts'
import { speedUp } from './speed-up.ts'
import { asOrderState, isFinal, type OrderState } from '../order/states.ts'
import {
  approve,
  requestWithdrawal,
  balanceOf,
  resetScript,
  ETH,
  FEE_CAP,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  scan,
  type Wallet,
  type World,
} from '../../../testing/test-world.ts'
import { callerOf, keyOf } from '../../../testing/request-key.ts'

let world: World
let wallet: Wallet
/** How many blocks there were when the test began. */
let start = 0
const money = () => balanceOf(world, wallet)
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)
const send = (orderId: string) => broadcastOrder(world.context, world.orgId, orderId)
const sentBy = () =>
  world.chain.blocks
    .slice(start)
    .flatMap((block) => block.sent)
    .filter((each) => each.from === wallet.address)

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  world.clock.aheadMs = 0
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  start = world.chain.blocks.length
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

/** A payment on its way, and nothing more than that. */
async function sentOrder(amount = '1'): Promise<string> {
  const { id } = (await requestWithdrawal(world, wallet, { amount })).order.row
  await approve(world, id, world.members[1], world.members[2])
  await sign(id)
  await send(id)
  return id
}

/** Requests a replacement inside the cap. False if the order is not on its way, or one is being made. */
async function wish(id: string, feeCap = FEE_CAP): Promise<boolean> {
  return world.db.asOrganisation(world.orgId, async (tx) => {
    const order = (await readOrder(tx, id, true))!
    if (!['broadcasting', 'pending'].includes(order.state) || openTransaction(order)) return false
    const made = { purpose: 'pay' as const, allowed_by: null, asked_by: world.members[0].id, tier: 2, fee_cap: feeCap }
    await addTransaction(tx, order, made, world.context.ports.clock.nowMs())
    return true
  })
}

describe('a payment that is replaced while it is pending', () => {
  it('is the same payment in the same slot for a higher fee, and costs what the chain then took', async () => {
    const id = await sentOrder()
    const first = newestSigned(await orderOf(world, id))
    await wish(id)
    assert.equal(await sign(id), 'signed')
    const order = await orderOf(world, id)
    assert.deepEqual([order.state, order.row.sub_status], ['broadcasting', 'replaced_by'])
    const [before, now] = signedTransactions(order).map((each) => world.chain.codec.decode(each.unsigned_tx))
    assert.deepEqual([now!.slot, now!.transfers], [before!.slot, before!.transfers])
    assert.ok(now!.feeMax * 10n >= before!.feeMax * 11n)
    await send(id)
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.fee_paid], ['completed', now!.feeMax])
    assert.notEqual(row.txid, first.txid)
    assert.deepEqual(await money(), { available: 9n * ETH - now!.feeMax, held: 0n })
    assert.equal(sentBy().length, 1)
  })

  it('is paid if the older transaction comes into the block, and paid once', async () => {
    const id = await sentOrder()
    const first = newestSigned(await orderOf(world, id))
    await wish(id)
    await sign(id)
    await send(id)
    world.chain.picks = (a, b) => (a.fee < b.fee ? -1 : 1)
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.txid], ['completed', first.txid])
    assert.deepEqual(await money(), { available: 9n * ETH - row.fee_paid!, held: 0n })
  })

  it('has a bundle for each of its signatures that anybody can verify offline', async () => {
    const id = await sentOrder()
    await wish(id)
    await sign(id)
    const signed = signedTransactions(await orderOf(world, id))
    const bundles = [await evidenceOf(world, id), await evidenceOf(world, id, 2)]
    assert.deepEqual(
      bundles.map((bundle) => verifyEvidence(bundle, { codecFor }).txid),
      signed.map(({ txid }) => txid),
    )
  })

  it('goes on with what it has if no replacement can be made under the cap, and says why', async () => {
    const id = await sentOrder()
    await wish(id, 1n)
    assert.equal(await sign(id), 'ended')
    const order = await orderOf(world, id)
    assert.deepEqual([order.state, order.row.sub_status], ['pending', 'replacement_failed'])
    assert.match(order.transactions.at(-1)!.reason!, /cap cannot be met/)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
  })

  it('goes on if signers refuse the replacement, and if nobody knows whether they signed it', async () => {
    const id = await sentOrder()
    await wish(id)
    world.signers.beforeSession = (request) => {
      throw world.signers.refusal(request, 1, 'c10', 'bytes with a higher fee were signed before')
    }
    assert.equal(await sign(id), 'ended')
    assert.equal((await orderOf(world, id)).state, 'pending')
    world.signers.resetScript()
    await wish(id)
    let leaked: Uint8Array | undefined
    world.signers.afterSession = (request) => {
      if (request.kind === 'sign') leaked = world.signers.sign(request)
      throw new Error('the answer was lost')
    }
    assert.equal(await sign(id), 'wait')
    world.chain.dropPool()
    const txid = world.chain.leak(leaked!)
    world.chain.mine(3)
    await scan(world)
    await scan(world)
    world.chain.mine(1)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.txid], ['completed', txid])
    assert.equal(sentBy().length, 1)
  })
})

/** An order about a payment, approved by two people. */
async function decided(id: string, action: 'speed-up' | 'cancel', feeCap = 3n * FEE_CAP): Promise<string> {
  const asked = {
    key: keyOf(`replace-${toHex(world.context.ports.random.bytes(8))}`),
    orderId: id,
    action,
    feeCap: { asset: ownCoin(world.network), amount: feeCap },
    remark: '',
    lifeMs: 3_600_000,
  }
  const { order } = await world.db.asOrganisation(world.orgId, (tx) =>
    openReplacement(tx, world.context, { ...asked, initiator: world.members[0].id, language: 'en_US' }),
  )
  await approve(world, order.row.id, world.members[1], world.members[2])
  return order.row.id
}

/** An order as its details show it. */
async function shown(id: string): Promise<OutputOf<typeof getWithdrawal>> {
  const handled = transactionEndpoints(world.context).find((each) => each.endpoint === getWithdrawal)!
  const member = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as MemberContext
  return getWithdrawal.output.parse(await handled.handler(member, { id } as never))
}

/** The most that a payment and the orders about it can cost now, of which one happens. */
async function mostOf(id: string): Promise<bigint> {
  const rows = await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .selectFrom('transfer_order')
      .select(['kind', 'amount', 'fee_cap'])
      .where('is_final', '=', false)
      .where((row) => row.or([row('id', '=', id), row('replaces', '=', id)]))
      .execute(),
  )
  return rows.map(({ kind, amount, fee_cap }) => fee_cap + (kind === 'cancel' ? 0n : amount)).reduce((most, each) => (each > most ? each : most), 0n)
}

async function aboutOrder(id: string): Promise<{ id: string; state: OrderState }[]> {
  const rows = await world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('transfer_order').select(['id', 'state']).where('replaces', '=', id).execute())
  return rows.map((row) => ({ id: row.id, state: asOrderState(row.state) }))
}

const ignoreState = (cause: unknown) => assert.ok(cause instanceof AppError, String(cause))

async function signAll(id: string): Promise<void> {
  await sign(id)
  for (const about of await aboutOrder(id)) if (!isFinal(about.state)) await sign(about.id)
}

describe('an order about a pending payment', () => {
  it('cancels it: the payment is over when the cancellation is final, only the fee is spent, and its bundle proves who approved that', async () => {
    const id = await sentOrder()
    const cancel = await decided(id, 'cancel')
    assert.deepEqual((await money()).held, ETH + FEE_CAP, 'paying costs more than cancelling, and only one of them happens')
    assert.equal(await sign(cancel), 'signed')
    assert.deepEqual([(await orderOf(world, id)).row.sub_status, (await orderOf(world, cancel)).state], ['replaced_by', 'broadcasting'])
    await send(id)
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status, (await orderOf(world, cancel)).state], ['replaced', 'cancelled_on_chain', 'completed'])
    assert.deepEqual(await money(), { available: 10n * ETH - row.fee_paid!, held: 0n })
    const [payment, about] = [await shown(id), await shown(cancel)]
    assert.deepEqual([payment.replacements.map((each) => [each.id, each.purpose]), about.replaces, about.replacements], [[[cancel, 'cancel']], id, []])
    assert.deepEqual(
      payment.speed_up_history.map((each) => [each.number, each.has_evidence]),
      [
        [1, true],
        [2, true],
      ],
    )
    const report = verifyEvidence(await evidenceOf(world, id, 2), { codecFor })
    assert.deepEqual([report.txid, report.intent.kind, report.approvedBy.sort()], [row.txid, 'replacement', ['Ben', 'Cleo']])
  })

  it('cancels a payment of everything there is, with what the payment itself holds', async () => {
    wallet = await makeWallet(world)
    await fund(world, wallet, ETH + FEE_CAP)
    const id = await sentOrder()
    assert.deepEqual(await money(), { available: 0n, held: ETH + FEE_CAP })
    await assert.rejects(decided(id, 'speed-up'), { errorName: 'insufficient_balance' })
    await sign(await decided(id, 'cancel'))
    await send(id)
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.equal(state, 'replaced')
    assert.deepEqual(await money(), { available: ETH + FEE_CAP - row.fee_paid!, held: 0n })
  })

  it('leaves its recipient unknown, since nobody has paid it', async () => {
    const to = `0x${'5a'.repeat(20)}`
    const { id } = (await requestWithdrawal(world, wallet, { to, ack: 'first_seen' })).order.row
    await approve(world, id, world.members[1], world.members[2])
    await sign(id)
    await send(id)
    await sign(await decided(id, 'cancel'))
    await send(id)
    world.chain.mine(3)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'replaced')
    await assert.rejects(requestWithdrawal(world, wallet, { to, ack: '' }), { errorName: 'address_look_alike' })
  })

  it('cancels nothing if the chain took the payment first, and releases what it held', async () => {
    const id = await sentOrder()
    const cancel = await decided(id, 'cancel')
    world.chain.mine(3)
    await scan(world)
    assert.deepEqual([(await orderOf(world, id)).state, (await orderOf(world, cancel)).state], ['completed', 'replaced'])
    assert.equal(await sign(cancel), 'ended')
    assert.equal((await money()).held, 0n)
  })

  it('allows a higher fee than the cap of the payment, also after its approval has expired', async () => {
    const id = await sentOrder()
    await wish(id, 1n)
    await sign(id)
    world.clock.aheadMs = 25 * 3_600_000
    await wish(id)
    assert.equal(await sign(id), 'ended')
    assert.match((await orderOf(world, id)).transactions.at(-1)!.reason!, /expired/)
    const raised = await decided(id, 'speed-up')
    assert.equal(await sign(raised), 'signed')
    world.clock.aheadMs = 0
    // The payment has what it allowed, and the person who had it signed can send it at once.
    assert.equal(await send(raised), true)
    assert.equal((await orderOf(world, id)).state, 'pending')
    world.chain.mine(3)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, (await orderOf(world, raised)).state], ['completed', 'completed'])
    assert.deepEqual(await money(), { available: 9n * ETH - row.fee_paid!, held: 0n })
  })

  it('is refused while another one is open, and about a payment that is not on its way', async () => {
    const id = await sentOrder()
    await decided(id, 'cancel')
    await assert.rejects(decided(id, 'speed-up'), { code: '300075' })
    const waiting = (await requestWithdrawal(world, wallet)).order.row.id
    await assert.rejects(decided(waiting, 'cancel'), { code: '300013' })
  })

  it('is refused if its fee is more than any coin can hold', async () => {
    const asked = { request_id: 'too-much', trans_id: await sentOrder(), cancel: '0', tier: 'fast', max_fee: '9'.repeat(78), remark: '' } as const
    const caller = callerOf(world.orgId, world.members[0].id, asked)
    await assert.rejects(speedUp(world.context, caller, asked), { errorName: 'amount_error' })
  })
})

type Step = 'raise' | 'cancel' | 'wish' | 'sign' | 'die' | 'send' | 'lose' | 'drop' | 'mine' | 'mine oldest' | 'reorganise' | 'foreign'
const STEPS: Step[] = ['raise', 'cancel', 'wish', 'sign', 'die', 'send', 'lose', 'drop', 'mine', 'mine oldest', 'reorganise', 'foreign']

async function take(step: Step, id: string): Promise<void> {
  const { chain, signers } = world
  resetSigners()
  if (step === 'wish') return void (await wish(id))
  if (step === 'raise' || step === 'cancel') return void (await decided(id, step === 'cancel' ? 'cancel' : 'speed-up').catch(ignoreState))
  if (step === 'sign') return signAll(id)
  if (step === 'die') {
    // The server dies when its signers are done, and nobody has heard of the signature.
    signers.afterSession = () => {
      throw new Error('killed')
    }
    return signAll(id)
  }
  if (step === 'send' || step === 'lose') {
    chain.broadcastMode = step === 'send' ? 'accept' : 'lose'
    return void (await send(id))
  }
  if (step === 'drop') return chain.dropPool()
  if (step === 'foreign') {
    if (sentBy().length > 0 || chain.pool.length > 0) return
    return chain.useSlotElsewhere(wallet.address)
  }
  if (step === 'reorganise') {
    const depth = Math.min(chain.blocks.length - start, 1 + (chain.blocks.length % 4))
    chain.reorganise(depth, { dropSent: chain.blocks.length % 2 === 0 })
  } else {
    chain.picks = step === 'mine' ? (a, b) => (a.fee > b.fee ? -1 : 1) : (a, b) => (a.fee < b.fee ? -1 : 1)
  }
  chain.mine(step === 'reorganise' ? 5 : 1)
  await scan(world)
}

function resetSigners(): void {
  world.signers.resetScript()
}

describe('whatever happens to a payment with several transactions', () => {
  it('it is paid once at most, and the ledger ends as the chain does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 14 }), async (steps) => {
        resetScript(world)
        start = world.chain.blocks.length
        const { available } = await money()
        const id = await sentOrder('0.01')
        for (const step of steps) {
          await take(step, id)
          assert.equal((await money()).held, await mostOf(id), `after ${step}`)
        }
        // Quiet now: all that can go on goes on.
        resetSigners()
        world.chain.broadcastMode = 'accept'
        for (let i = 0; i < 4; i++) {
          await signAll(id)
          await send(id)
          world.chain.mine(3)
          await scan(world)
        }
        const order = await orderOf(world, id)
        const paid = sentBy()
        assert.equal(paid.length, 1, 'one slot, one transaction')
        const mine = signedTransactions(order).find(({ txid }) => txid === paid[0]!.txid)
        assert.equal(order.state, mine ? (mine.purpose === 'pay' ? 'completed' : 'replaced') : 'dropped')
        for (const { state } of await aboutOrder(id)) assert.ok(isFinal(state), state)
        if (mine) assert.deepEqual([order.row.txid, order.row.fee_paid], [mine.txid, paid[0]!.fee])
        assert.deepEqual(await money(), { available: mine ? available - (mine.purpose === 'pay' ? ETH / 100n : 0n) - paid[0]!.fee : available, held: 0n })
        for (const { unsigned_tx: unsigned } of order.transactions) {
          if (unsigned) assert.equal(world.chain.codec.decode(unsigned).slot, order.row.slot)
        }
        await world.db.asSystem(assertConserved)
      }),
      // HOLDFAST_THOROUGH=1 tries thirty.
      { numRuns: process.env.HOLDFAST_THOROUGH ? 30 : 6, endOnFailure: true },
    )
  })
})
