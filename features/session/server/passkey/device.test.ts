import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as calls from '../../contract.ts'
import { createDeviceKey, refusedAs, registerDevice, startTestConsole, type Terminal } from '../testing/test-console.ts'

type Key = ReturnType<typeof createDeviceKey>

async function login(terminal: Terminal, key: Key, signature?: (challenge: string) => string) {
  await terminal.state()
  const { challenge_id: id, challenge } = await terminal.call(calls.deviceLoginOptions, {})
  return terminal.enter(
    await terminal.call(calls.deviceLogin, {
      challenge_id: id,
      public_key: key.public_key,
      signature: (signature ?? ((text) => key.sign('login', text)))(challenge),
    }),
  )
}

test('a browser key registers by invitation and signs in; a signature for anything else is refused', async (context) => {
  const { addOrganisation, addPerson, terminal, origin } = await startTestConsole(context)
  const { personId, invite } = await addPerson(await addOrganisation(), 'ada')
  const key = createDeviceKey(origin)
  assert.equal((await registerDevice(terminal(), key, invite)).person_id, personId)
  assert.equal((await login(terminal(), key)).person_id, personId)
  const other = createDeviceKey(origin)
  for (const [name, signature] of Object.entries({
    'the other purpose': (challenge: string) => key.sign('register', challenge),
    'another origin': (challenge: string) => key.sign('login', challenge, 'https://evil.example'),
    'another challenge': () => key.sign('login', Buffer.alloc(32).toString('base64url')),
    'another key': (challenge: string) => other.sign('login', challenge),
    'no signature': () => 'A'.repeat(86),
  }))
    await assert.rejects(login(terminal(), key, signature), refusedAs('sign_in_refused'), name)
  await assert.rejects(login(terminal(), other), refusedAs('sign_in_refused'), 'a key nobody registered')
})

test('a signed answer opens one session, however often and however fast it is sent', async (context) => {
  const { addOrganisation, addPerson, terminal, origin } = await startTestConsole(context)
  const { invite } = await addPerson(await addOrganisation(), 'ada')
  const key = createDeviceKey(origin)
  await registerDevice(terminal(), key, invite)
  const one = terminal()
  await one.state()
  const { challenge_id: id, challenge } = await one.call(calls.deviceLoginOptions, {})
  const answer = { challenge_id: id, public_key: key.public_key, signature: key.sign('login', challenge) }
  const results = await Promise.allSettled([1, 2, 3].map(() => one.call(calls.deviceLogin, answer)))
  assert.equal(results.filter((each) => each.status === 'fulfilled').length, 1)
})

test('an invitation works once, for one person, for seven days', async (context) => {
  const { addOrganisation, addPerson, terminal, origin, pass, db } = await startTestConsole(context)
  const orgId = await addOrganisation()
  const ada = await addPerson(orgId, 'ada')
  const bob = await addPerson(orgId, 'bob')
  const keys = [createDeviceKey(origin), createDeviceKey(origin)]
  const results = await Promise.allSettled(keys.map((key) => registerDevice(terminal(), key, ada.invite)))
  assert.deepEqual(results.map((each) => each.status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(registerDevice(terminal(), createDeviceKey(origin), ada.invite), refusedAs('invite_invalid'))
  await assert.rejects(registerDevice(terminal(), createDeviceKey(origin), 'A'.repeat(43)), refusedAs('invite_invalid'))
  assert.doesNotMatch(
    JSON.stringify(await db.asSystem((tx) => tx.selectFrom('invite').selectAll().execute()), (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    new RegExp(bob.invite),
  )
  pass(7 * 24 * 3_600_000)
  await assert.rejects(registerDevice(terminal(), createDeviceKey(origin), bob.invite), refusedAs('invite_invalid'))
})

test('whoever is signed in may change the ways to sign in only for ten minutes, and never removes the last', async (context) => {
  const { addOrganisation, addPerson, terminal, origin, pass } = await startTestConsole(context)
  const { personId, invite } = await addPerson(await addOrganisation(), 'ada')
  const one = terminal()
  const [first, second, third] = [createDeviceKey(origin), createDeviceKey(origin), createDeviceKey(origin)]
  await registerDevice(one, first, invite)
  const [method] = await one.call(calls.listMethods, {})
  await assert.rejects(one.call(calls.removeMethod, { method_id: method?.method_id ?? '' }), refusedAs('last_method'))
  assert.equal((await registerDevice(one, second)).person_id, personId)
  await one.call(calls.removeMethod, { method_id: method?.method_id ?? '' })
  await assert.rejects(login(terminal(), first), refusedAs('sign_in_refused'))
  await login(terminal(), second)
  pass(10 * 60_000 + 1)
  await assert.rejects(registerDevice(one, third), refusedAs('sign_in_again'))
  await assert.rejects(one.call(calls.removeMethod, { method_id: method?.method_id ?? '' }), refusedAs('sign_in_again'))
  const stranger = terminal()
  await assert.rejects(registerDevice(stranger, third), refusedAs('signed_out'))
})
