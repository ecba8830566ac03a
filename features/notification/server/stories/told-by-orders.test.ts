import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createSealer } from '@holdfast/features/session/server'
import { asOwner } from '@holdfast/db/test'
import { type Relay, relayOutbox } from '@holdfast/jobs'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { approve, requestWithdrawal, fund, makeWallet, openWorld, orderOf, scan, type World } from '../../../testing/test-world.ts'
import { saveWebhookEndpoint } from '../change-endpoints.ts'
import { notificationSubscriber } from '../tell-endpoints.ts'
import { demandToldAsDescribed } from '../testing/told-as-described.ts'

describe('what endpoints are told of', () => {
  let world: World
  let relay: Relay
  const url = 'https://endpoint.example/'
  beforeEach(async () => {
    world = await openWorld()
    relay = relayOutbox({ ports: world.context.ports, db: world.db, subscribers: [notificationSubscriber(world.context)], pollMs: 50 })
  })
  afterEach(async () => {
    await relay.close()
    await world.close()
  })
  const listen = (step = 0) =>
    world.db.asOrganisation(world.orgId, (tx) => {
      const needs = { ports: world.context.ports, sealer: createSealer([new Uint8Array(32)], world.context.ports.random) }
      return saveWebhookEndpoint(tx, needs, world.members[0].id, { url, sides: ['deposit', 'withdraw'], confirmations_step: step, pause_after: 20 })
    })
  const pay = async (id: string) => {
    await signOrder(world.context, world.orgId, id)
    await broadcastOrder(world.context, world.orgId, id)
  }
  const told = async () => {
    for (;;) {
      const left = await world.db.asSystem((tx) => tx.selectFrom('outbox').select('sequence').where('published_at', 'is', null).limit(1).execute())
      if (left.length === 0) break
      await world.context.ports.timer.sleep(10)
    }
    const rows = await world.db.asSystem((tx) =>
      tx.selectFrom('webhook_delivery').select(['body', 'seq', 'next_at']).orderBy('created_at').orderBy('seq').execute(),
    )
    return rows.map((row) => {
      const body = JSON.parse(row.body) as Record<string, unknown>
      demandToldAsDescribed(body)
      return { ...body, isDue: row.next_at !== null } as Record<string, unknown>
    })
  }

  it('is every state of a payment, numbered, with what was known in it', async () => {
    const wallet = await makeWallet(world)
    await fund(world, wallet, 10n ** 19n)
    await listen()
    const { id } = (await requestWithdrawal(world, wallet, { amount: '1.5', requestId: 'salary-2026-11' })).order.row
    await approve(world, id, world.members[1], world.members[2])
    await pay(id)
    world.chain.mine()
    await scan(world)
    world.chain.mine(world.network.finalityBlocks)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
    const bodies = (await told()).filter((each) => each.id === id)
    assert.deepEqual(
      bodies.map((each) => each.seq),
      bodies.map((_, i) => i + 1),
    )
    const statuses = bodies.map((each) => Number(each.status))
    assert.deepEqual(
      statuses,
      statuses.toSorted((a, b) => a - b),
    )
    for (const status of [1000, 1100, 1200, 2000]) assert.ok(statuses.includes(status), `${status} was not told: ${statuses}`)
    const [first, last] = [bodies[0]!, bodies.at(-1)!]
    assert.deepEqual(
      { event: first.event, amount: first.amount, request: first.request_id, txid: first.txid, fee: first.real_fee },
      { event: 'withdraw.approving', amount: '1.5', request: 'salary-2026-11', txid: null, fee: null },
    )
    assert.equal(last.event, 'withdraw.completed')
    assert.ok(typeof last.txid === 'string' && last.real_fee !== null && last.tx_height !== null)
    assert.deepEqual(
      bodies.map((each) => each.isDue),
      bodies.map((_, i) => i === 0),
      'a later state is due before the one before it has arrived',
    )
  })

  it('is what pays nobody, but never under the events of a payment', async () => {
    const wallet = await makeWallet(world)
    await fund(world, wallet, 10n ** 19n)
    await listen()
    const toldAs = [
      ['consolidate', 'consolidation', 'consolidate'],
      ['stake', 'stake', 'stake'],
      ['stake_change', 'stake', 'stake'],
      ['authorize', 'authorization', 'authorize'],
      ['deposit_child', 'deposit_lift', 'deposit_lift'],
    ]
    for (const [kind, event, purpose] of toldAs) {
      const { id } = (await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row
      await told()
      await asOwner(world.db, (owner) => owner.query('update transfer_order set kind = $2 where id = $1', [id, kind]))
      await approve(world, id, world.members[1], world.members[2])
      const last = (await told()).findLast((each) => each.id === id)
      assert.deepEqual([last?.event, last?.side, last?.purpose], [`${event}.approved`, 'withdraw', purpose])
    }
  })

  it('is a deposit from the block it is seen in to the ledger, with confirmations as often as was asked for', async () => {
    const wallet = await makeWallet(world)
    await scan(world)
    await listen(1)
    world.chain.give(wallet.address, 10n ** 18n, null)
    for (let i = 0; i <= world.network.finalityBlocks; i++) {
      world.chain.mine(1)
      await scan(world)
      await told()
    }
    const bodies = (await told()).filter((each) => each.side === 'deposit')
    const events = bodies.map((each) => each.event)
    assert.equal(events[0], 'deposit.unconfirmed')
    assert.equal(events.at(-1), 'deposit.credited')
    assert.ok(events.includes('deposit.confirmed'))
    assert.deepEqual(
      bodies.map((each) => each.seq),
      bodies.map((_, i) => i + 1),
    )
    assert.equal(bodies.at(-1)!.amount, '1')
    assert.equal(bodies.at(-1)!.status, 2000)
  })

  it('is each of many deposits of one block, every state of it once', async () => {
    const wallet = await makeWallet(world)
    await scan(world)
    await listen()
    for (let i = 0; i < 30; i++) world.chain.give(wallet.address, 10n ** 18n, null)
    for (let i = 0; i <= world.network.finalityBlocks; i++) {
      world.chain.mine(1)
      await scan(world)
      await told()
    }
    const ofDeposit = Map.groupBy(await told(), (each) => each.id)
    assert.equal(ofDeposit.size, 30)
    for (const bodies of ofDeposit.values()) {
      assert.deepEqual(
        bodies.map(({ event, seq, isDue }) => [event, seq, isDue]),
        [
          ['deposit.unconfirmed', 1, true],
          ['deposit.confirmed', 2, false],
          ['deposit.credited', 3, false],
        ],
      )
    }
  })

  it('is nothing that was rolled back, and nothing from before somebody listened', async () => {
    const wallet = await makeWallet(world)
    await fund(world, wallet, 10n ** 18n)
    const { id: before } = (await requestWithdrawal(world, wallet, { amount: '0.1' })).order.row
    await listen()
    await assert.rejects(requestWithdrawal(world, wallet, { amount: '5' }))
    assert.deepEqual(await told(), [])
    await approve(world, before, world.members[1], world.members[2])
    await pay(before)
    const bodies = await told()
    assert.ok(bodies.length > 0 && bodies.every((each) => each.id === before && each.event !== 'withdraw.approving'))
    assert.equal(bodies[0]!.seq, 1)
  })
})
