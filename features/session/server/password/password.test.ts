import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallError } from '@holdfast/contract'
import fc from 'fast-check'
import * as calls from '../../contract.ts'
import { errorNameOf } from '@holdfast/features/error-catalogue'
import { nodePorts } from '@holdfast/ports/node'
import { passwordFault } from './password-fault.ts'
import { renewPasswordSeals } from '../renew-seals.ts'
import { createSealer } from '../seal-column.ts'
import { GOOD_PASSWORD, refusedAs, startTestConsole } from '../testing/test-console.ts'
import { describeTotp } from './totp.ts'

test('a person registers a password with an authenticator app by invitation, and signs in with it elsewhere', async (context) => {
  const { addOrganisation, addPerson, terminal, db, events } = await startTestConsole(context)
  const orgId = await addOrganisation()
  const { personId, invite } = await addPerson(orgId, 'ada@harbour.example')
  const first = terminal()
  await first.state()
  assert.deepEqual(
    { ...(await first.call(calls.getInvite, { invite })), expires_at: 0 },
    {
      organisation_name: 'Harbour',
      name: 'ada',
      account: 'ada@harbour.example',
      expires_at: 0,
    },
  )
  const { totp_secret: secret, otpauth_uri: uri } = await first.registerPassword(invite, GOOD_PASSWORD)
  assert.match(uri, /^otpauth:\/\/totp\/Holdfast%20Harbour:ada%40harbour\.example\?.*secret=[A-Z2-7]{32}/)
  assert.equal((await first.state()).session?.person_id, personId)

  const other = terminal()
  await other.state()
  const login = (account: string, password: string, code: string) => other.call(calls.passwordLogin, { account, password, google_code: code })
  await assert.rejects(login('ada@harbour.example', GOOD_PASSWORD, first.codeFor(secret)), refusedAs('sign_in_refused'), 'the code was used to register')
  const signedIn = other.enter(await login(' Ada@Harbour.example ', GOOD_PASSWORD, first.codeFor(secret, 1)))
  assert.deepEqual([signedIn.person_id, signedIn.role], [personId, 'admin'])
  assert.deepEqual(
    events.map((each) => [each.method, each.result, each.personId]),
    [
      ['password', 'ok', personId],
      ['password', 'refused', personId],
      ['password', 'ok', personId],
    ],
  )

  const stored = JSON.stringify(await db.asSystem((tx) => tx.selectFrom('login_credential').select('data').execute()))
  assert.doesNotMatch(stored, new RegExp(secret))
  assert.doesNotMatch(stored, /lantern/)
})

test('the same six digits never work twice, not even at the same moment', async (context) => {
  const { addOrganisation, addPerson, terminal, pass } = await startTestConsole(context, {
    limits: { perIp: { burst: 1e9, perSecond: 1 }, perAccount: { burst: 1e9, perSecond: 1 } },
  })
  const { invite } = await addPerson(await addOrganisation(), 'ada')
  const { totp_secret: secret } = await terminal().registerPassword(invite, GOOD_PASSWORD)
  pass(60_000)
  const terminals = Array.from({ length: 5 }, terminal)
  await Promise.all(terminals.map((each) => each.state()))
  const code = terminals[0]?.codeFor(secret) ?? ''
  const results = await Promise.allSettled(
    terminals.map((each) =>
      each.call(calls.passwordLogin, {
        account: 'ada',
        password: GOOD_PASSWORD,
        google_code: code,
      }),
    ),
  )
  assert.equal(results.filter((each) => each.status === 'fulfilled').length, 1)
})

test('a wrong account, a wrong password and a wrong code are refused with the same words', async (context) => {
  const { addOrganisation, addPerson, terminal, pass } = await startTestConsole(context)
  const { invite } = await addPerson(await addOrganisation(), 'ada')
  const { totp_secret: secret } = await terminal().registerPassword(invite, GOOD_PASSWORD)
  pass(60_000)
  const stranger = terminal()
  await stranger.state()
  const wrongCode = String((Number(stranger.codeFor(secret)) + 1) % 1_000_000).padStart(6, '0')
  const answers: string[] = []
  for (const input of [
    { account: 'nobody', password: GOOD_PASSWORD, google_code: stranger.codeFor(secret) },
    { account: 'ada', password: `${GOOD_PASSWORD}!`, google_code: stranger.codeFor(secret) },
    { account: 'ada', password: GOOD_PASSWORD, google_code: wrongCode },
  ]) {
    await stranger
      .call(calls.passwordLogin, input)
      .catch((error: CallError) => answers.push(JSON.stringify([error.code, error.message, error.data, error.httpStatus])))
  }
  assert.equal(answers.length, 3)
  assert.equal(new Set(answers).size, 1)
})

test('guessing is slowed down for accounts that exist and that do not, and the owner still gets in', async (context) => {
  const { addOrganisation, addPerson, terminal, pass, db } = await startTestConsole(context)
  const { personId, invite } = await addPerson(await addOrganisation(), 'ada')
  const { totp_secret: secret } = await terminal().registerPassword(invite, GOOD_PASSWORD)
  pass(300_000)
  const guesser = terminal()
  await guesser.state()
  const guess = (account: string) =>
    guesser
      .call(calls.passwordLogin, {
        account,
        password: 'wrong wrong wrong',
        google_code: '000000',
      })
      .then(
        () => 'in',
        (error: CallError) => errorNameOf(error.code) ?? '',
      )
  for (const account of ['ada', 'nobody']) {
    const answers = []
    for (let at = 0; at < 8; at++) answers.push(await guess(account))
    assert.deepEqual(answers, [...Array(6).fill('sign_in_refused'), 'rate_limited', 'rate_limited'], account)
  }
  const row = await db.asSystem((tx) =>
    tx.selectFrom('person').select(['failed_logins', 'delayed_until_at']).where('id', '=', personId).executeTakeFirstOrThrow(),
  )
  assert.ok(row.failed_logins >= 3)
  assert.notEqual(row.delayed_until_at, null)
  pass(120_000)
  const owner = terminal()
  await owner.state()
  assert.equal((await owner.call(calls.passwordLogin, { account: 'ada', password: GOOD_PASSWORD, google_code: owner.codeFor(secret) })).person_id, personId)
  const after = await db.asSystem((tx) =>
    tx.selectFrom('person').select(['failed_logins', 'delayed_until_at']).where('id', '=', personId).executeTakeFirstOrThrow(),
  )
  assert.deepEqual(after, { failed_logins: 0, delayed_until_at: null })
})

test('a stranger who tries passwords does not keep the owner out of a browser that signed in before', async (context) => {
  const { addOrganisation, addPerson, terminal, pass } = await startTestConsole(context)
  const orgId = await addOrganisation()
  const ada = await addPerson(orgId, 'ada')
  const bob = await addPerson(orgId, 'bob')
  const [known, bobs] = [terminal(), terminal()]
  const { totp_secret: secret } = await known.registerPassword(ada.invite, GOOD_PASSWORD)
  await bobs.registerPassword(bob.invite, GOOD_PASSWORD)
  pass(300_000)
  const attempt = async (from: ReturnType<typeof terminal>, password: string, code: string, account = 'ada') => {
    await from.state()
    return from.call(calls.passwordLogin, { account, password, google_code: code }).then(
      (answer) => (from.enter(answer), 'in'),
      (error: CallError) => errorNameOf(error.code) ?? '',
    )
  }
  const wrong = (from: ReturnType<typeof terminal>) => attempt(from, 'wrong wrong wrong', '000000')
  const stranger = terminal()
  const kept = async () => {
    for (let i = 0; i < 7; i++) await wrong(stranger)
    assert.equal(await wrong(stranger), 'rate_limited')
  }
  await kept()
  assert.equal(await attempt(terminal(), GOOD_PASSWORD, known.codeFor(secret)), 'rate_limited', 'a browser that nobody knows waits with everybody')
  assert.equal(await attempt(known, GOOD_PASSWORD, known.codeFor(secret)), 'in')
  await known.call(calls.logout, {})
  pass(60_000)
  await kept()
  assert.equal(await attempt(known, GOOD_PASSWORD, known.codeFor(secret)), 'in', 'also after signing out')

  // A browser that is known as somebody else's, or whose cookie was changed, is one of everybody's.
  assert.equal(await wrong(bobs), 'rate_limited')
  const cookie = known.cookieJar.get('__Host-holdfast-device') ?? ''
  const forger = terminal()
  await forger.state()
  forger.cookieJar.set('__Host-holdfast-device', `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`)
  assert.equal(await wrong(forger), 'rate_limited')
  // A known browser in other hands has few tries as well.
  const thief = terminal()
  await thief.state()
  thief.cookieJar.set('__Host-holdfast-device', cookie)
  const tries = []
  for (let i = 0; i < 8; i++) tries.push(await wrong(thief))
  assert.equal(tries.at(-1), 'rate_limited')
})

test('while an account waits, even the right password is refused, in the same words', async (context) => {
  const { addOrganisation, addPerson, terminal, pass, db } = await startTestConsole(context)
  const { personId, invite } = await addPerson(await addOrganisation(), 'ada')
  const { totp_secret: secret } = await terminal().registerPassword(invite, GOOD_PASSWORD)
  pass(60_000)
  const one = terminal()
  await one.state()
  const nowMs = Date.now() + 60_000
  await db.asSystem((tx) =>
    tx
      .updateTable('person')
      .set({ failed_logins: 9, delayed_until_at: nowMs + 30_000 })
      .where('id', '=', personId)
      .execute(),
  )
  await assert.rejects(
    one.call(calls.passwordLogin, { account: 'ada', password: GOOD_PASSWORD, google_code: one.codeFor(secret) }),
    refusedAs('sign_in_refused'),
  )
  pass(40_000)
  assert.equal((await one.call(calls.passwordLogin, { account: 'ada', password: GOOD_PASSWORD, google_code: one.codeFor(secret) })).person_id, personId)
})

test('a weak password, a wrong code and a used question do not register', async (context) => {
  const { addOrganisation, addPerson, terminal } = await startTestConsole(context)
  const { invite } = await addPerson(await addOrganisation('Northwind Trading'), 'ada.lovelace')
  const one = terminal()
  await one.state()
  const ask = () => one.call(calls.passwordRegisterOptions, { invite })
  const options = await ask()
  const register = (password: string, code: string, challenge = options.challenge_id) =>
    one.call(calls.passwordRegister, {
      invite,
      challenge_id: challenge,
      password,
      google_code: code,
    })
  await assert.rejects(register('northwind12345', one.codeFor(options.totp_secret)), refusedAs('password_too_weak'))
  await assert.rejects(register(GOOD_PASSWORD, one.codeFor(options.totp_secret, 5)), refusedAs('totp_refused'))
  await assert.rejects(register(GOOD_PASSWORD, one.codeFor(options.totp_secret)), refusedAs('challenge_expired'))
  const second = await ask()
  await register(GOOD_PASSWORD, one.codeFor(second.totp_secret), second.challenge_id)
  await assert.rejects(ask(), refusedAs('invite_invalid'))
})

test('a fresh code is demanded before a sensitive change, and only once', async (context) => {
  const { addOrganisation, addPerson, terminal, pass, feature, db } = await startTestConsole(context)
  const orgId = await addOrganisation()
  const { personId, invite } = await addPerson(orgId, 'ada')
  const { personId: without } = await addPerson(orgId, 'bob')
  const one = terminal()
  const { totp_secret: secret } = await one.registerPassword(invite, GOOD_PASSWORD)
  pass(60_000)
  const demand = (person: string, code: string) => db.asOrganisation(orgId, (tx) => feature.demandSecondFactor(tx, person, code))
  await assert.rejects(demand(personId, one.codeFor(secret, 9)), { errorName: 'totp_refused' })
  await demand(personId, one.codeFor(secret))
  await assert.rejects(demand(personId, one.codeFor(secret)), { errorName: 'totp_refused' })
  await assert.rejects(demand(without, one.codeFor(secret)), { errorName: 'totp_refused' })
})

test('whoever stole a session does not try out the codes before sensitive changes; others are not held up, and after a while the person is not', async (context) => {
  const { addOrganisation, addPerson, terminal, pass, feature, db } = await startTestConsole(context)
  const orgId = await addOrganisation()
  const join = async (account: string) => {
    const { personId, invite } = await addPerson(orgId, account)
    const one = terminal()
    const { totp_secret: secret } = await one.registerPassword(invite, GOOD_PASSWORD)
    return { personId, right: () => one.codeFor(secret), wrong: () => one.codeFor(secret, 9) }
  }
  const [ada, bob] = [await join('ada'), await join('bob')]
  pass(60_000)
  const demand = (personId: string, code: string) => db.asOrganisation(orgId, (tx) => feature.demandSecondFactorWhereSet(tx, personId, code))
  for (let tried = 0; tried < 6; tried++) await assert.rejects(demand(ada.personId, ada.wrong()), { errorName: 'totp_refused' })
  await assert.rejects(demand(ada.personId, ada.right()), { errorName: 'rate_limited' }, 'the seventh is not looked at')
  await demand(bob.personId, bob.right())
  pass(20_000)
  await demand(ada.personId, ada.right())
})

test('passwords that are tried first are refused, and random ones are not', () => {
  const personal = ['ada.lovelace@harbour.example', 'Ada Lovelace', 'Harbour Custody']
  for (const weak of [
    'short',
    'aaaaaaaaaaaaaaaa',
    'abababababab',
    'password1234',
    'Password1234!',
    'qwertyuiop123',
    '1234567890123',
    'lovelace1815',
    'HarbourHarbour1',
    'letmein letmein',
    'abcdefghijklmnop',
    'adminadmin1234',
  ])
    assert.ok(passwordFault(weak, personal), weak)
  for (const good of [GOOD_PASSWORD, 'correct horse battery staple', 'xK9#mQ2vLp4@', '金库的钥匙放在老船长的口袋里呢', 'Ada keeps 14 grey pigeons'])
    assert.equal(passwordFault(good, personal), undefined, good)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (password) => void passwordFault(password, personal)),
    { numRuns: 2_000 },
  )
})

test('after the key that seals secrets was replaced, authenticator codes work on with the new key alone', async (context) => {
  const before = await startTestConsole(context)
  const { invite } = await before.addPerson(await before.addOrganisation(), 'ada')
  const { totp_secret: secret } = await before.terminal().registerPassword(invite, GOOD_PASSWORD)
  const [old, young] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)]
  const stored = () => before.db.asSystem((tx) => tx.selectFrom('login_credential').select('data').execute())
  const sealedBefore = JSON.stringify(await stored())
  const without = createSealer([young], nodePorts.random)
  await assert.rejects(
    before.db.asSystem((tx) => renewPasswordSeals(tx, without)),
    /not in the secret file/,
  )
  assert.equal(JSON.stringify(await stored()), sealedBefore)
  const both = createSealer([young, old], nodePorts.random)
  assert.equal(await before.db.asSystem((tx) => renewPasswordSeals(tx, both)), 1)
  assert.equal(await before.db.asSystem((tx) => renewPasswordSeals(tx, both)), 0)
  const [row] = await before.db.asSystem((tx) => tx.selectFrom('login_credential').select(['org_id', 'id', 'data']).execute())
  const { totp } = row!.data as { totp: string }
  const opened = without.open({ org: row!.org_id, table: 'login_credential', column: 'data.totp', row: row!.id }, totp)
  assert.equal(describeTotp(opened, 'ada', 'Harbour').secret, secret)
})
