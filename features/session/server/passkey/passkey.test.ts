import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallInput } from '@holdfast/contract'
import * as calls from '../../contract.ts'
import { createTestAuthenticator, type Change, type OddRegistration, type TestAuthenticator } from '../testing/test-authenticator.ts'
import { refusedAs, startTestConsole, type Terminal } from '../testing/test-console.ts'

const asResponse = (response: Record<string, unknown>) => response as CallInput<typeof calls.passkeyLogin>['response']

async function register(terminal: Terminal, authenticator: TestAuthenticator, invite: string | undefined, change?: Change & OddRegistration) {
  const { challenge_id: id, options } = await terminal.call(calls.passkeyRegisterOptions, { invite })
  return terminal.enter(
    await terminal.call(calls.passkeyRegister, {
      invite,
      challenge_id: id,
      response: asResponse(authenticator.create(options, change)),
      label: 'Laptop',
    }),
  )
}

async function login(terminal: Terminal, authenticator: TestAuthenticator, change?: Change) {
  const { challenge_id: id, options } = await terminal.call(calls.passkeyLoginOptions, {})
  return terminal.enter(await terminal.call(calls.passkeyLogin, { challenge_id: id, response: asResponse(authenticator.get(options, change)) }))
}

test('a person registers a passkey by invitation and signs in with it, without naming an account', async (context) => {
  const { addOrganisation, addPerson, terminal, origin } = await startTestConsole(context)
  const { personId, invite } = await addPerson(await addOrganisation(), 'ada')
  const authenticator = createTestAuthenticator(origin)
  const one = terminal()
  await one.state()
  const { options } = await one.call(calls.passkeyRegisterOptions, { invite })
  assert.deepEqual((options.rp as { id: string }).id, 'localhost')
  assert.deepEqual(options.authenticatorSelection, { residentKey: 'required', userVerification: 'required', requireResidentKey: true })
  assert.equal((await register(one, authenticator, invite)).person_id, personId)
  const two = terminal()
  await two.state()
  for (let at = 0; at < 3; at++) assert.equal((await login(two, authenticator)).person_id, personId)
  assert.equal((await two.state()).session?.person_id, personId)
})

test('an assertion for another page, without the person verified, for another challenge or with an old counter is refused', async (context) => {
  const { addOrganisation, addPerson, terminal, origin } = await startTestConsole(context)
  const orgId = await addOrganisation()
  const ada = await addPerson(orgId, 'ada')
  const bob = await addPerson(orgId, 'bob')
  const authenticator = createTestAuthenticator(origin)
  const one = terminal()
  await one.state()
  await register(one, authenticator, ada.invite)
  await login(one, authenticator)
  const bobsHandle = Buffer.from(bob.personId.replaceAll('-', ''), 'hex').toString('base64url')
  const changes: Change[] = [
    { origin: 'https://evil.example' },
    { origin: origin.replace('localhost', '127.0.0.1') },
    { rpId: 'evil.example' },
    { userVerified: false },
    { type: 'webauthn.create' },
    { challenge: Buffer.alloc(32).toString('base64url') },
    { userHandle: bobsHandle },
    { counter: 1 },
  ]
  for (const change of changes) await assert.rejects(login(one, authenticator, change), refusedAs('passkey_refused'), JSON.stringify(change))
  await assert.rejects(login(one, createTestAuthenticator(origin)), refusedAs('passkey_refused'), 'a passkey nobody registered')
  assert.equal((await login(one, authenticator)).person_id, ada.personId)
})

test('a question is answered once, by the browser that was asked, within five minutes', async (context) => {
  const { addOrganisation, addPerson, terminal, origin, pass } = await startTestConsole(context)
  const { invite } = await addPerson(await addOrganisation(), 'ada')
  const authenticator = createTestAuthenticator(origin)
  const one = terminal()
  await one.state()
  await register(one, authenticator, invite)
  const ask = async () => {
    const { challenge_id: id, options } = await one.call(calls.passkeyLoginOptions, {})
    return { challenge_id: id, response: asResponse(authenticator.get(options)) }
  }
  const used = await ask()
  const [a, b] = await Promise.allSettled([one.call(calls.passkeyLogin, used), one.call(calls.passkeyLogin, used)])
  assert.deepEqual([a.status, b.status].sort(), ['fulfilled', 'rejected'])
  const two = terminal()
  await two.state()
  await one.state()
  const stolen = await ask()
  await assert.rejects(two.call(calls.passkeyLogin, stolen), refusedAs('challenge_expired'))
  const late = await ask()
  pass(5 * 60_000 + 1)
  await assert.rejects(one.call(calls.passkeyLogin, late), refusedAs('challenge_expired'))
})

test('the same passkey cannot be registered for a second person, and a registration for another page is refused', async (context) => {
  const { addOrganisation, addPerson, terminal, origin } = await startTestConsole(context)
  const ada = await addPerson(await addOrganisation(), 'ada')
  const eve = await addPerson(await addOrganisation('Other'), 'eve')
  const authenticator = createTestAuthenticator(origin)
  const one = terminal()
  await one.state()
  await assert.rejects(register(one, authenticator, ada.invite, { origin: 'https://evil.example' }), refusedAs('passkey_refused'))
  await assert.rejects(register(one, authenticator, ada.invite, { userVerified: false }), refusedAs('passkey_refused'))
  await register(one, authenticator, ada.invite)
  const two = terminal()
  await two.state()
  await assert.rejects(register(two, authenticator, eve.invite), refusedAs('registration_failed'))
  // The refused attempt did not use the invitation up.
  assert.equal((await register(two, createTestAuthenticator(origin), eve.invite)).person_id, eve.personId)
})

test('a registration that is cut, has bytes behind, or a key that is none is refused, and takes nothing away', async (context) => {
  const { addOrganisation, addPerson, terminal, origin, db } = await startTestConsole(context)
  const { invite } = await addPerson(await addOrganisation(), 'ada')
  const one = terminal()
  await one.state()
  const behind = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0xf6)])
  const odd: Record<string, OddRegistration> = {
    'cut by seven bytes': { attestation: (object) => object.subarray(0, -7) },
    'cut within the data of the authenticator': { attested: (data) => data.subarray(0, -7) },
    'a byte behind': { attestation: behind },
    'a byte behind the key': { key: behind },
    'a point beside the curve': { key: (cose) => Buffer.concat([cose.subarray(0, -1), Buffer.of(cose.at(-1)! ^ 1)]) },
    'no point at all': { key: (cose) => Buffer.concat([cose.subarray(0, -32), Buffer.alloc(32)]) },
    'ways to reach it that are an object': { transports: { length: 1 } },
    'a way to reach it that is a text of 10 KB': { transports: ['x'.repeat(10_000)] },
    'more ways to reach it than there are': { transports: Array<string>(9).fill('usb') },
    'an attestation of 20 KB': { attestation: (object) => Buffer.concat([object, Buffer.alloc(20_000)]) },
  }
  for (const [name, change] of Object.entries(odd))
    await assert.rejects(register(one, createTestAuthenticator(origin), invite, change), refusedAs('passkey_refused'), name)
  const kept = await db.asSystem((tx) => tx.selectFrom('login_credential').select('id').execute())
  assert.deepEqual(kept, [])
  await register(one, createTestAuthenticator(origin), invite, { response: { publicKeyAlgorithm: -7, junk: 'x'.repeat(2000) } })
  const [row] = await db.asSystem((tx) => tx.selectFrom('login_credential').select('data').execute())
  assert.ok(JSON.stringify(row).length < 1000, 'what the authenticator says beside is not kept')
})

test('a broken passkey from before signs nobody in, and is no other way in', async (context) => {
  const { addOrganisation, addPerson, terminal, origin, db, log } = await startTestConsole(context)
  const { personId, invite } = await addPerson(await addOrganisation(), 'ada')
  const [good, broken] = [createTestAuthenticator(origin), createTestAuthenticator(origin)]
  const one = terminal()
  await one.state()
  await register(one, good, invite)
  await register(one, broken, undefined)
  const rows = await db.asSystem((tx) =>
    tx.selectFrom('login_credential').select(['id', 'data']).where('person_id', '=', personId).orderBy('created_at').orderBy('id').execute(),
  )
  const spoil = (data: Record<string, unknown>) =>
    db.asSystem((tx) =>
      tx
        .updateTable('login_credential')
        .set({ data: JSON.stringify(data) })
        .where('id', '=', rows[1]!.id)
        .execute(),
    )
  const sound = rows[1]!.data as Record<string, unknown> & { public_key: string }
  for (const data of [{ ...sound, public_key: sound.public_key.slice(0, -9) }, { ...sound, transports: {} }, { ...sound, public_key: '' }, {}]) {
    await spoil(data)
    await assert.rejects(login(one, broken), refusedAs('passkey_refused'))
    await assert.rejects(one.call(calls.removeMethod, { method_id: rows[0]!.id }), refusedAs('last_method'))
  }
  assert.deepEqual(
    log.filter(({ httpStatus }) => httpStatus >= 500),
    [],
  )
  await one.call(calls.removeMethod, { method_id: rows[1]!.id })
  assert.equal((await login(one, good)).person_id, personId)
})
