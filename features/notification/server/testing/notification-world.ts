import { createHash } from 'node:crypto'
import type { Database } from '@holdfast/db'
import { insertSampleRows, openTestDatabase, type SampleIds } from '@holdfast/db/test'
import { openNetworks } from '@holdfast/features/network/server'
import { createSealer } from '@holdfast/features/session/server'
import { announce, type Relay, relayOutbox } from '@holdfast/jobs'
import type { Ports } from '@holdfast/ports'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { sql } from 'kysely'
import type { Side } from '../../contract.ts'
import { saveWebhookEndpoint } from '../change-endpoints.ts'
import type { SendingNeeds } from '../claim-deliveries.ts'
import { type Courier, createCourier } from '../courier.ts'
import { ownManner } from '../manner.ts'
import { notificationSubscriber } from '../tell-endpoints.ts'

const CYCLE = ['approving', 'approved', 'signing', 'broadcasting', 'pending', 'confirming'] as const

/** An organisation whose orders change, and couriers that tell of it, on a real database; a test moves the clock. */
export type NotificationWorld = {
  db: Database
  ports: Ports
  ids: SampleIds
  needs: SendingNeeds
  /** Hosts that couriers may reach though they are this machine. */
  localHosts: Set<string>
  clock: { aheadMs: number }
  addEndpoint(url: string, given?: { sides?: Side[]; step?: number; pauseAfter?: number }): Promise<string>
  newOrder(): Promise<string>
  /** Brings an order to its next state and tells of it, in one transaction. */
  stepOrder(orderId: string): Promise<void>
  /** Resolves when the outbox has been told to its end. */
  told(): Promise<void>
  courier(change?: Partial<SendingNeeds>, report?: (cause: unknown) => void): Courier
  /** Sends, and lets time pass, until nothing is left to be tried. */
  drain(...couriers: Courier[]): Promise<void>
  deliveries(): Promise<{ id: string; endpoint_id: string; record_id: string; seq: bigint; state: string; attempts: number; next_at: bigint | null }[]>
  close(): Promise<void>
}

export async function openNotificationWorld(): Promise<NotificationWorld> {
  const db = await openTestDatabase({ poolSize: 16 })
  const clock = { aheadMs: 0 }
  const ports: Ports = { ...nodePorts, clock: { ...nodePorts.clock, nowMs: () => nodePorts.clock.nowMs() + clock.aheadMs } }
  const ids = await insertSampleRows(db, 'alpha')
  // What the sample rows hold of notifications belongs to no test.
  await db.asSystem(async (tx) => {
    await tx.updateTable('webhook_endpoint').set({ removed_at: ports.clock.nowMs() }).execute()
    await tx.updateTable('webhook_key').set({ retired_at: ports.clock.nowMs() }).execute()
    await tx.updateTable('outbox').set({ published_at: 1 }).execute()
  })
  const sealer = createSealer([new Uint8Array(32).fill(9)], ports.random)
  const needs: SendingNeeds = { db, ports, sealer, settings: { consoleOrigin: 'https://console.example' } }
  const localHosts = new Set<string>()
  const relay: Relay = relayOutbox({ ports, db, subscribers: [notificationSubscriber({ ports, networks: openNetworks([]) })], pollMs: 50 })
  const couriers: Courier[] = []

  const world: NotificationWorld = {
    db,
    ports,
    ids,
    needs,
    localHosts,
    clock,
    addEndpoint: (url, { sides = ['withdraw', 'deposit'] as Side[], step = 0, pauseAfter = 1000 } = {}) => {
      localHosts.add(new URL(url).host)
      const asked = { url, sides: [...sides], confirmations_step: step, pause_after: pauseAfter }
      return db.asOrganisation(ids.orgId, (tx) => saveWebhookEndpoint(tx, { ports, sealer }, ids.personId, asked))
    },
    newOrder: () => insertOrder(world),
    stepOrder: (orderId) => stepOrder(world, orderId),
    told: async () => {
      for (;;) {
        const waiting = await db.asSystem((tx) => tx.selectFrom('outbox').select('sequence').where('published_at', 'is', null).limit(1).execute())
        if (waiting.length === 0) return
        await ports.timer.sleep(10)
      }
    },
    courier: (change = {}, report = (cause) => console.error(cause)) => {
      const one = createCourier({ ...needs, ...change }, ownManner(sealer), { localHosts, report })
      couriers.push(one)
      return one
    },
    drain: (...given) => drain(world, given),
    deliveries: () =>
      db.asSystem((tx) =>
        tx
          .selectFrom('webhook_delivery')
          .innerJoin('webhook_endpoint as e', 'e.id', 'endpoint_id')
          .select(['webhook_delivery.id', 'endpoint_id', 'record_id', 'seq', 'state', 'attempts', 'next_at'])
          .where('e.removed_at', 'is', null)
          .orderBy('webhook_delivery.created_at')
          .orderBy('seq')
          .execute(),
      ),
    close: async () => {
      for (const each of couriers) await each.stop()
      await relay.close()
      await db.close()
    },
  }
  return world
}

async function insertOrder({ db, ports, ids }: NotificationWorld): Promise<string> {
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  await db.asOrganisation(ids.orgId, async (tx) => {
    await tx
      .insertInto('transfer_order')
      .values({
        org_id: ids.orgId,
        id,
        kind: 'withdraw',
        wallet_id: ids.walletId,
        sub_wallet_id: ids.subWalletId,
        chain: 'eip155:31337',
        contract: '',
        symbol: 'ETH',
        amount: 5n,
        fee_cap: 1n,
        address_from: ids.address,
        address_to: '0xdead',
        memo: null,
        remark: '',
        intent: new Uint8Array([1]),
        intent_hash: new Uint8Array(createHash('sha256').update(id).digest()),
        policy_version: 1n,
        initiator: ids.personId,
        state: 'approving',
        is_final: false,
        expires_at: nowMs + 1,
        version: 1,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .execute()
    await tx
      .insertInto('transfer_event')
      .values({ org_id: ids.orgId, order_id: id, seq: 1, state: 'approving', sub_status: null, actor: ids.personId, reason: null, at: nowMs })
      .execute()
    await announce(tx, ports, 'order.changed', { order_id: id })
  })
  return id
}

async function stepOrder({ db, ports, ids }: NotificationWorld, orderId: string): Promise<void> {
  await db.asOrganisation(ids.orgId, async (tx) => {
    const row = await tx.selectFrom('transfer_order').select('version').where('id', '=', orderId).forUpdate().executeTakeFirstOrThrow()
    const version = row.version + 1
    const state = CYCLE[row.version % CYCLE.length]!
    const subStatus = `step_${version}`
    await tx.updateTable('transfer_order').set({ version, state, sub_status: subStatus }).where('org_id', '=', tx.orgId).where('id', '=', orderId).execute()
    await tx
      .insertInto('transfer_event')
      .values({ org_id: ids.orgId, order_id: orderId, seq: version, state, sub_status: subStatus, actor: 'server', reason: null, at: ports.clock.nowMs() })
      .execute()
    await announce(tx, ports, 'order.changed', { order_id: orderId })
  })
}

async function drain(world: NotificationWorld, couriers: Courier[]): Promise<void> {
  for (;;) {
    const taken = await Promise.all(couriers.map((each) => each.round()))
    await Promise.all(couriers.map((each) => each.idle()))
    if (taken.some((count) => count > 0)) continue
    const next = await world.db.asSystem((tx) =>
      tx
        .selectFrom('webhook_delivery as d')
        .innerJoin('webhook_endpoint as e', 'e.id', 'd.endpoint_id')
        .select(sql<bigint | null>`min(greatest(d.next_at, d.lease_until_at))`.as('at'))
        .where('d.state', '=', 'retrying')
        .where('e.removed_at', 'is', null)
        .where('e.paused_at', 'is', null)
        .where('d.next_at', 'is not', null)
        .executeTakeFirstOrThrow(),
    )
    if (next.at === null) return
    world.clock.aheadMs += Math.max(1, Number(next.at) - world.ports.clock.nowMs())
  }
}
