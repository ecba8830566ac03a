import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSessionToken, newXsrfToken } from './session-tokens.ts'
import { nodePorts } from '@holdfast/ports/node'
import { startTestServer, type TestPerson } from './test-server.ts'

const body = 'wallet_id=0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b&amount=1'
const targets = [
  ['POST', '/api/mpc/send'],
  ['POST', '/api/mpc/open'],
  ['GET', '/api/mpc/transaction/re_notify'],
  ['GET', '/api/mpc/read'],
] as const

/** What an attacker can make the victim's browser send; null leaves a header out. */
function attacks(victim: TestPerson, attacker: TestPerson): Record<string, Record<string, string | null>> {
  const planted = newSessionToken(nodePorts.random)
  return {
    'no XSRF token': { 'x-xsrf-token': null },
    'the XSRF token of another session': { 'x-xsrf-token': attacker.xsrf },
    'an XSRF token made up': { 'x-xsrf-token': `${'A'.repeat(22)}.${'A'.repeat(43)}` },
    'an XSRF token of the wrong form': { 'x-xsrf-token': victim.openToken },
    'a planted pair of XSRF cookie and header': { cookie: `__Host-holdfast=${victim.token}; XSRF-TOKEN=${attacker.xsrf}`, 'x-xsrf-token': attacker.xsrf },
    'a planted session cookie beside the real one': {
      cookie: `__Host-holdfast=${victim.token}; __Host-holdfast=${planted}`,
      'x-xsrf-token': newXsrfToken(planted, nodePorts.random),
    },
    'a planted session cookie before the real one': {
      cookie: `__Host-holdfast=${planted}; __Host-holdfast=${victim.token}`,
      'x-xsrf-token': newXsrfToken(planted, nodePorts.random),
    },
    'a cross-site page': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    'a sibling host': { origin: 'http://other.localhost:7000', 'sec-fetch-site': 'same-site' },
    'a sandboxed frame': { origin: 'null', 'sec-fetch-site': 'cross-site' },
    'a foreign origin in a browser without fetch metadata': { origin: 'https://evil.example', 'sec-fetch-site': null, 'sec-fetch-mode': null },
    'a cross-site request without an origin': { origin: null, 'sec-fetch-site': 'cross-site' },
    'a navigation': { origin: null, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
    'an address typed by hand': { origin: null, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'x-xsrf-token': null },
    'an image': { origin: null, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' },
    'a name that was pointed at this machine, in a browser that sends nothing else': {
      host: 'evil.example:7000',
      'sec-fetch-site': null,
      'sec-fetch-mode': null,
    },
    'a name that was pointed at this machine': { host: 'evil.example:7000', origin: 'http://evil.example:7000' },
  }
}

test('no forged request has an effect or reads anything', async () => {
  const { server, addPerson, headersOf, effects } = await startTestServer()
  const victim = addPerson('victim')
  const attacker = addPerson('attacker')
  for (const [name, change] of Object.entries(attacks(victim, attacker))) {
    for (const [method, url] of targets) {
      const response = await server.inject({
        method,
        url,
        headers: { ...headersOf(victim, change), ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
        ...(method === 'POST' ? { payload: body } : {}),
      })
      assert.deepEqual([response.statusCode, response.json().code], [403, '300007'], `${name}: ${method} ${url}`)
    }
  }
  assert.deepEqual(effects, [])
})

test('a browser that signed out in another page learns so, and nothing happens', async () => {
  const { server, addPerson, headersOf, effects } = await startTestServer()
  const ada = addPerson('ada')
  for (const [method, url] of targets.filter(([, url]) => url !== '/api/mpc/open')) {
    const headers = { ...headersOf(ada, { cookie: null, 'x-xsrf-token': null }), 'content-type': 'application/x-www-form-urlencoded' }
    const response = await server.inject({ method, url, headers, payload: method === 'POST' ? body : '' })
    assert.deepEqual([response.statusCode, response.json().code], [200, '110909'], `${method} ${url}`)
  }
  assert.deepEqual(effects, [])
})

test('a form on another site cannot even sign a browser in', async () => {
  const { server, headersOf, effects } = await startTestServer()
  const response = await server.inject({
    method: 'POST',
    url: '/api/mpc/open',
    payload: '',
    headers: {
      ...headersOf(undefined, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
  assert.equal(response.json().code, '300007')
  assert.deepEqual(effects, [])
})

test('the cookie alone changes nothing, and the open token alone opens nothing', async () => {
  const { server, addPerson, headersOf, effects } = await startTestServer()
  const ada = addPerson('ada')
  const other = addPerson('other')
  const ask = async (method: 'GET' | 'POST', url: string, change: Record<string, string | null>) =>
    (
      await server.inject({
        method,
        url,
        headers: { ...headersOf(ada, change), 'content-type': 'application/x-www-form-urlencoded' },
        payload: method === 'POST' && url !== '/api/mpc/open' ? body : '',
      })
    ).json()
  for (const opentoken of [null, other.openToken, '', 'x'.repeat(43)]) {
    assert.equal((await ask('POST', '/api/mpc/send', { opentoken })).code, '300011')
    assert.equal((await ask('GET', '/api/mpc/transaction/re_notify', { opentoken })).code, '300011')
    assert.equal((await ask('GET', '/api/mpc/read', { opentoken })).code, '0')
  }
  assert.deepEqual(effects, [])
  // A public change runs, but without a session.
  assert.deepEqual((await ask('POST', '/api/mpc/open', { opentoken: null })).data, { person: null })
  effects.length = 0
  const stranger = { token: newSessionToken(nodePorts.random) }
  for (const cookie of [null, `__Host-holdfast=${stranger.token}`]) {
    for (const [method, url] of targets) {
      const xsrf = cookie === null ? ada.xsrf : newXsrfToken(stranger.token, nodePorts.random)
      const reply = await ask(method, url, { cookie, 'x-xsrf-token': xsrf })
      if (url === '/api/mpc/open' && cookie !== null) assert.deepEqual(reply.data, { person: null })
      else assert.ok(reply.code === '300007' || reply.code === '110909', `${url} ${reply.code}`)
    }
  }
  assert.deepEqual(effects, ['open'])
})

test('a browser gets its cookies with the first request and keeps them', async () => {
  const { server, addPerson, headersOf } = await startTestServer()
  const first = await server.inject({ method: 'GET', url: '/api/mpc/session/state', headers: headersOf(undefined) })
  const [session = '', xsrf = ''] = [first.headers['set-cookie'] ?? []].flat()
  assert.match(session, /^__Host-holdfast=[A-Za-z0-9_-]{43}; Path=\/; Secure; SameSite=Strict; HttpOnly$/)
  assert.match(xsrf, /^XSRF-TOKEN=[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}; Path=\/; Secure; SameSite=Strict$/)
  assert.deepEqual(first.json().data, {})
  const again = await server.inject({ method: 'GET', url: '/api/mpc/session/state', headers: headersOf(addPerson('ada')) })
  assert.equal([again.headers['set-cookie']].flat().length, 1)
  assert.match(again.json().data.open_token, /^[A-Za-z0-9_-]{43}$/)
  const foreign = await server.inject({
    method: 'GET',
    url: '/api/mpc/session/state',
    headers: headersOf(undefined, { origin: null, 'sec-fetch-site': 'cross-site' }),
  })
  assert.equal(foreign.json().code, '300007')
})
