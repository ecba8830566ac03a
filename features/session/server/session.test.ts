import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallError, defineEndpoint, readEvents } from '@holdfast/contract'
import { handle, sessionHashOf } from '@holdfast/http'
import * as z from 'zod'
import * as calls from '../contract.ts'
import { createDeviceKey, refusedAs, registerDevice, startTestConsole } from './testing/test-console.ts'

const MINUTE = 60_000
const effect = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/effect',
  permission: 'wallet.create',
  summary: 'Changes something.',
  input: z.object({}),
  output: z.null(),
})
const view = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/view',
  permission: 'wallet.read',
  summary: 'Reads something.',
  input: z.object({}),
  output: z.null(),
})

async function signedInConsole(
  context: Parameters<typeof startTestConsole>[0],
  role: Parameters<Awaited<ReturnType<typeof startTestConsole>>['addPerson']>[2] = 'admin',
) {
  const effects: string[] = []
  const started = await startTestConsole(context, {
    endpoints: [
      handle(effect, async ({ personId }) => {
        effects.push(personId)
        return null
      }),
      handle(view, async () => null),
    ],
  })
  const orgId = await started.addOrganisation()
  const ada = await started.addPerson(orgId, 'ada', role)
  const key = createDeviceKey(started.origin)
  const one = started.terminal()
  await registerDevice(one, key, ada.invite)
  const login = async () => {
    const terminal = started.terminal()
    await terminal.state()
    const { challenge_id: id, challenge } = await terminal.call(calls.deviceLoginOptions, {})
    terminal.enter(await terminal.call(calls.deviceLogin, { challenge_id: id, public_key: key.public_key, signature: key.sign('login', challenge) }))
    return terminal
  }
  const setPerson = (change: { role?: 'viewer' | 'admin'; state?: 'active' | 'suspended' | 'removed' }) =>
    started.db.asSystem((tx) => tx.updateTable('person').set(change).where('id', '=', ada.personId).execute())
  return { ...started, ...ada, orgId, one, login, effects, setPerson }
}

test('a server says before sign-in only whether it is ready, a demo, and how one can sign in', async (context) => {
  const { terminal, addOrganisation } = await startTestConsole(context)
  const one = terminal()
  assert.deepEqual(await one.state(), { signed_in: false, organisation_ready: false, demo: true, methods: ['passkey', 'password', 'device'], session: null })
  const { sign_in: way, ...ofClouds } = await one.call(calls.getLoginConfig, {})
  assert.deepEqual(way, { path: '/login', methods: ['passkey', 'password', 'device'] })
  assert.deepEqual(ofClouds, { region: null, user_pool_id: null, captcha: null, upload: null }, 'nobody else has a part in signing in')
  await addOrganisation()
  assert.equal((await one.state()).organisation_ready, true)
  for (const endpoint of [calls.getUserInfo, calls.getPermissions, calls.listSessions, calls.listMethods])
    await assert.rejects(one.call(endpoint, {}), refusedAs('signed_out'))
})

test('a token planted before sign-in never becomes signed in', async (context) => {
  const { login, terminal, db } = await signedInConsole(context)
  const victim = terminal()
  await victim.state()
  const planted = victim.cookieJar.get('__Host-holdfast') ?? ''
  const signedIn = await login()
  assert.notEqual(signedIn.cookieJar.get('__Host-holdfast'), planted)
  const attacker = terminal()
  attacker.cookieJar.set('__Host-holdfast', planted)
  assert.equal((await attacker.state()).signed_in, false)
  const tokens = [planted, signedIn.cookieJar.get('__Host-holdfast') ?? '']
  const stored = await db.asSystem((tx) => tx.selectFrom('session').select('id').execute())
  assert.ok(stored.every(({ id }) => !tokens.some((token) => Buffer.compare(id, Buffer.from(token, 'base64url')) === 0)))
  assert.ok(stored.some(({ id }) => Buffer.compare(id, sessionHashOf(tokens[1] ?? '')) === 0))
})

test('signing in again in the same browser ends the session it had', async (context) => {
  const { one, addPerson, orgId, origin, terminal } = await signedInConsole(context)
  const before = one.cookieJar.get('__Host-holdfast') ?? ''
  const bob = await addPerson(orgId, 'bob', 'viewer')
  const { person_id: personId } = await registerDevice(one, createDeviceKey(origin), bob.invite)
  assert.equal(personId, bob.personId)
  const thief = terminal()
  thief.cookieJar.set('__Host-holdfast', before)
  assert.equal((await thief.state()).signed_in, false)
})

test('a session ends after 15 minutes without its person, and polling does not keep it alive', async (context) => {
  const { one, pass } = await signedInConsole(context)
  for (let at = 0; at < 4; at++) {
    pass(14 * MINUTE)
    await one.call(view, {})
  }
  for (let at = 0; at < 7; at++) {
    pass(2 * MINUTE)
    await one.call(view, {}, { background: true })
  }
  pass(MINUTE + 1)
  await assert.rejects(one.call(view, {}, { background: true }), refusedAs('signed_out'))
  await assert.rejects(one.call(view, {}), refusedAs('signed_out'))
})

test('a session ends after 12 hours, however busy its person is', async (context) => {
  const { one, pass } = await signedInConsole(context)
  for (let at = 0; at < 71; at++) {
    pass(10 * MINUTE)
    await one.call(view, {})
  }
  pass(10 * MINUTE)
  await assert.rejects(one.call(view, {}), refusedAs('signed_out'))
})

test('signing out ends the session on the server, and everywhere when asked', async (context) => {
  const { one, login, terminal } = await signedInConsole(context)
  const two = await login()
  const stolen = one.cookieJar.get('__Host-holdfast') ?? ''
  await one.call(calls.logout, {})
  assert.equal(one.cookieJar.get('__Host-holdfast'), undefined)
  const thief = terminal()
  thief.cookieJar.set('__Host-holdfast', stolen)
  assert.equal((await thief.state()).signed_in, false)
  assert.equal((await two.state()).signed_in, true)
  const three = await login()
  await three.call(calls.logout, { everywhere: true })
  assert.equal((await two.state()).signed_in, false)
})

test('a suspended or removed person is out from the next request on, and the open event stream ends', async (context) => {
  const { one, login, setPerson, server, effects } = await signedInConsole(context)
  const ends: unknown[] = []
  const reading = (async () => {
    for await (const event of readEvents(one.client, fetch, '/api/mpc/events')) ends.push(event)
  })()
  while (server.events.size === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await setPerson({ state: 'suspended' })
  await assert.rejects(one.call(effect, {}), refusedAs('signed_out'))
  await reading
  assert.deepEqual(ends, [{ id: '', topic: 'end', data: { code: '110909' } }])
  await assert.rejects(login(), refusedAs('organisation_suspended'))
  await setPerson({ state: 'removed' })
  await assert.rejects(login(), refusedAs('sign_in_refused'))
  assert.deepEqual(effects, [])
})

test('a changed role counts from the next request, and the old open token is worth nothing', async (context) => {
  const { one, setPerson, effects } = await signedInConsole(context)
  await one.call(effect, {})
  await setPerson({ role: 'viewer' })
  await assert.rejects(one.call(effect, {}), refusedAs('not_permitted'))
  await one.call(view, {})
  await assert.rejects(one.call(calls.logout, {}), refusedAs('open_token_stale'))
  await one.state()
  await setPerson({ role: 'admin' })
  await assert.rejects(one.call(effect, {}), refusedAs('open_token_stale'))
  await one.state()
  await one.call(effect, {})
  assert.equal(effects.length, 2)
})

test("people see and end their own sessions and nobody else's", async (context) => {
  const { one, login, addPerson, addOrganisation, orgId, origin, terminal } = await signedInConsole(context)
  const two = await login()
  const sessions = await one.call(calls.listSessions, {})
  assert.deepEqual(
    sessions.map((each) => each.current),
    [false, true],
  )
  assert.ok(sessions.every((each) => each.ip === '127.0.0.1'))
  const eve = terminal()
  await registerDevice(eve, createDeviceKey(origin), (await addPerson(await addOrganisation('Other'), 'eve')).invite)
  assert.equal((await eve.call(calls.listSessions, {})).length, 1)
  const target = sessions.find((each) => !each.current)?.session_id ?? ''
  const bob = terminal()
  await registerDevice(bob, createDeviceKey(origin), (await addPerson(orgId, 'bob')).invite)
  await assert.rejects(bob.call(calls.endSession, { session_id: target }), refusedAs('resource_not_found'))
  const answers: string[] = []
  for (const id of [target, 'f'.repeat(64)])
    await eve.call(calls.endSession, { session_id: id }).catch((error: CallError) => answers.push(JSON.stringify([error.code, error.message, error.data])))
  assert.equal(new Set(answers).size, 1)
  assert.equal(answers.length, 2)
  assert.equal((await two.state()).signed_in, true)
  await one.call(calls.endSession, { session_id: target })
  assert.equal((await two.state()).signed_in, false)
  const [method] = await one.call(calls.listMethods, {})
  await assert.rejects(eve.call(calls.removeMethod, { method_id: method?.method_id ?? '' }), refusedAs('resource_not_found'))
})

test("userInfo and getWallet say who is signed in, what they may do, and only their organisation's wallets", async (context) => {
  const { one, personId, orgId, db, addOrganisation, addPerson, nowMs } = await signedInConsole(context, 'viewer')
  const other = await addOrganisation('Other')
  const stranger = await addPerson(other, 'eve')
  const wallet = (organisation: string, person: string, name: string, id: string) =>
    db.asOrganisation(organisation, (tx) =>
      tx
        .insertInto('wallet')
        .values({
          org_id: organisation,
          id,
          name,
          alias: null,
          state: 'creating',
          request_id: id,
          created_by: person,
          created_at: nowMs(),
          updated_at: nowMs(),
        })
        .execute(),
    )
  const own = '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b'
  await wallet(orgId, personId, 'Main', own)
  await wallet(other, stranger.personId, 'Canary', '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6c')
  const info = await one.call(calls.getUserInfo, {})
  assert.deepEqual(
    [info.user_id, info.nick_name, info.account, info.role, info.google_bind, info.organisation.organisation_id, info.unread],
    [personId, 'ada', 'ada', 'viewer', false, orgId, { todo: 0, notice: 0 }],
  )
  assert.deepEqual(info.workspaces, [{ wallet_id: own, wallet_name: 'Main', role: 'viewer', same_rights_pri: false }])
  const rights = await one.call(calls.getPermissions, {})
  assert.deepEqual(rights.wallet_ids, [own])
  assert.ok(rights.pms.includes('wallet.read'))
  assert.ok(!rights.pms.includes('withdraw.create'))
})

test('no forged request signs anybody out or in, or registers anything', async (context) => {
  const { one, login, db, origin, server } = await signedInConsole(context)
  const attacker = await login()
  const count = async () =>
    db.asSystem(async (tx) =>
      [
        await tx.selectFrom('session').select('id').where('revoked_at', 'is', null).execute(),
        await tx.selectFrom('login_credential').select('id').execute(),
        await tx.selectFrom('login_challenge').select('id').execute(),
      ].map((rows) => rows.length),
    )
  const before = await count()
  const victim = {
    host: new URL(origin).host,
    cookie: one.cookieJar.header() ?? '',
    'x-xsrf-token': one.cookieJar.get('XSRF-TOKEN') ?? '',
    origin,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const post = async (path: string, change: Record<string, string> = {}) =>
    (
      await server.inject({
        method: 'POST',
        url: path,
        headers: { ...victim, ...change },
        payload: '',
      })
    ).json().code
  const mutating = Object.values(calls).filter((each): each is typeof calls.logout => typeof each === 'object' && 'method' in each && each.method === 'POST')
  assert.ok(mutating.length > 12)
  for (const endpoint of mutating) {
    const forged: Record<string, string>[] = [
      { 'x-xsrf-token': '' },
      { 'x-xsrf-token': attacker.cookieJar.get('XSRF-TOKEN') ?? '' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-mode': 'navigate' },
    ]
    for (const change of forged) assert.equal(await post(endpoint.path, change), '300007', `${endpoint.path} ${JSON.stringify(change)}`)
  }
  // The cookie with its XSRF token but without the open token: a member's call is refused, and a registration finds nobody signed in.
  for (const endpoint of [
    calls.logout,
    calls.endSession,
    calls.removeMethod,
    calls.passkeyRegisterOptions,
    calls.passwordRegisterOptions,
    calls.deviceRegisterOptions,
  ]) {
    assert.ok(['300011', '110909'].includes(await post(endpoint.path)), endpoint.path)
  }
  assert.deepEqual(await count(), before)
})
