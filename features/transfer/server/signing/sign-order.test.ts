import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { assertConserved } from '@holdfast/ledger'
import { broadcastOrder } from '../settlement/broadcast-order.ts'
import { decode } from '@holdfast/encoding'
import { entryShape } from '@holdfast/log'
import { expireOrder } from '../order/expire.ts'
import { moveOrder } from '../order/move.ts'
import { signedTransactions } from '../order/order-transactions.ts'
import { readOrder } from '../order/read-order.ts'
import { signOrder } from './sign-order.ts'
import { REAL_FEE } from '../../../testing/scripted-chain.ts'
import {
  requestWithdrawal,
  type WithdrawalRequest,
  requestApproved,
  balanceOf,
  resetScript,
  ETH,
  FEE_CAP,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  approveAs,
  scan,
  approvalOf,
  type Wallet,
  type World,
} from '../../../testing/test-world.ts'

let world: World
let wallet: Wallet
const money = () => balanceOf(world, wallet)
const sign = (orderId: string) => signOrder(world.context, world.orgId, orderId)
const send = (orderId: string) => broadcastOrder(world.context, world.orgId, orderId)

const approvedOrder = (given?: WithdrawalRequest) => requestApproved(world, wallet, given)

before(async () => {
  world = await openWorld()
})
// Each test has a wallet of its own, and a chain and signers that behave.
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

describe('a slot on the chain', () => {
  it('that somebody else used for good ends the payment, and only then are its funds free', async () => {
    const id = await approvedOrder()
    world.chain.broadcastMode = 'lose'
    await sign(id)
    await send(id)
    world.chain.useSlotElsewhere(wallet.address)
    world.chain.mine(2)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'broadcasting')
    assert.equal((await money()).held, ETH + FEE_CAP)
    world.chain.mine(1)
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['dropped', 'nonce_taken'])
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
  })

  it('is never used twice and never left out, whichever order dies before it is signed', async () => {
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push(await approvedOrder({ amount: '0.1' }))
    const dying = new Set([ids[1]!, ids[2]!, ids[4]!])
    world.signers.beforeSession = async (request) => {
      const order =
        request.kind === 'sign'
          ? await world.db.asOrganisation(world.orgId, (tx) =>
              tx.selectFrom('transfer_order').select('id').where('intent', '=', request.intent).executeTakeFirstOrThrow(),
            )
          : undefined
      if (order && dying.has(order.id)) throw world.signers.refusal(request, 2, 'c9', 'the window is full')
    }
    for (const id of ids) await sign(id)
    const orders = await Promise.all(ids.map((id) => orderOf(world, id)))
    assert.deepEqual(
      orders.map((each) => each.state),
      ['broadcasting', 'refused', 'refused', 'broadcasting', 'refused', 'broadcasting'],
    )
    assert.deepEqual(
      orders.filter((each) => each.state === 'broadcasting').map((each) => each.row.slot),
      [0n, 1n, 2n],
    )
  })

  it('makes a second order of the address wait for the first', async () => {
    const first = await approvedOrder({ amount: '1' })
    const second = await approvedOrder({ amount: '2' })
    world.signers.setOnline(1)
    assert.equal(await sign(first), 'wait')
    assert.equal((await orderOf(world, first)).row.sub_status, 'waiting_co_signer')
    assert.equal(await sign(second), 'queued')
    assert.equal((await orderOf(world, second)).row.sub_status, 'queued_nonce')
    world.signers.setOnline(2, 3)
    assert.equal(await signOrder(world.context, world.orgId, first), 'wait')
    assert.equal((await orderOf(world, first)).row.sub_status, 'waiting_third_signer', 'two do not sign without the word of the third')
    world.signers.away = 1
    assert.equal(await sign(first), 'signed')
    assert.equal(await sign(second), 'signed')
    assert.deepEqual([(await orderOf(world, first)).row.slot, (await orderOf(world, second)).row.slot], [0n, 1n])
  })

  it('waits while signing is stopped, even if the freeze comes while a session begins, and goes on by the same approvals when it is lifted', async () => {
    const freeze = Uint8Array.of(1)
    const first = await approvedOrder()
    world.signers.beforeSession = (request) => {
      world.signers.frozen = [freeze]
      throw world.signers.refusal(request, 2, 'c6', 'frozen by Cleo: a key was stolen')
    }
    assert.equal(await sign(first), 'wait')
    const { state, row } = await orderOf(world, first)
    assert.deepEqual([state, row.sub_status, row.refusal], ['signing', 'waiting_freeze', null])
    world.signers.beforeSession = () => assert.fail('nobody is asked while signing is stopped')
    assert.equal(await sign(first), 'wait')
    const late = await approvedOrder()
    assert.equal(await sign(late), 'queued')
    world.signers.resetScript()
    assert.equal(await sign(first), 'signed')
    assert.equal(await sign(late), 'signed')
  })

  it('ends an order whose time is over before the freeze is lifted, and one that somebody rejected, and frees the slot', async () => {
    world.signers.frozen = [Uint8Array.of(1)]
    const first = await approvedOrder()
    assert.equal(await sign(first), 'wait')
    world.clock.aheadMs = 8 * 24 * 3_600_000
    assert.equal(await sign(first), 'ended')
    assert.equal((await orderOf(world, first)).state, 'timed_out')
    world.clock.aheadMs = 0
    world.signers.resetScript()
    const second = await approvedOrder()
    world.signers.beforeSession = (request) => {
      throw world.signers.refusal(request, 2, 'c6', 'rejected by Cleo')
    }
    assert.equal(await sign(second), 'ended')
    assert.equal((await orderOf(world, second)).state, 'refused')
  })

  it('is given up by an order whose fee cap cannot be met, so that others go on', async () => {
    const poor = await approvedOrder()
    const node = world.network.node
    const prepare = node.prepare
    world.network.node = { ...node, prepare: (order) => prepare({ ...order, feeCap: 0n }) }
    assert.equal(await sign(poor), 'wait')
    assert.equal((await orderOf(world, poor)).row.sub_status, 'build_failed')
    world.network.node = node
    const other = await approvedOrder()
    assert.equal(await sign(other), 'signed')
    assert.equal((await orderOf(world, other)).row.slot, 0n)
    assert.equal(await sign(poor), 'signed')
    assert.equal((await orderOf(world, poor)).row.slot, 1n)
  })

  it('a node that prepares something other than was ordered does not reach a signer', async () => {
    const node = world.network.node
    const prepare = node.prepare
    world.network.node = { ...node, prepare: (order) => prepare({ ...order, amount: order.amount + 1n }) }
    const id = await approvedOrder()
    assert.equal(await sign(id), 'wait')
    assert.deepEqual(
      world.signers.requests.filter((each) => each.kind === 'sign'),
      [],
    )
    assert.match(
      (
        await world.db.asOrganisation(world.orgId, (tx) =>
          tx.selectFrom('transfer_event').select('reason').where('order_id', '=', id).orderBy('seq', 'desc').executeTakeFirstOrThrow(),
        )
      ).reason!,
      /base units/,
    )
    world.network.node = node
  })
})

describe('a signer', () => {
  it('that refuses an order ends it: its words are kept and logged, and the funds are free', async () => {
    world.signers.beforeSession = (request) => {
      if (request.kind === 'sign') throw world.signers.refusal(request, 2, 'c9', 'rule payments lets 5 through')
    }
    const id = await approvedOrder()
    assert.equal(await sign(id), 'ended')
    const { state, row } = await orderOf(world, id)
    assert.equal(state, 'refused')
    assert.deepEqual(
      (row.refusal as { check: string; signer: string }[]).map(({ check, signer }) => [check, signer]),
      [['c9', 'Signer 2']],
    )
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
  })

  it('that refuses for a reason of its own is not the end: the next pair is asked', async () => {
    world.signers.beforeSession = (request) => {
      if (request.kind === 'sign' && request.parties.includes(1n)) throw world.signers.refusal(request, 1, 'c12', 'put back to an older copy')
    }
    const id = await approvedOrder()
    assert.equal(await sign(id), 'signed')
    assert.deepEqual(
      await world.db.asOrganisation(world.orgId, (tx) =>
        tx.selectFrom('signing_attempt').select(['parties', 'outcome', 'failed_check']).where('order_id', '=', id).orderBy('number').execute(),
      ),
      [
        { parties: [1, 2], outcome: 'refused', failed_check: 'c12' },
        { parties: [1, 3], outcome: 'refused', failed_check: 'c12' },
        { parties: [2, 3], outcome: 'signed', failed_check: null },
      ],
    )
  })

  it('that refuses while a signature may exist stops the order, and nothing is given back', async () => {
    let asked = 0
    world.signers.beforeSession = (request) => {
      if (request.kind === 'sign' && asked++ > 0) throw world.signers.refusal(request, 3, 'c4', 'the order has expired')
    }
    world.signers.afterSession = () => {
      throw new Error('the server died here')
    }
    const id = await approvedOrder()
    assert.equal(await sign(id), 'ended')
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['alarmed', 'signature_unclear'])
    assert.equal((await money()).held, ETH + FEE_CAP)
  })

  it('whose refusal is not signed by it is not believed', async () => {
    world.signers.beforeSession = (request) => {
      if (request.kind !== 'sign') return
      const failure = world.signers.refusal(request, 2, 'c9', 'no')
      throw Object.assign(failure, { statement: { ...failure.statement!, signature: new Uint8Array(64) } })
    }
    const id = await approvedOrder()
    assert.equal(await sign(id), 'wait')
    assert.equal((await orderOf(world, id)).state, 'signing')
  })

  it('that hands over a signature nobody can use stops nothing: the other signer has the same one', async () => {
    for (const liar of [1, 2]) {
      const id = await approvedOrder()
      const sessions: number[][] = []
      world.signers.recoverySaid = (party, recovery) => (party === liar ? recovery ^ 1n : recovery)
      world.signers.beforeSession = (request) => void (request.kind === 'sign' && sessions.push(request.parties.map(Number)))
      await sign(id)
      assert.deepEqual(sessions, [[1, 2]])
      assert.equal((await orderOf(world, id)).state, 'broadcasting')
      await send(id)
      world.chain.mine(3)
      await scan(world)
    }
    world.signers.beforeSession = () => {}
    const id = await approvedOrder()
    world.signers.recoverySaid = (_, recovery) => recovery ^ 1n
    assert.equal(await sign(id), 'wait')
    assert.equal((await orderOf(world, id)).state, 'signing')
  })

  it('that is caught cheating stops the order until somebody has looked', async () => {
    world.signers.beforeSession = (request) => {
      if (request.kind === 'sign') throw Object.assign(world.signers.refusal(request, 1, 'c15', 'party 2 cheated'), { kind: 'cheat' })
    }
    const id = await approvedOrder()
    assert.equal(await sign(id), 'ended')
    assert.deepEqual([(await orderOf(world, id)).state, (await orderOf(world, id)).row.sub_status], ['alarmed', 'cheat_detected'])
    assert.equal(await sign(id), 'wait')
    assert.equal((await money()).held, ETH + FEE_CAP)
  })
})

describe('the slot of an order that dies', () => {
  const LATE_MS = 3_600_001

  it('is free at once if its sessions failed before signers were told to begin: no signature can exist', async () => {
    world.signers.beforeSession = (request) => {
      if (request.kind === 'sign') throw new Error('the link broke')
    }
    const id = await approvedOrder({ expireHours: 1 })
    assert.equal(await sign(id), 'wait')
    world.clock.aheadMs += LATE_MS
    assert.equal(await sign(id), 'ended')
    assert.deepEqual([(await orderOf(world, id)).state, await money()], ['timed_out', { available: 10n * ETH, held: 0n }])
    resetScript(world)
    const next = await approvedOrder()
    assert.equal(await sign(next), 'signed')
    assert.equal((await orderOf(world, next)).row.slot, 0n)
  })

  it('stays bound if a signature may exist, and is free for the next order once the chain shows who used it', async () => {
    world.signers.afterSession = () => {
      throw new Error('the server died here')
    }
    const id = await approvedOrder({ expireHours: 1 })
    assert.equal(await sign(id), 'wait')
    world.clock.aheadMs += LATE_MS
    assert.equal(await sign(id), 'wait')
    assert.deepEqual([(await orderOf(world, id)).state, (await orderOf(world, id)).row.sub_status], ['alarmed', 'signature_unclear'])
    resetScript(world)
    const next = await approvedOrder({ amount: '2' })
    assert.equal(await sign(next), 'queued')
    world.chain.mine(10)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'alarmed', 'that nobody has seen the transaction proves nothing')
    world.chain.useSlotElsewhere(wallet.address)
    world.chain.mine(3)
    await scan(world)
    const lost = await orderOf(world, id)
    assert.deepEqual([lost.state, lost.row.sub_status], ['dropped', 'nonce_taken'])
    assert.equal(await sign(next), 'signed')
    assert.equal((await orderOf(world, next)).row.slot, 1n)
    assert.deepEqual(await money(), { available: 8n * ETH - FEE_CAP, held: 2n * ETH + FEE_CAP })
  })

  it('is shown in the log and the timeline, with the transaction that has it', async () => {
    const id = await approvedOrder()
    await sign(id)
    world.chain.useSlotElsewhere(wallet.address)
    world.chain.mine(3)
    await scan(world)
    const { txid } = world.chain.blocks.flatMap((block) => block.sent).find((each) => each.from === wallet.address)!
    await world.db.asOrganisation(world.orgId, async (tx) => {
      const step = await tx.selectFrom('transfer_event').select(['state', 'reason']).where('order_id', '=', id).orderBy('seq', 'desc').executeTakeFirstOrThrow()
      assert.ok(step.state === 'dropped' && step.reason!.includes(txid))
      const entries = await tx.selectFrom('log_entry').select('bytes').orderBy('sequence', 'desc').limit(1).execute()
      const { type, body } = decode(entryShape, new Uint8Array(entries[0]!.bytes))
      assert.ok(type === 'slot-loss' && Buffer.from(body).includes(txid))
    })
  })

  it('goes on with the bytes themselves if the chain has them with a signature that nobody gave us', async () => {
    const bytes: Uint8Array[] = []
    world.signers.afterSession = async (request) => {
      if (request.kind !== 'sign') return
      bytes.push(world.signers.sign(request))
      throw new Error('the server died here')
    }
    const id = await approvedOrder({ expireHours: 1 })
    await sign(id)
    world.clock.aheadMs += LATE_MS
    await sign(id)
    assert.equal((await orderOf(world, id)).state, 'alarmed')
    const txid = world.chain.leak(bytes[0]!)
    world.chain.mine(3)
    await scan(world)
    world.chain.mine()
    await scan(world)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.txid], ['completed', txid])
    assert.deepEqual(await money(), { available: 9n * ETH - REAL_FEE, held: 0n })
  })

  it('is not shown to signers by a server that was about to when the order ended', async () => {
    const id = await approvedOrder({ expireHours: 1 })
    world.signers.beforeSession = async (request) => {
      if (request.kind !== 'sign') return
      world.signers.beforeSession = () => {}
      world.clock.aheadMs += LATE_MS
      assert.equal(await sign(id), 'ended')
    }
    assert.equal(await sign(id), 'ended')
    const order = await orderOf(world, id)
    assert.deepEqual([order.state, signedTransactions(order)], ['timed_out', []])
  })

  it('after an alarm that no signature can follow is free when its time is over', async () => {
    const id = await approvedOrder({ expireHours: 1 })
    world.signers.setOnline(1)
    await sign(id)
    await world.db.asOrganisation(world.orgId, async (tx) => {
      const order = await readOrder(tx, id, true)
      await moveOrder(tx, world.context, order!, { event: 'alarm', actor: 'server', subStatus: 'slot_blocked' })
    })
    assert.equal(await sign(id), 'wait')
    world.clock.aheadMs += LATE_MS
    assert.equal(await sign(id), 'ended')
    assert.deepEqual([(await orderOf(world, id)).state, (await money()).held], ['timed_out', 0n])
  })
})

describe('signers', () => {
  it('witness what is logged of an order while its bytes are made, so that the session waits for one of the two alone', async () => {
    const id = await approvedOrder()
    const { node } = world.network
    const known = () => world.signers.logSizes.get(1)
    const before = known()
    const prepare: typeof node.prepare = async (order) => {
      for (let turns = 0; turns < 1_000 && known() === before; turns++) await new Promise((resolve) => setTimeout(resolve, 1))
      assert.notEqual(known(), before)
      return node.prepare(order)
    }
    world.network.node = { ...node, prepare }
    assert.equal(await sign(id), 'signed')
    world.network.node = node
  })
})

describe('two signers that know different lengths of the log', () => {
  it('are brought to the same one before either of them binds anything', async () => {
    const id = await approvedOrder()
    world.signers.beforeSession = () => void world.signers.logSizes.set(2, 1n)
    let sizes: bigint[] = []
    world.signers.afterSession = () => void (sizes = [1, 2].map((party) => world.signers.logSizes.get(party)!))
    assert.equal(await sign(id), 'signed')
    assert.equal(sizes[0], sizes[1])
  })
})

describe('time', () => {
  it('frees the funds of an order that was not approved in time', async () => {
    const { order } = await requestWithdrawal(world, wallet, { expireHours: 1 })
    world.clock.aheadMs += 3_600_001
    await assert.rejects(async () => approveAs(world, await approvalOf(world, order.row.id, world.members[1])), { code: '300004' })
    await world.db.asOrganisation(world.orgId, (tx) => expireOrder(tx, world.context, order.row.id))
    const { state, row } = await orderOf(world, order.row.id)
    assert.deepEqual([state, row.sub_status], ['expired', 'approval_expired'])
    assert.deepEqual(await money(), { available: 10n * ETH, held: 0n })
  })

  it('ends an approved order that no two signers came for, and passes its slot on', async () => {
    const id = await approvedOrder({ expireHours: 1 })
    world.signers.setOnline(3)
    assert.equal(await sign(id), 'wait')
    world.clock.aheadMs += 3_600_001
    assert.equal(await sign(id), 'ended')
    assert.equal((await orderOf(world, id)).state, 'timed_out')
    world.signers.setOnline(1, 2, 3)
    const next = await approvedOrder()
    await sign(next)
    assert.equal((await orderOf(world, next)).row.slot, 0n)
    assert.deepEqual(await money(), { available: 9n * ETH - FEE_CAP, held: ETH + FEE_CAP })
  })
})
