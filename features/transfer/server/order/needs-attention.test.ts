import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import type { Language } from '@holdfast/contract'
import { scanChain } from '@holdfast/features/deposit/server'
import { assertConserved } from '@holdfast/ledger'
import { broadcastOrder } from '../settlement/broadcast-order.ts'
import { openOrderFailures } from './needs-attention.ts'
import { orderView, quorumOf } from '../../../transaction/server/view/order-view.ts'
import { signOrder } from '../signing/sign-order.ts'
import {
  requestWithdrawal,
  requestApproved,
  balanceOf,
  resetScript,
  ETH,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  reaches,
  type Wallet,
  type World,
} from '../../../testing/test-world.ts'
import { startTransfers } from '../run-transfers.ts'
import { openView } from '../../../transaction/server/view/view-context.ts'

let world: World
let bad: Wallet
let good: Wallet

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  bad = await makeWallet(world, 'Bad luck')
  good = await makeWallet(world, 'Good luck')
  await fund(world, bad, 10n * ETH)
  await fund(world, good, 10n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

async function sentOrder(wallet: Wallet): Promise<{ id: string; txid: string }> {
  const id = await requestApproved(world, wallet, { amount: '1' })
  await signOrder(world.context, world.orgId, id)
  await broadcastOrder(world.context, world.orgId, id)
  return { id, txid: (await orderOf(world, id)).row.txid! }
}

/** A reader that lives on, with its clock and what it reports. */
function reader() {
  const clock = { ms: 0 }
  const reported: string[] = []
  const ports = { ...world.context.ports, clock: { ...world.context.ports.clock, monotonicMs: () => clock.ms } }
  const memory = { failures: openOrderFailures(ports) }
  const read = async () => {
    while (await scanChain(world.context, world.network, memory, (cause) => void reported.push(String(cause)))) {
      /* goes on */
    }
  }
  return { clock, reported, read }
}

async function shown(id: string, language: Language) {
  return world.db.asOrganisation(world.orgId, async (tx) => {
    const view = await openView({ tx, networks: world.context.networks, language, nowMs: Date.now(), fiat: 'USD' })
    const { row } = await orderOf(world, id)
    return orderView(view, row, await quorumOf(view, row))
  })
}

/** Breaks what the node says of one transaction. */
function breakTransaction(txid: string, answer: () => never | { fee: bigint }): void {
  const { node } = world.chain
  world.network.node = {
    ...node,
    transaction: async (asked) => {
      const told = await node.transaction(asked)
      return asked === txid && told.state === 'included' ? { ...told, ...answer() } : told
    },
  }
}

describe('an order that the server cannot settle', () => {
  it('says so with the true reason in both languages, is put off, and keeps no other order from being booked', async () => {
    const [lost, fine] = [await sentOrder(bad), await sentOrder(good)]
    breakTransaction(lost.txid, () => {
      throw new Error('the books have no such page')
    })
    const { clock, reported, read } = reader()
    for (let blocks = 0; blocks < 5; blocks++) {
      world.chain.mine()
      await read()
    }
    assert.equal((await orderOf(world, fine.id)).state, 'completed')
    const [english, chinese] = [await shown(lost.id, 'en_US'), await shown(lost.id, 'zh_CN')]
    assert.equal(english.sub_status, 'needs_attention')
    assert.match(english.next_action.text, /^The books have no such page\. Needs attention/)
    assert.match(chinese.next_action.text, /the books have no such page.*需要处理/)
    assert.equal(reported.filter((words) => words.includes(lost.id)).length, 1, 'one line for one try')
    const { row } = await orderOf(world, lost.id)
    for (let minute = 0; minute < 60; minute++) {
      clock.ms += 60_000
      world.chain.mine()
      await read()
    }
    assert.ok(reported.length <= 16, `${reported.length} lines in an hour`)
    assert.equal((await orderOf(world, lost.id)).row.version, row.version, 'the same word is written once')
    world.network.node = world.chain.node
    clock.ms += 3_600_000
    world.chain.mine()
    await read()
    assert.equal((await orderOf(world, lost.id)).state, 'completed')
    assert.equal((await balanceOf(world, bad)).held, 0n)
    assert.equal((await shown(lost.id, 'en_US')).next_action.text, '')
  })

  it('says so too if a node keeps giving an impossible answer, such as a cost below nothing or above what was signed', async () => {
    for (const fee of [-1n, -(10n ** 30n), 10n ** 30n]) {
      const [lost, fine] = [await sentOrder(bad), await sentOrder(good)]
      breakTransaction(lost.txid, () => ({ fee }))
      const { read } = reader()
      for (let blocks = 0; blocks < 7; blocks++) {
        world.chain.mine()
        await read()
      }
      assert.equal((await orderOf(world, fine.id)).state, 'completed')
      const { state, row } = await orderOf(world, lost.id)
      assert.deepEqual([state, row.sub_status], ['confirming', 'needs_attention'])
      world.network.node = world.chain.node
      world.chain.mine()
      await reader().read()
      assert.equal((await orderOf(world, lost.id)).state, 'completed')
    }
  })

  it('says nothing of a node that fails once, and is checked again with the next block', async () => {
    const lost = await sentOrder(bad)
    let failures = 1
    breakTransaction(lost.txid, () => {
      if (failures-- > 0) throw new ChainError('the node is tired')
      return world.chain.node.transaction(lost.txid) as never
    })
    const { reported, read } = reader()
    world.chain.mine(3)
    await read()
    assert.equal((await orderOf(world, lost.id)).row.sub_status, 'mempool')
    world.network.node = world.chain.node
    world.chain.mine()
    await read()
    assert.deepEqual([(await orderOf(world, lost.id)).state, reported], ['completed', []])
  })

  it('is resumed after a reorganisation like the others, even if one of them cannot be', async () => {
    const fine = await sentOrder(good)
    const { reported, read } = reader()
    world.chain.mine(4)
    await read()
    const { row } = await orderOf(world, fine.id)
    assert.equal(row.state, 'completed')
    const torn = (await requestWithdrawal(world, bad)).order.row.id
    // A row that says more than ever happened.
    const { state, is_final, block_height, block_hash } = row
    await world.db.asOrganisation(world.orgId, (tx) =>
      tx
        .updateTable('transfer_order')
        .set({ state, is_final, block_height, block_hash, sub_status: 'ok' })
        .where('org_id', '=', world.orgId)
        .where('id', '=', torn)
        .execute(),
    )
    world.chain.reorganise(4)
    world.chain.mine(5)
    await read()
    assert.equal((await orderOf(world, fine.id)).state, 'completed')
    assert.notEqual((await orderOf(world, fine.id)).row.block_hash, block_hash)
    assert.equal((await orderOf(world, torn)).row.sub_status, 'needs_attention')
    assert.match((await shown(torn, 'en_US')).next_action.text, /Needs attention/)
    assert.equal(reported.length, 1)
  })

  it('shows why its signers were never asked, if something unforeseen fails', async () => {
    const id = await requestApproved(world, bad)
    world.chain.beforeAnswer = (question) => {
      if (question === 'prepare') throw new TypeError('undefined is no function')
    }
    const running = startTransfers(world.context)
    try {
      for (;;) if ((await orderOf(world, id)).row.sub_status === 'build_failed') break
      assert.match((await shown(id, 'en_US')).next_action.text, /^Undefined is no function\. The transaction cannot be built/)
      world.chain.beforeAnswer = () => {}
      const fine = await requestApproved(world, good)
      await reaches(world, fine, 'pending', 'confirming')
    } finally {
      await running.stop()
    }
  })
})
