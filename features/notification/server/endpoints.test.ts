import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Database, Role } from '@holdfast/db'
import { createSealer } from '@holdfast/features/session/server'
import type { HandledEndpoint } from '@holdfast/http'
import { nodePorts } from '@holdfast/ports/node'
import { newId } from '@holdfast/units'
import { createDeviceKey, GOOD_PASSWORD, refusedAs, registerDevice, startTestConsole, type TestConsole } from '../../session/server/testing/test-console.ts'
import * as calls from '../contract.ts'
import { notificationEndpoints } from './routes.ts'
import { freshDelivery } from './tell-endpoints.ts'

const URL = 'https://93.184.215.14/hook'

/** A server with these calls. The calls are made before the server has its database, so they find it later. */
async function start(context: TestContext): Promise<TestConsole> {
  const made: { console?: TestConsole } = {}
  const db = new Proxy({} as Database, { get: (_, name) => made.console!.db[name as keyof Database] })
  const endpoints: HandledEndpoint[] = notificationEndpoints({
    db: { ...db, asOrganisation: (...given) => db.asOrganisation(...given) },
    ports: { ...nodePorts, clock: { nowMs: () => made.console!.nowMs(), monotonicMs: () => nodePorts.clock.monotonicMs() } },
    sealer: createSealer([new Uint8Array(32)], nodePorts.random),
    localHosts: new Set(),
    demandSecondFactorWhereSet: (...given) => made.console!.feature.demandSecondFactorWhereSet(...given),
  })
  made.console = await startTestConsole(context, { endpoints })
  return made.console
}

async function signedIn(console: TestConsole, orgId: string, login: string, role: Role = 'admin') {
  const { invite, personId } = await console.addPerson(orgId, login, role)
  const terminal = console.terminal()
  await registerDevice(terminal, createDeviceKey(console.origin), invite)
  return { terminal, personId }
}

const saving = { url: URL, sides: ['deposit' as const] }

test('a GET that sends again has no effect without the open token, whatever cookies come with it', async (context) => {
  const console = await start(context)
  const { terminal } = await signedIn(console, await console.addOrganisation(), 'ann@example.test')
  const window = { start_time: 0, end_time: 1, failed: '1' as const }
  terminal.setOpenToken(undefined)
  await assert.rejects(terminal.call(calls.resendNotification, window), refusedAs('open_token_stale'))
  await terminal.state()
  assert.deepEqual(await terminal.call(calls.resendNotification, window), { count: 0 })
  const cookie = terminal.cookieJar.header() ?? ''
  const query = 'start_time=0&end_time=1&failed=1'
  for (const headers of [{ cookie }, { cookie, 'sec-fetch-site': 'cross-site' }, { cookie, 'sec-fetch-mode': 'navigate' }] as Record<string, string>[]) {
    const answer = await console.server.inject({
      method: 'GET',
      url: `/api/mpc/transaction/re_notify?${query}`,
      headers: { host: new globalThis.URL(console.origin).host, ...headers },
    })
    assert.notEqual((answer.json() as { code: string }).code, '0')
  }
})

test('whoever may only read sees endpoints and changes none', async (context) => {
  const console = await start(context)
  const orgId = await console.addOrganisation()
  const { terminal } = await signedIn(console, orgId, 'vera@example.test', 'viewer')
  assert.deepEqual((await terminal.call(calls.getWebhookEndpoints, {})).receivers, [])
  await assert.rejects(terminal.call(calls.saveWebhookEndpoint, saving), refusedAs('not_permitted'))
  await assert.rejects(terminal.call(calls.rotateWebhookKey, {}), refusedAs('not_permitted'))
  for (const resend of [calls.resendNotification, calls.resendNotificationPost])
    await assert.rejects(terminal.call(resend, { start_time: 0, end_time: 1, failed: '1' }), refusedAs('not_permitted'))
})

test('who has an authenticator app changes where notifications go with a fresh code only, and each change is kept', async (context) => {
  const console = await start(context)
  const orgId = await console.addOrganisation()
  const { invite } = await console.addPerson(orgId, 'ann@example.test')
  const ann = console.terminal()
  const { totp_secret: secret } = await ann.registerPassword(invite, GOOD_PASSWORD)
  assert.equal((await ann.call(calls.getWebhookEndpoints, {})).needs_code, true)
  await assert.rejects(ann.call(calls.saveWebhookEndpoint, saving), refusedAs('invalid_parameters'))
  await assert.rejects(ann.call(calls.saveWebhookEndpoint, { ...saving, google_code: '000000' }), refusedAs('totp_refused'))
  console.pass(30_000)
  const google_code = ann.codeFor(secret)
  const { endpoint_id } = await ann.call(calls.saveWebhookEndpoint, { ...saving, google_code })
  await assert.rejects(ann.call(calls.saveWebhookEndpoint, { ...saving, endpoint_id, google_code }), refusedAs('totp_refused'))
  await assert.rejects(ann.call(calls.removeWebhookEndpoint, { endpoint_id }), refusedAs('invalid_parameters'))
  await assert.rejects(ann.call(calls.rotateWebhookKey, {}), refusedAs('invalid_parameters'))
  console.pass(30_000)
  await ann.call(calls.saveWebhookEndpoint, { ...saving, url: `${URL}/2`, endpoint_id, google_code: ann.codeFor(secret) })
  console.pass(30_000)
  await ann.call(calls.rotateWebhookKey, { google_code: ann.codeFor(secret) })
  const { receivers, changes, keys } = await ann.call(calls.getWebhookEndpoints, {})
  assert.deepEqual(
    receivers.map(({ url, state }) => ({ url, state })),
    [{ url: `${URL}/2`, state: 'active' }],
  )
  assert.deepEqual(
    changes.map(({ action, person, old_url }) => [action, person, old_url]),
    [
      ['rotate_key', 'ann', null],
      ['save', 'ann', URL],
      ['add', 'ann', null],
    ],
  )
  assert.deepEqual(
    keys.map((key) => key.retired_at === null),
    [true, false],
  )
})

test('an organisation has at most ten endpoints, also when many are added at once', async (context) => {
  const console = await start(context)
  const { terminal } = await signedIn(console, await console.addOrganisation(), 'ann@example.test')
  const outcomes = await Promise.allSettled(Array.from({ length: 13 }, (_, i) => terminal.call(calls.saveWebhookEndpoint, { ...saving, url: `${URL}/${i}` })))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, calls.ENDPOINTS_MAX)
  const { receivers, keys } = await terminal.call(calls.getWebhookEndpoints, {})
  assert.equal(receivers.length, calls.ENDPOINTS_MAX)
  assert.equal(keys.length, 1)
  await assert.rejects(terminal.call(calls.saveWebhookEndpoint, saving), refusedAs('too_many_receivers'))
})

test('the list is narrowed by side, state, time and request, and adds up what is left', async (context) => {
  const console = await start(context)
  const orgId = await console.addOrganisation()
  const { terminal } = await signedIn(console, orgId, 'ann@example.test')
  const { endpoint_id } = await terminal.call(calls.saveWebhookEndpoint, saving)
  const made = await insertDeliveries(console, orgId, endpoint_id)
  const list = (filter: Parameters<typeof terminal.call<typeof calls.listNotifications>>[1]) => terminal.call(calls.listNotifications, filter)
  const all = await list({})
  assert.equal(all.pageTotal, 20)
  assert.deepEqual(all.stat, { success_rate: 0.75, p95_ms: 190, failed: 4, waiting: 4 })
  assert.deepEqual(
    (await list({ status: 'failed' })).list.map((row) => row.status),
    Array.from({ length: 4 }, () => 'failed'),
  )
  assert.equal((await list({ side: 'withdraw' })).pageTotal, 10)
  assert.equal((await list({ start_time: made.startMs + 10, end_time: made.startMs + 14 })).pageTotal, 5)
  assert.deepEqual(
    (await list({ keyword: 'REQUEST-7' })).list.map((row) => row.request_id),
    ['request-7'],
  )
  assert.equal((await list({ keyword: made.ids[3]! })).list[0]?.notify_id, made.ids[3])
  assert.equal((await list({ keyword: "'; drop table webhook_delivery; --" })).pageTotal, 0)
  const second = await list({ page_no: 2, page_size: 15 })
  assert.deepEqual([second.list.length, second.has_more], [5, false])
  const read: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const part = await list({ page_size: 7, ...(after ? { after } : {}) })
    read.push(...part.list.map((row) => row.notify_id))
    after = part.next
  }
  assert.deepEqual(
    read,
    all.list.map((row) => row.notify_id),
    'read on from the last row of each part',
  )
  assert.deepEqual((await list({ after: crypto.randomUUID() })).list, [], 'nothing follows what nobody knows')
  const foreign = await signedIn(console, await console.addOrganisation('Other'), 'bob@example.test')
  assert.equal((await foreign.terminal.call(calls.listNotifications, {})).pageTotal, 0)
  await assert.rejects(foreign.terminal.call(calls.getNotification, { notify_id: made.ids[0]! }), refusedAs('resource_not_found'))
  await assert.rejects(foreign.terminal.call(calls.resendNotification, { notify_id: made.ids[0]! }), refusedAs('resource_not_found'))
  const window = { endpoint_id, start_time: 0, end_time: 1, failed: '1' as const }
  await assert.rejects(foreign.terminal.call(calls.resendNotification, window), refusedAs('resource_not_found'))
  assert.deepEqual(await terminal.call(calls.resendNotification, window), { count: 0 })
})

test('what failed of one record is sent again by its id, or where nothing failed the last one to each endpoint', async (context) => {
  const console = await start(context)
  const orgId = await console.addOrganisation()
  const { terminal } = await signedIn(console, orgId, 'ann@example.test')
  const { endpoint_id } = await terminal.call(calls.saveWebhookEndpoint, saving)
  const { ids } = await insertDeliveries(console, orgId, endpoint_id)
  const stateOf = async (id: string) => (await terminal.call(calls.getNotification, { notify_id: id })).status
  const [, failed, arrived] = ids as [string, string, string]
  assert.deepEqual(await terminal.call(calls.resendNotificationPost, { biz_id: failed }), { count: 1 })
  assert.deepEqual([await stateOf(failed), await stateOf(arrived)], ['retrying', 'success'])
  assert.deepEqual(await terminal.call(calls.resendNotification, { biz_id: arrived }), { count: 1 })
  assert.equal(await stateOf(arrived), 'retrying')
  await assert.rejects(terminal.call(calls.resendNotification, { biz_id: orgId }), refusedAs('resource_not_found'))
  const foreign = await signedIn(console, await console.addOrganisation('Other'), 'bob@example.test')
  await assert.rejects(foreign.terminal.call(calls.resendNotification, { biz_id: failed }), refusedAs('resource_not_found'))
})

/** Twenty notifications a millisecond apart: every fifth waits, every fifth failed, the rest arrived. */
async function insertDeliveries(console: TestConsole, orgId: string, endpointId: string) {
  const startMs = console.nowMs()
  const ids = Array.from({ length: 20 }, () => newId(startMs, nodePorts.random))
  await console.db.asOrganisation(orgId, (tx) =>
    tx
      .insertInto('webhook_delivery')
      .values(
        ids.map((id, at) => ({
          ...freshDelivery(startMs + at, 16),
          org_id: orgId,
          id,
          endpoint_id: endpointId,
          record_id: id,
          wallet_id: null,
          side: at % 2 === 0 ? 'deposit' : 'withdraw',
          event: 'deposit.credited',
          seq: 1n,
          request_id: `request-${at}`,
          biz_status: 2000,
          body: '{}',
          ...(at % 5 === 0 ? {} : { state: at % 5 === 1 ? ('failed' as const) : ('success' as const), next_at: null }),
          duration_ms: (at + 1) * 10,
        })),
      )
      .execute(),
  )
  return { startMs, ids }
}
