import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { SendError } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { createCourier } from './courier.ts'
import { ownManner } from './manner.ts'
import { freshDelivery, TRIES_MAX } from './tell-endpoints.ts'
import { type NotificationWorld, openNotificationWorld } from './testing/notification-world.ts'

let world: NotificationWorld
beforeEach(async () => {
  world = await openNotificationWorld()
  await world.addEndpoint('http://127.0.0.1:9/key')
})
afterEach(() => world.close())

let made = 0

/** Endpoints at `http://127.0.0.1:9/<name>-0` and so on, each with notifications that are due. */
async function addDue(name: string, endpoints: number, each: number): Promise<void> {
  const { ports, db, ids } = world
  const nowMs = ports.clock.nowMs()
  world.localHosts.add('127.0.0.1:9')
  await db.asOrganisation(ids.orgId, async (tx) => {
    for (let i = 0; i < endpoints; i++) {
      const id = newId(nowMs + 1000 * made++, ports.random)
      const none = { machine_id: null, paused_at: null, pause_reason: null, failures: 0, failing_since_at: null, removed_at: null }
      const settings = { url: `http://127.0.0.1:9/${name}-${i}`, sides: '{}', confirmations_step: 0, pause_after: 1000 }
      const place = { org_id: ids.orgId, endpoint_id: id, wallet_id: null, side: 'withdraw', event: 'withdraw.approving', seq: 1n, request_id: null }
      await tx
        .insertInto('webhook_endpoint')
        .values({ org_id: ids.orgId, id, ...settings, ...none, created_at: nowMs, updated_at: nowMs })
        .execute()
      const rows = Array.from({ length: each }, () => {
        const [delivery, record] = [newId(nowMs, ports.random), newId(nowMs, ports.random)]
        return { ...place, id: delivery, record_id: record, biz_status: null, body: '{}', ...freshDelivery(nowMs, TRIES_MAX) }
      })
      await tx.insertInto('webhook_delivery').values(rows).execute()
    }
  })
}

/** Requests that are under way until a test answers them, by the last part of their address. */
function heldRequests() {
  const sent: string[] = []
  const answers = new Map<string, (() => void)[]>()
  const { ports } = world
  const net: typeof ports.net = {
    ...ports.net,
    send: (request) =>
      new Promise((resolve, reject) => {
        const name = request.url.slice(request.url.lastIndexOf('/') + 1)
        sent.push(name)
        const answered = () => resolve({ status: 200, body: new Uint8Array(), isCut: false } as Awaited<ReturnType<typeof ports.net.send>>)
        answers.set(name, [...(answers.get(name) ?? []), answered])
        request.signal?.addEventListener('abort', () => reject(new SendError('aborted', 'the request was given up')))
      }),
  }
  return { sent, net, answer: (name: string) => answers.get(name)?.forEach((each) => each()) }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await world.ports.timer.sleep(10)
}

it('endpoints take turns where there is no room for what is due to all of them', async () => {
  await addDue('slow', 64, 8)
  await addDue('last', 1, 1)
  const { sent, net, answer } = heldRequests()
  let rooms = 0
  const needs = { ...world.needs, ports: { ...world.ports, net } }
  const courier = createCourier(needs, ownManner(world.needs.sealer), { localHosts: world.localHosts, report: assert.ifError, onRoom: () => rooms++ })
  assert.equal(await courier.round(), 256)
  await until(() => sent.length === 256)
  assert.ok(sent.every((name) => name.startsWith('slow-')))
  answer('slow-0')
  await until(() => rooms === 4)
  await courier.round()
  await until(() => sent.length > 256)
  assert.ok(sent.includes('last-0'), `${sent.slice(256)} had a turn before`)
  await courier.stop()
})

it('an endpoint whose notifications cannot be written keeps no other waiting', async () => {
  await addDue('broken', 1, 1)
  await addDue('whole', 1, 1)
  const { sent, net } = heldRequests()
  const own = ownManner(world.needs.sealer)
  const causes: unknown[] = []
  const open: typeof own.open = (tx, endpoint) =>
    endpoint.url.includes('broken') ? Promise.reject(new Error('the key does not open')) : own.open(tx, endpoint)
  const needs = { ...world.needs, ports: { ...world.ports, net } }
  const courier = createCourier(needs, { ...own, open }, { localHosts: world.localHosts, report: (cause) => causes.push(cause) })
  await courier.round()
  await until(() => sent.length > 0)
  assert.deepEqual(sent, ['whole-0'])
  assert.match(String(causes[0]), /the key does not open/)
  await courier.stop()
})
