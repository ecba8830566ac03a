import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { inertText } from '@holdfast/mail'
import type { Ports } from '@holdfast/ports'
import fc from 'fast-check'
import { LEASE_MS } from './claim-deliveries.ts'
import { pauseWebhookEndpoint } from './change-endpoints.ts'
import { readEndpoints } from './read-endpoints.ts'
import { TRIES_MAX } from './tell-endpoints.ts'
import { resend, skip } from './resend.ts'
import { ANSWER_BYTES_MAX } from './send-attempt.ts'
import { type NotificationWorld, openNotificationWorld } from './testing/notification-world.ts'
import { openTestEndpoint, type Received, type TestEndpoint } from './testing/test-endpoint.ts'
import { verifyExample } from '../verify-example.ts'
import { rotateKey } from './webhook-keys.ts'

class Died extends Error {}

describe('a notification', () => {
  let world: NotificationWorld
  let endpoint: TestEndpoint
  beforeEach(async () => {
    world = await openNotificationWorld()
    endpoint = await openTestEndpoint()
  })
  afterEach(async () => {
    await endpoint.close()
    await world.close()
  })

  const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.ids.orgId, act)
  const withNet = (net: Partial<Ports['net']>) => ({ ports: { ...world.ports, net: { ...world.ports.net, ...net } } })
  const onlyDelivery = async () => {
    const [only, ...others] = await world.deliveries()
    assert.ok(only && others.length === 0)
    return only
  }
  const attemptsOf = (id: string) =>
    world.db.asSystem((tx) => tx.selectFrom('webhook_attempt').selectAll().where('notify_id', '=', id).orderBy('number').execute())
  const publicKeyOf = async (keyId: unknown) => {
    const { keys } = await inOrganisation((tx) => readEndpoints(tx, world.ids.personId))
    return createPublicKey(keys.find((each) => each.key_id === keyId)!.public_key)
  }
  const accepts = async ({ headers, raw }: Received, change: { raw?: string; timestamp?: string } = {}) => {
    const key = await publicKeyOf(headers['x-holdfast-key-id'])
    const given = change.raw ?? raw
    const signature = (name: string) => Buffer.from(String(headers[name]), 'base64')
    const time = change.timestamp ?? String(headers['x-holdfast-timestamp'])
    return {
      body: verify(null, Buffer.from(given), key, signature('x-signature')),
      timed: verify(null, Buffer.from(`${time}.${given}`), key, signature('x-holdfast-signature')),
    }
  }

  it('is signed over its raw bytes and its time; whatever is changed is refused', async () => {
    await world.addEndpoint(endpoint.url)
    await world.newOrder()
    await world.told()
    await world.drain(world.courier())
    const [one] = endpoint.received as [Received]
    assert.deepEqual(await accepts(one), { body: true, timed: true })
    assert.deepEqual(await accepts(one, { raw: one.raw.replace('"amount_base_units":"5"', '"amount_base_units":"6"') }), { body: false, timed: false })
    assert.deepEqual(await accepts(one, { raw: `${one.raw} ` }), { body: false, timed: false })
    assert.deepEqual(await accepts(one, { timestamp: '1' }), { body: true, timed: false })
    assert.equal(one.headers['x-holdfast-notify-id'], one.body.notify_id)
    assert.equal(one.headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(
      { side: one.body.side, event: one.body.event, seq: one.body.seq, attempt: one.body.attempt, status: one.body.status },
      { side: 'withdraw', event: 'withdraw.approving', seq: 1, attempt: 1, status: 1000 },
    )
  })

  it('is genuine for the program that the console shows, and nothing else is', async () => {
    await world.addEndpoint(endpoint.url)
    await world.newOrder()
    await world.told()
    await world.drain(world.courier())
    const [{ headers, raw }] = endpoint.received as [Received]
    const { keys } = await inOrganisation((tx) => readEndpoints(tx, world.ids.personId))
    const key = keys.find((each) => each.retired_at === null)!
    const source = `data:text/javascript,${encodeURIComponent(verifyExample(key.key_id, key.public_key))}`
    const { isGenuine } = (await import(source)) as { isGenuine(headers: object, raw: Buffer, nowMs: number): boolean }
    const sentMs = Number(headers['x-holdfast-timestamp'])
    assert.equal(isGenuine(headers, Buffer.from(raw), sentMs + 1000), true)
    assert.equal(isGenuine(headers, Buffer.from(`${raw} `), sentMs + 1000), false)
    assert.equal(isGenuine(headers, Buffer.from(raw), sentMs + 300_001), false)
    assert.equal(isGenuine({ ...headers, 'x-holdfast-timestamp': String(sentMs + 1) }, Buffer.from(raw), sentMs), false)
    assert.equal(isGenuine({ ...headers, 'x-holdfast-key-id': '0'.repeat(16) }, Buffer.from(raw), sentMs), false)
    assert.equal(isGenuine({}, Buffer.from(raw), sentMs), false)
  })

  it('is signed by the new key after a rotation, and names it', async () => {
    await world.addEndpoint(endpoint.url)
    await world.newOrder()
    await world.told()
    await world.drain(world.courier())
    const { from, to } = await inOrganisation((tx) => rotateKey(tx, world.needs))
    await world.newOrder()
    await world.told()
    await world.drain(world.courier())
    assert.deepEqual(
      endpoint.received.map((each) => each.headers['x-holdfast-key-id']),
      [from, to],
    )
    for (const each of endpoint.received) assert.deepEqual(await accepts(each), { body: true, timed: true })
  })

  it('has one key after rotations at the same moment, each of the key before it', async () => {
    await world.addEndpoint(endpoint.url)
    const rotations = await Promise.all(Array.from({ length: 6 }, () => inOrganisation((tx) => rotateKey(tx, world.needs))))
    const replaced = new Set(rotations.map((each) => each.from))
    assert.equal(replaced.size, 6)
    assert.equal(rotations.filter((each) => !replaced.has(each.to)).length, 1, 'one key is left that nothing replaced')
    const present = await inOrganisation((tx) =>
      tx.selectFrom('webhook_key').select('key_id').where('org_id', '=', tx.orgId).where('retired_at', 'is', null).execute(),
    )
    assert.equal(present.length, 1)
  })

  it('is sent again, the same but for the number of the try, when the server died between sending and writing it down', async () => {
    await world.addEndpoint(endpoint.url)
    await world.newOrder()
    await world.told()
    // Sends for real, and never comes back to write the answer down.
    const dying = world.courier(
      withNet({
        send: (request) =>
          world.ports.net
            .send(request)
            .then(() => new Promise<never>((_, reject) => request.signal?.addEventListener('abort', () => reject(new Error('dead'))))),
      }),
    )
    await dying.round()
    await endpoint.reached(1)
    const next = world.courier()
    assert.equal(await next.round(), 0, 'it was sent a second time while the first sender could be alive')
    world.clock.aheadMs += LEASE_MS + 1
    await world.drain(next)
    const [first, second] = endpoint.received as [Received, Received]
    assert.equal(endpoint.received.length, 2)
    assert.equal(second.body.notify_id, first.body.notify_id)
    assert.deepEqual([first.body.attempt, second.body.attempt], [1, 2])
    assert.deepEqual({ ...second.body, attempt: 0 }, { ...first.body, attempt: 0 })
    const [unknown, written] = await attemptsOf(first.body.notify_id)
    assert.equal(unknown?.ended_at, null)
    assert.equal(written?.http_code, 200)
    // What the dead one would write after all changes nothing.
    await dying.stop()
    assert.deepEqual(
      (await world.deliveries()).map(({ state, attempts }) => ({ state, attempts })),
      [{ state: 'success', attempts: 2 }],
    )
  })

  it('goes to the address that was checked, and nowhere when the name leads inside by then', async () => {
    await world.addEndpoint(endpoint.url)
    world.localHosts.clear()
    const { port } = new URL(endpoint.url)
    await world.db.asSystem((tx) =>
      tx
        .updateTable('webhook_endpoint')
        .set({ url: `https://rebind.example:${port}/` })
        .where('removed_at', 'is', null)
        .execute(),
    )
    for (const inside of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['169.254.169.254'], ['64:ff9b::7f00:1']]) {
      await world.newOrder()
      await world.told()
      const courier = world.courier(withNet({ resolve: async () => inside }))
      assert.equal(await courier.round(), 1)
      await courier.idle()
    }
    assert.equal(endpoint.connections(), 0)
    const tries = await world.db.asSystem((tx) =>
      tx.selectFrom('webhook_attempt').select(['failure', 'address', 'number']).where('failure', 'is not', null).execute(),
    )
    assert.equal(tries.length, 5)
    assert.ok(
      tries.every(({ failure }) => failure === 'private_address'),
      JSON.stringify(tries),
    )
  })

  it('is connected to by number: a name that means something else by then makes no difference', async () => {
    world.localHosts.add(`somewhere.invalid:${new URL(endpoint.url).port}`)
    await world.addEndpoint(endpoint.url.replace('127.0.0.1', 'somewhere.invalid'))
    await world.newOrder()
    await world.told()
    // The system's resolver does not know the name at all; what arrives came by the address that the check saw.
    const courier = world.courier(withNet({ resolve: async () => ['127.0.0.1'] }))
    await courier.round()
    await courier.idle()
    assert.equal(endpoint.received[0]?.headers.host, `somewhere.invalid:${new URL(endpoint.url).port}`)
  })

  it('is not received where the answer is a redirect, an error or the word FAILURE, and no redirect is followed', async () => {
    const inside = await openTestEndpoint()
    await world.addEndpoint(endpoint.url)
    const answers = [
      { status: 307, headers: { location: inside.url } },
      { status: 500, body: 'broken' },
      { status: 200, body: ' FAILURE\n' },
      { status: 404, body: '<script>alert(1)</script>\0' },
      'cut' as const,
    ]
    endpoint.answerWith(() => answers.shift() ?? {})
    await world.newOrder()
    await world.told()
    await world.drain(world.courier())
    const { id, state } = await onlyDelivery()
    const tries = await attemptsOf(id)
    assert.deepEqual(
      tries.map(({ failure, http_code }) => [failure, http_code]),
      [
        ['redirect', 307],
        ['http_status', 500],
        ['answered_failure', 200],
        ['http_status', 404],
        ['lost', null],
        [null, 200],
      ],
    )
    assert.equal(tries[3]?.answer, '<script>alert(1)</script>\ufffd')
    assert.equal(state, 'success')
    assert.equal(inside.connections(), 0)
    await inside.close()
  })

  it('keeps no more of an answer than a few kilobytes, and does not read on', async () => {
    await world.addEndpoint(endpoint.url)
    endpoint.answerWith(() => ({ body: '長'.repeat(1_000_000) }))
    await world.newOrder()
    await world.told()
    await world.drain(world.courier())
    const { id } = await onlyDelivery()
    const [only] = await attemptsOf(id)
    assert.equal(only?.answer_cut, true)
    assert.ok(Buffer.byteLength(only?.answer ?? '') <= ANSWER_BYTES_MAX + 3)
    assert.match(only?.answer ?? '', /^長+\ufffd?$/)
  })

  it('does not wait for an endpoint that never answers another', async (t) => {
    const slow = await openTestEndpoint()
    t.after(() => slow.close())
    slow.answerWith(() => 'hang')
    await world.addEndpoint(slow.url)
    await world.addEndpoint(endpoint.url)
    const courier = world.courier()
    for (let i = 0; i < 12; i++) await world.newOrder()
    await world.told()
    const arrived = async () => (await world.deliveries()).filter(({ state }) => state === 'success').length
    while ((await arrived()) < 12) {
      await courier.round()
      await world.ports.timer.sleep(5)
    }
    assert.equal(slow.received.length, 4, 'one endpoint has more than its share')
    // Stopping breaks off what hangs and leaves it due, not failed.
    await courier.stop()
    const left = (await world.deliveries()).filter(({ state }) => state !== 'success')
    assert.equal(left.length, 12)
    assert.ok(left.every(({ state }) => state === 'retrying'))
  })

  it('holds back the later states of its record and nothing else when it is given up, until it is sent again or given up for good', async () => {
    await world.addEndpoint(endpoint.url)
    const poison = await world.newOrder()
    const other = await world.newOrder()
    endpoint.answerWith(({ body }) => (body.id === poison && body.seq <= 2 ? { status: 500 } : {}))
    for (const order of [poison, poison, other]) await world.stepOrder(order)
    await world.told()
    const courier = world.courier()
    await world.drain(courier)
    const stateOf = async (record: string) =>
      (await world.deliveries()).filter((each) => each.record_id === record).map(({ state, attempts }) => `${state} ${attempts}`)
    assert.deepEqual(await stateOf(poison), [`failed ${TRIES_MAX}`, 'retrying 0', 'retrying 0'])
    assert.deepEqual(await stateOf(other), ['success 1', 'success 1'])
    const [first, second] = (await world.deliveries()).filter((each) => each.record_id === poison)
    await inOrganisation((tx) => skip(tx, world.needs, world.ids.personId, first!.id))
    await world.drain(courier)
    assert.deepEqual(await stateOf(poison), [`stopped ${TRIES_MAX}`, `failed ${TRIES_MAX}`, 'retrying 0'])
    endpoint.answerWith(() => ({}))
    assert.equal(await inOrganisation((tx) => resend(tx, world.needs, world.ids.personId, { notify_id: second!.id })), 1)
    await world.drain(courier)
    assert.deepEqual(await stateOf(poison), [`stopped ${TRIES_MAX}`, `success ${TRIES_MAX + 1}`, 'success 1'])
  })

  it('is sent again with the failed ones of its record before it; the failed ones of a window are sent again together', async () => {
    await world.addEndpoint(endpoint.url)
    endpoint.answerWith(() => ({ status: 503 }))
    const startMs = world.ports.clock.nowMs()
    const orders = [await world.newOrder(), await world.newOrder()]
    for (const order of orders) await world.stepOrder(order)
    await world.told()
    const courier = world.courier()
    await world.drain(courier)
    endpoint.answerWith(() => ({}))
    const last = (await world.deliveries()).findLast((each) => each.record_id === orders[0])!
    assert.equal(await inOrganisation((tx) => resend(tx, world.needs, world.ids.personId, { notify_id: last.id })), 2)
    await world.drain(courier)
    const before = (await world.deliveries()).filter(({ state }) => state === 'success')
    assert.deepEqual(
      before.map((each) => each.record_id),
      [orders[0], orders[0]],
    )
    const window = { start_time: startMs - 1000, end_time: startMs + 3_500_000, failed: '1' as const }
    assert.equal(await inOrganisation((tx) => resend(tx, world.needs, world.ids.personId, window)), 1)
    await world.drain(courier)
    assert.ok((await world.deliveries()).every(({ state }) => state === 'success'))
    await assert.rejects(
      inOrganisation((tx) => resend(tx, world.needs, world.ids.personId, { ...window, end_time: startMs + 3_600_001 })),
      { errorName: 'invalid_parameters' },
    )
  })

  it('may be asked for again ten times a minute by each person', async () => {
    const ask = () => inOrganisation((tx) => resend(tx, world.needs, world.ids.personId, { start_time: 0, end_time: 1, failed: '1' }))
    const outcomes = await Promise.allSettled(Array.from({ length: 14 }, ask))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10)
    await assert.rejects(ask(), { errorName: 'rate_limited' })
    world.clock.aheadMs += 60_001
    assert.equal(await ask(), 0)
  })

  it('waits where its endpoint failed too often for too long, and goes on when a person says so', async () => {
    const id = await world.addEndpoint(endpoint.url, { pauseAfter: 3 })
    endpoint.answerWith(() => ({ status: 500 }))
    await world.newOrder()
    await world.told()
    const courier = world.courier()
    await world.drain(courier)
    const read = async () => (await inOrganisation((tx) => readEndpoints(tx, world.ids.personId))).receivers.find((each) => each.endpoint_id === id)!
    const paused = await read()
    assert.equal(paused.state, 'auto_paused')
    assert.equal(paused.waiting, 1)
    assert.ok(paused.failures >= 3 && endpoint.received.length === paused.failures)
    // Who may mend it is told by mail, in the same transaction; where it is, only by its host.
    assert.deepEqual(
      paused.letters.map(({ state, reason }) => [state, reason]),
      [['waiting', null]],
    )
    const { body } = await world.db.asSystem((tx) => tx.selectFrom('mail').select('body').where('about_id', '=', id).executeTakeFirstOrThrow())
    const { host, pathname } = new URL(endpoint.url)
    assert.ok(body.includes(inertText(host)) && !body.includes(host) && body.includes('https://console.example/mpc/transactionNotification?view=receivers'))
    assert.ok(pathname.length > 1 && !body.includes(pathname))
    await world.newOrder()
    await world.told()
    assert.equal(await courier.round(), 0)
    endpoint.answerWith(() => ({}))
    await inOrganisation((tx) => pauseWebhookEndpoint(tx, { ...world.needs }, world.ids.personId, id, false))
    await world.drain(courier)
    const { state, waiting, letters } = await read()
    assert.deepEqual({ state, waiting, letters }, { state: 'active', waiting: 0, letters: [] })
    assert.ok((await world.deliveries()).every(({ state }) => state === 'success'))
  })

  it('never overtakes an earlier undelivered one of its record, whatever fails, whoever dies, and however many send', async () => {
    await world.addEndpoint(endpoint.url)
    // The third one dies at random between sending and writing down: its lease runs out and another one sends again.
    let dies = (): boolean => false
    const mortal = {
      ...world.db,
      asOrganisation: ((orgId, act) => (dies() ? Promise.reject(new Died()) : world.db.asOrganisation(orgId, act))) as typeof world.db.asOrganisation,
    }
    const couriers = [world.courier(), world.courier(), world.courier({ db: mortal }, (cause) => assert.ok(cause instanceof Died))]
    let deaths = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(2), { minLength: 1, maxLength: 10 }),
        fc.infiniteStream(fc.constantFrom('ok', 'ok', '500', 'cut', 'late')),
        fc.infiniteStream(fc.boolean()),
        async (steps, fate, death) => {
          dies = () => {
            const isDead = death.next().value as boolean
            deaths += Number(isDead)
            return isDead
          }
          const from = endpoint.received.length
          const orders = [await world.newOrder(), await world.newOrder(), await world.newOrder()]
          endpoint.answerWith(async () => {
            const { value } = fate.next() as { value: string }
            if (value === 'late') await world.ports.timer.sleep(2)
            return value === '500' ? { status: 500 } : value === 'cut' ? 'cut' : {}
          })
          for (const [at, order] of steps.entries()) {
            await world.stepOrder(orders[order]!)
            if (at % 3 === 0) await Promise.all(couriers.map((each) => each.round()))
          }
          await world.told()
          await world.drain(...couriers)
          const arrived = endpoint.received.slice(from)
          for (const order of orders) {
            const seqs = arrived.filter((each) => each.body.id === order).map((each) => each.body.seq)
            assert.deepEqual(
              seqs,
              seqs.toSorted((a, b) => a - b),
            )
            const expected = 1 + steps.filter((each) => orders[each] === order).length
            assert.deepEqual(
              [...new Set(seqs)],
              Array.from({ length: expected }, (_, i) => i + 1),
            )
          }
        },
      ),
      { numRuns: Number(process.env.HOLDFAST_NOTIFY_RUNS ?? 8) },
    )
    assert.ok(deaths > 0 && endpoint.received.length > 0)
    assert.ok((await world.deliveries()).every(({ state }) => state === 'success'))
  })
})
