import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import * as calls from '../contract.ts'
import { REFUSALS_PER_HOUR } from './login-event.ts'
import { parseUserAgent } from './parse-user-agent.ts'
import { createDeviceKey, GOOD_PASSWORD, refusedAs, registerDevice, startTestConsole, type Terminal } from './testing/test-console.ts'

const history = (terminal: Terminal, filter: object = {}) => terminal.call(calls.listLoginHistory, filter)

test('sign-ins and refusals stand in the history with their reasons; only who may read others sees theirs', async (context) => {
  const { addOrganisation, addPerson, terminal, db, pass } = await startTestConsole(context, { recordSignIn: undefined })
  const orgId = await addOrganisation()
  const ada = await addPerson(orgId, 'ada', 'admin')
  const vic = await addPerson(orgId, 'vic', 'viewer')
  const stranger = await addPerson(await addOrganisation('Other'), 'eve', 'owner')
  const [one, two, three] = [terminal(), terminal(), terminal()]
  const { totp_secret: secret } = await one.registerPassword(ada.invite, GOOD_PASSWORD)
  await two.registerPassword(vic.invite, GOOD_PASSWORD)
  await three.registerPassword(stranger.invite, GOOD_PASSWORD)
  pass(31_000)
  const wrong = terminal()
  await wrong.state()
  await assert.rejects(
    wrong.call(calls.passwordLogin, { account: 'ada', password: 'not this one at all', google_code: '000000' }),
    refusedAs('sign_in_refused'),
  )
  await assert.rejects(
    wrong.call(calls.passwordLogin, { account: 'nobody', password: 'not this one at all', google_code: '000000' }),
    refusedAs('sign_in_refused'),
  )
  const again = terminal()
  await again.state()
  again.enter(await again.call(calls.passwordLogin, { account: 'ada', password: GOOD_PASSWORD, google_code: again.codeFor(secret) }))

  const { list, all, people } = await history(again)
  assert.equal(all, true)
  assert.deepEqual(people.map((each) => each.name).sort(), ['ada', 'vic'])
  assert.deepEqual(
    list.map((each) => [each.name, each.result, each.reason, each.new_device, each.session_state, each.location]),
    [
      ['ada', 'ok', null, false, 'open', null],
      ['ada', 'refused', 'wrong_credential', false, null, null],
      ['vic', 'ok', null, true, 'open', null],
      ['ada', 'ok', null, true, 'open', null],
    ],
  )
  assert.match(list[1]!.reason_text, /wrong/)
  assert.equal((await history(again, { result: 'refused' })).pageTotal, 1)
  assert.equal((await history(again, { user_id: vic.personId })).pageTotal, 1)
  assert.equal((await history(again, { start_time: list[1]!.at, end_time: list[1]!.at })).pageTotal, 1)
  const own = await history(two, { user_id: ada.personId })
  assert.deepEqual(
    own.list.map((each) => each.name),
    ['vic'],
    'a viewer asks for somebody else and gets their own',
  )
  assert.deepEqual([own.all, own.people], [false, []])
  assert.deepEqual((await history(three, { user_id: ada.personId })).list, [], 'nobody reads another organisation')
  const { content, rows, complete } = await again.call(calls.exportLoginHistory, {})
  assert.deepEqual([rows, complete, content.split('\r\n').length], [4, true, 6])

  const firefox = { org_id: orgId, method: 'passkey', result: 'ok', reason: null, ip: '::1', user_agent: '', device: 'Firefox', os: 'Linux' } as const
  const signIns = [ada, vic].map(({ personId }) => ({ ...firefox, id: randomUUID(), person_id: personId, is_new_device: true, session_id: null, at: 1 }))
  await db.asOrganisation(orgId, (tx) => tx.insertInto('login_event').values(signIns).execute())
  const [mine, others] = signIns.map(({ id }) => id)
  const trust = (terminal_: Terminal, id: string, trusted = true) => terminal_.call(calls.trustDevice, { id, trusted })
  const trusted = async () => (await history(again)).list.filter((each) => each.trusted).map(({ id }) => id)
  await trust(again, mine!)
  assert.deepEqual(await trusted(), [mine], 'nothing is said of the same kind of device of somebody else')
  await assert.rejects(trust(again, others!), refusedAs('resource_not_found'), 'nobody trusts in the name of another')
  await assert.rejects(trust(again, list[1]!.id), refusedAs('resource_not_found'), 'nor a try that was refused')
  await assert.rejects(trust(again, list[3]!.id), refusedAs('invalid_parameters'), 'nor what nothing is known of')
  await trust(again, mine!, false)
  assert.deepEqual(await trusted(), [])

  await assert.rejects(
    db.asOrganisation(orgId, (tx) => tx.deleteFrom('login_event').execute()),
    /permission denied/,
  )
  await assert.rejects(
    db.asSystem((tx) =>
      tx
        .updateTable('login_event')
        .set({ ip: 'x' } as never)
        .execute(),
    ),
    /permission denied/,
  )
})

test('however often somebody is tried, a bounded number of refusals is written, and the last line says so', async (context) => {
  const { addOrganisation, addPerson, terminal, origin } = await startTestConsole(context, {
    recordSignIn: undefined,
    limits: { perAccount: { burst: 1e6, perSecond: 1e6 }, perIp: { burst: 1e6, perSecond: 1e6 } },
  })
  const { invite } = await addPerson(await addOrganisation(), 'ada')
  const key = createDeviceKey(origin)
  const one = terminal()
  await registerDevice(one, key, invite)
  for (let at = 0; at < REFUSALS_PER_HOUR + 5; at++) {
    const tried = terminal()
    await tried.state()
    const { challenge_id: id } = await tried.call(calls.deviceLoginOptions, {})
    await assert.rejects(tried.call(calls.deviceLogin, { challenge_id: id, public_key: key.public_key, signature: 'C'.repeat(86) }))
  }
  const { list } = await history(one, { result: 'refused', page_size: 200 })
  assert.equal(list.length, REFUSALS_PER_HOUR + 1)
  assert.equal(list[0]!.reason, 'too_many')
})

test('all other sessions end at once, and the history says so', async (context) => {
  const { addOrganisation, addPerson, terminal, origin } = await startTestConsole(context, { recordSignIn: undefined })
  const { invite } = await addPerson(await addOrganisation(), 'ada')
  const key = createDeviceKey(origin)
  const one = terminal()
  await registerDevice(one, key, invite)
  const two = terminal()
  await two.state()
  const { challenge_id: id, challenge } = await two.call(calls.deviceLoginOptions, {})
  two.enter(await two.call(calls.deviceLogin, { challenge_id: id, public_key: key.public_key, signature: key.sign('login', challenge) }))
  assert.deepEqual(await one.call(calls.endOtherSessions, {}), { ended: 1 })
  await assert.rejects(two.call(calls.listSessions, {}), refusedAs('signed_out'))
  assert.equal((await one.call(calls.listSessions, {})).length, 1)
  assert.deepEqual(
    (await history(one)).list.map((each) => each.session_state),
    ['ended', 'open'],
  )
})

test('what a browser says of itself is shown in our words alone', () => {
  const known: [string, string, string, string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux', '140'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0', 'Edge', 'Windows', '139'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15', 'Safari', 'macOS', '18'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
      '18',
    ],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36', 'Chrome', 'Android', '139'],
    ['curl/8.5.0', '', '', ''],
    ['', '', '', ''],
  ]
  for (const [agent, device, os, version] of known) assert.deepEqual(parseUserAgent(agent), { device, os, version }, agent)
  const words = /^(Edge|Opera|Samsung Internet|Firefox|Chrome|Safari|)$/
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }).map((text) => `Chrome/${text} Windows`),
      ),
      (agent) => {
        const { device, os, version } = parseUserAgent(agent)
        assert.match(device, words)
        assert.match(os, /^(iOS|Android|ChromeOS|Windows|macOS|Linux|)$/)
        assert.match(version, /^\d{0,4}$/)
      },
    ),
  )
})
