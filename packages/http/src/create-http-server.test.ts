import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { AppError, CallError, defineEndpoint, openApi, systemErrors } from '@holdfast/contract'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import * as z from 'zod'
import { createHttpServer } from './create-http-server.ts'
import { calls, ORIGIN, startTestServer, terminal } from './test-server.ts'

const id = '0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('an endpoint without a permission, registered twice or not made by defineEndpoint stops the start', async () => {
  const sound = defineEndpoint({ method: 'GET', path: '/api/a', permission: 'public', summary: '', input: z.object({}), output: z.null() })
  const start = (...endpoints: object[]) =>
    createHttpServer({
      ports: nodePorts,
      origin: ORIGIN,
      sessions: { resolve: async () => undefined, reading: async (_hash, _touch, act) => act(undefined), alive: async () => new Set() },
      endpoints: endpoints.map((endpoint) => ({ endpoint, handler: async () => null }) as never),
    })
  await start(sound)
  await assert.rejects(start(sound, sound), /twice/)
  await assert.rejects(start({ ...sound }), /defineEndpoint/)
  await assert.rejects(start(Object.freeze({ ...sound, permission: '' })), /permission/)
  await assert.rejects(start({ ...sound, path: '/api/mpc/events' }), /./)
})

test('the server starts only on an origin on which a secure cookie works', async () => {
  for (const origin of ['http://console.example', 'https://console.example/', 'https://console.example/mpc', 'ftp://x', 'console.example', 'null']) {
    await assert.rejects(startTestServer({ origin }), /origin/, origin)
  }
  for (const origin of ['https://console.example', 'https://console.example:8443', 'http://localhost:7000', 'http://127.0.0.1:7000'])
    await startTestServer({ origin })
})

test('a signed-in caller gets the reply in the agreed shape and nothing else', async () => {
  const { server, addPerson, headersOf, log } = await startTestServer()
  const response = await server.inject({ method: 'GET', url: '/api/mpc/read', headers: headersOf(addPerson('ada')) })
  assert.equal(response.statusCode, 200)
  assert.deepEqual(response.json(), { code: '0', msg: 'success', data: { person: 'ada' } })
  assert.deepEqual([log[0]?.code, log[0]?.personId, log[0]?.path], ['0', 'ada', '/api/mpc/read'])
})

test('without a session, with a lower role or with a changed role a call is refused', async () => {
  const { server, addPerson, headersOf, effects, sessions } = await startTestServer()
  const viewer = addPerson('vic', ['wallet.read'])
  const post = (headers: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url: '/api/mpc/send',
      headers: { ...headers, ...form },
      payload: `wallet_id=${id}&amount=1`,
    })
  assert.equal((await post(headersOf(viewer))).json().code, '110249')
  const gone = addPerson('gone')
  for (const [hash, session] of sessions) if (session.personId === 'gone') sessions.delete(hash)
  assert.equal((await post(headersOf(gone))).json().code, '110909')
  const promoted = addPerson('pat')
  promoted.session.epoch = '2'
  assert.equal((await post(headersOf(promoted))).json().code, '300011')
  assert.deepEqual(effects, [])
  assert.equal((await post(headersOf(addPerson('ada')))).json().code, '0')
  assert.deepEqual(effects, ['send 1'])
})

test("a parameter error names the field, says what to do, and speaks the caller's language", async () => {
  const { server, addPerson, headersOf } = await startTestServer()
  const ada = addPerson('ada')
  const post = async (payload: string, headers: Record<string, string> = {}) =>
    (
      await server.inject({
        method: 'POST',
        url: '/api/mpc/send',
        headers: { ...headersOf(ada), ...form, ...headers },
        payload,
      })
    ).json()
  assert.deepEqual(await post(`wallet_id=${id}&amount=1e3`), {
    code: '100004',
    msg: 'Check "Amount": it must be a plain decimal number such as 12.5. Correct it and send again.',
    data: { field: 'amount', reason: 'it must be a plain decimal number such as 12.5' },
  })
  assert.equal((await post('amount=1', { language: 'zh_CN' })).msg, '请检查“钱包”：该项为必填。修改后重新提交。')
  assert.equal((await post('amount=1', { cookie: `lan=zh_CN; __Host-holdfast=${ada.token}` })).msg, '请检查“钱包”：该项为必填。修改后重新提交。')
  assert.equal((await post('a[]=1')).code, '100004')
  assert.equal((await post('__proto__=1')).code, '100004')
})

test('a fault of the server tells the caller nothing but a reference, and the log everything', async () => {
  const { server, addPerson, headersOf, log } = await startTestServer()
  const headers = headersOf(addPerson('ada'))
  for (const url of ['/api/mpc/explode', '/api/mpc/wrong_reply']) {
    const response = await server.inject({ method: 'GET', url, headers })
    assert.equal(response.statusCode, 500)
    assert.deepEqual([response.json().code, Object.keys(response.json().data)], ['100001', ['request_id']])
    assert.doesNotMatch(response.body, /SELECT|private|Error|at /)
    assert.equal(log.at(-1)?.requestId, response.json().data.request_id)
    assert.match(String(log.at(-1)?.cause), /SELECT secret|does not fit/)
  }
  const late = await server.inject({ method: 'GET', url: '/api/mpc/late', headers })
  assert.deepEqual([late.statusCode, late.json().code], [504, '300012'])
})

test('an error of a lower layer that maps to a refusal is answered as that, and the log keeps its cause', async () => {
  const refusalOf = (cause: unknown) => (cause instanceof Error && cause.message.startsWith('SELECT') ? new AppError('busy', { cause }) : undefined)
  const { server, addPerson, headersOf, log } = await startTestServer({ refusalOf })
  const headers = headersOf(addPerson('ada'))
  const busy = await server.inject({ method: 'GET', url: '/api/mpc/explode', headers })
  assert.deepEqual([busy.statusCode, busy.json().code, busy.json().data], [503, '300026', null])
  assert.match(String(log.at(-1)?.cause), /SELECT secret/)
  const wrong = await server.inject({ method: 'GET', url: '/api/mpc/wrong_reply', headers })
  assert.deepEqual([wrong.statusCode, wrong.json().code], [500, '100001'])
})

test('too large, of another content type, or to an unknown path is answered with an envelope', async () => {
  const { server, addPerson, headersOf } = await startTestServer()
  const headers = headersOf(addPerson('ada'))
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, type?: string, payload?: string) => {
    const response = await server.inject({
      method,
      url,
      headers: { ...headers, ...(type ? { 'content-type': type } : {}) },
      ...(payload === undefined ? {} : { payload }),
    })
    assert.ok(response.headers['content-security-policy'], url)
    return `${response.statusCode} ${response.json().code}`
  }
  assert.equal(await ask('POST', '/api/mpc/send', form['content-type'], `a=${'x'.repeat(70_000)}`), '413 300009')
  assert.equal(await ask('POST', '/api/mpc/import', form['content-type'], `text=${'x'.repeat(150_000)}`), '200 0')
  assert.equal(await ask('POST', '/api/mpc/import', form['content-type'], `text=${'x'.repeat(250_000)}`), '413 300009')
  assert.equal(await ask('POST', '/api/mpc/send', 'application/json', '{}'), '415 300010')
  assert.equal(await ask('POST', '/api/mpc/send', 'text/plain', 'a=1'), '415 300010')
  assert.equal(await ask('POST', '/api/mpc/send', 'multipart/form-data; boundary=x', 'a'), '415 300010')
  assert.equal(await ask('GET', '/api/mpc/unknown'), '404 300008')
  assert.equal(await ask('GET', '/api/mpc/send'), '404 300008')
  assert.equal(await ask('PUT', '/api/mpc/send', form['content-type'], 'a=1'), '404 300008')
  assert.equal(await ask('GET', '/api/%zz'), '200 100004')
})

test('every address and every session has its rate limit, and learns when to try again', async () => {
  const { server, addPerson, headersOf } = await startTestServer({
    rateLimits: { perIp: { burst: 8, perSecond: 0.1 }, perSession: { burst: 3, perSecond: 0.5 } },
  })
  const codes = async (person: ReturnType<typeof addPerson>, count: number) => {
    const replies = []
    for (let at = 0; at < count; at++) replies.push((await server.inject({ method: 'GET', url: '/api/mpc/read', headers: headersOf(person) })).json())
    return replies
  }
  const first = await codes(addPerson('ada'), 4)
  assert.deepEqual(
    first.map((each) => each.code),
    ['0', '0', '0', '300006'],
  )
  assert.equal(first[3].data.retry_after, 2)
  const second = await codes(addPerson('bob'), 5)
  assert.deepEqual(
    second.map((each) => each.code),
    ['0', '0', '0', '300006', '300006'],
  )
  assert.equal(second[4].data.retry_after, 10)
})

test('behind a trusted proxy each address has its own rate limit, and only the proxy is believed about an address', async () => {
  const { server, addPerson, headersOf, log } = await startTestServer({
    trustedProxies: ['127.0.0.1'],
    rateLimits: { perIp: { burst: 2, perSecond: 0.1 } },
  })
  const ask = async (forwarded: string, remoteAddress = '127.0.0.1') => {
    const headers = { ...headersOf(addPerson('ada')), 'x-forwarded-for': forwarded }
    const answer = await server.inject({ method: 'GET', url: '/api/mpc/read', headers, remoteAddress })
    return [answer.json().code, log.at(-1)?.ip]
  }
  assert.deepEqual([await ask('198.51.100.1'), await ask('198.51.100.1')], Array(2).fill(['0', '198.51.100.1']))
  // What precedes the address that the proxy adds is whatever the sender wrote.
  assert.deepEqual(await ask('203.0.113.5, 198.51.100.1'), ['300006', '198.51.100.1'])
  assert.deepEqual(await ask('198.51.100.2'), ['0', '198.51.100.2'])
  assert.deepEqual(await ask('junk'), ['0', '127.0.0.1'])
  assert.deepEqual(await ask('198.51.100.3', '203.0.113.9'), ['0', '203.0.113.9'])
})

test('a whole network of IPv6 addresses has one rate limit, and the log has each address', async () => {
  const { server, addPerson, headersOf, log } = await startTestServer({
    trustedProxies: ['127.0.0.1'],
    rateLimits: { perIp: { burst: 2, perSecond: 0.1 } },
  })
  const ask = async (address: string) => {
    const headers = { ...headersOf(addPerson('ada')), 'x-forwarded-for': address }
    return [(await server.inject({ method: 'GET', url: '/api/mpc/read', headers })).json().code, log.at(-1)?.ip]
  }
  assert.deepEqual(await ask('2001:db8:1:2::1'), ['0', '2001:db8:1:2::1'])
  assert.deepEqual(await ask('2001:db8:1:2:ffff::1'), ['0', '2001:db8:1:2:ffff::1'])
  assert.deepEqual(await ask('2001:db8:1:2:3:4:5:6'), ['300006', '2001:db8:1:2:3:4:5:6'])
  assert.deepEqual(await ask('2001:db8:1:3::1'), ['0', '2001:db8:1:3::1'])
})

test('a client that sends headers or a body slowly, or nothing, is disconnected, and two hosts are refused', async (context) => {
  const { server } = await startTestServer({ origin: undefined as never, limits: { headWithinMs: 100, requestWithinMs: 200 } })
  context.after(() => server.close())
  const { port } = await server.listen(0)
  const say = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let heard = ''
      const socket = connect(port, '127.0.0.1', () => void socket.write(text))
      // Node looks for slow peers every half a minute by default, which is too long.
      let waits = 0
      const wait = setInterval(() => ++waits > 400 && resolve('still there'), 20)
      socket.once('close', () => clearInterval(wait))
      context.after(() => (clearInterval(wait), socket.destroy()))
      socket.on('data', (piece) => (heard += piece.toString('latin1')))
      socket.on('error', () => undefined)
      socket.once('close', () => resolve(heard))
    })
  for (const start of ['', 'GET / HTTP/1.1\r\nhost: a\r\nx-slow: ', 'POST /api/mpc/send HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nabc'])
    assert.match(await say(start), /^(HTTP\/1\.1 4\d\d |$)/, start)
  const host = `host: localhost:${port}`
  for (const two of [`${host}\r\nhost: evil.example`, `${host}\r\nHOST: localhost:${port}`])
    assert.match(await say(`GET /healthz HTTP/1.1\r\n${two}\r\nconnection: close\r\n\r\n`), /^HTTP\/1\.1 400 /, two)
  assert.match(await say(`GET /healthz HTTP/1.1\r\n${host}\r\nconnection: close\r\n\r\n`), /^HTTP\/1\.1 200 /)
})

test('health is said to be missing where the database answers nothing for too long, and nobody waits for it any longer', async () => {
  const limits: (() => void)[] = []
  const timer = { ...nodePorts.timer, after: (_: number, act: () => void) => (limits.push(act), () => undefined) }
  const { server } = await startTestServer({ ports: { ...nodePorts, timer }, health: () => new Promise(() => undefined) })
  const asked = server.inject({ url: '/healthz', headers: { host: 'localhost:7000' } })
  const isOver = () => asked.then(() => true)
  while (limits.length === 0) assert.notEqual(await Promise.race([isOver(), nodePorts.timer.sleep(5)]), true)
  for (const pass of limits) pass()
  const { statusCode, payload } = await asked
  assert.deepEqual([statusCode, JSON.parse(payload)], [503, { status: 'unavailable' }])
})

test('every answer carries the security headers', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  context.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Holdfast</title>')
  await writeFile(join(folder, 'assets', 'index-3fa1b2c4.js'), 'plain')
  await writeFile(join(folder, 'assets', 'index-3fa1b2c4.js.br'), 'brotli')
  await writeFile(join(folder, 'secret.key'), 'never served')
  const { server, addPerson, headersOf } = await startTestServer({ consoleFolder: folder })
  const headers = headersOf(addPerson('ada'))
  const urls = [
    '/',
    '/mpc',
    '/mpc/',
    '/mpc/center/wallet/api',
    '/mpc/assets/index-3fa1b2c4.js',
    '/mpc/assets/gone-00000000.js',
    '/login',
    '/zh-CN/login',
    '/custody/notPms',
    '/openapi.json',
    '/healthz',
    '/nowhere',
    '/api',
    '/api/mpc/read',
    '/api/mpc/explode',
    '/mpc/%zz',
    '/mpc/../../etc/passwd',
    '/mpc/secret.key',
  ]
  for (const url of urls) {
    const response = await server.inject({ method: 'GET', url, headers: { ...headers, 'accept-encoding': 'br' } })
    const policy = String(response.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self';",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      'report-uri /mpc/reports',
    ])
      assert.ok(policy.includes(part), `${url}: ${part}`)
    assert.equal(response.headers['x-content-type-options'], 'nosniff', url)
    assert.equal(response.headers['cross-origin-opener-policy'], 'same-origin', url)
    assert.equal(response.headers['referrer-policy'], 'no-referrer', url)
    assert.match(String(response.headers['permissions-policy']), /microphone=\(\).* camera=\(self\)$/, url)
    assert.doesNotMatch(response.body, /never served/, url)
  }
})

test('the page may run its own scripts, and of inline scripts only the import map that names their hashes', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  context.after(() => rm(folder, { recursive: true }))
  const map = '{"integrity":{}}'
  await writeFile(join(folder, 'index.html'), `<!doctype html><script type="importmap">${map}</script><script>evil()</script>`)
  const { server } = await startTestServer({ consoleFolder: folder })
  const policyOf = async (url: string) => String((await server.inject({ url, headers: { host: 'localhost:7000' } })).headers['content-security-policy'])
  const hash = createHash('sha256').update(map).digest('base64')
  for (const url of ['/mpc', '/login']) assert.ok((await policyOf(url)).includes(`script-src 'self' 'sha256-${hash}';`), url)
  assert.ok((await policyOf('/healthz')).includes("script-src 'self';"))
})

test('the console is one page for every path of its router, with hashed files that never expire', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'console-'))
  context.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Holdfast</title>')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'assets', 'index-3fa1b2c4.js'), 'plain')
  await writeFile(join(folder, 'assets', 'index-3fa1b2c4.js.br'), 'brotli')
  await writeFile(join(folder, 'assets', 'index-3fa1b2c4.js.gz'), 'gzip')
  const { server } = await startTestServer({ consoleFolder: folder })
  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ method: 'GET', url, headers: { host: 'localhost:7000', ...headers } })
  for (const url of ['/mpc', '/mpc/wallet', '/mpc/center/collection/edit/7', '/login', '/zh-CN/login', '/custody/notPms']) {
    const page = await get(url)
    assert.deepEqual([page.statusCode, page.headers['content-type'], page.headers['cache-control']], [200, 'text/html; charset=utf-8', 'no-cache'], url)
    assert.match(page.body, /Holdfast/)
  }
  const asset = '/mpc/assets/index-3fa1b2c4.js'
  for (const [accept, body] of [
    ['br, gzip', 'brotli'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', 'plain'],
  ] as const) {
    const response = await get(asset, { 'accept-encoding': accept })
    assert.equal(response.body, body)
    assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(response.headers.vary, 'accept-encoding')
  }
  const etag = String((await get('/mpc')).headers.etag)
  assert.equal((await get('/mpc', { 'if-none-match': etag })).statusCode, 304)
  assert.equal((await get('/mpc/favicon.svg')).headers['content-type'], 'image/svg+xml')
  assert.equal((await get('/mpc/assets/old-00000000.js')).statusCode, 404)
  assert.equal((await get('/')).headers.location, 'http://localhost:7000/mpc')
  assert.equal((await get('/mpc/wallet', { host: '127.0.0.1:7000' })).headers.location, 'http://localhost:7000/mpc/wallet')
  // A browser that opens any other path gets the console; programs and calls learn that nothing is there.
  const lost = await get('/nothing/here', { accept: 'text/html,*/*;q=0.8' })
  assert.deepEqual([lost.statusCode, lost.headers.location], [302, 'http://localhost:7000/mpc'])
  assert.equal((await get('/nothing/here')).statusCode, 404)
  assert.equal((await get('/api/nothing', { accept: 'text/html' })).headers.location, undefined)
  const unbuilt = await startTestServer()
  assert.equal((await unbuilt.server.inject({ method: 'GET', url: '/mpc', headers: { host: 'localhost:7000' } })).statusCode, 503)
})

test('the OpenAPI document and the health answer are public', async () => {
  const described = openApi('1', {
    calls: Object.entries(calls).map(([name, endpoint]) => ({ name, feature: 'test', endpoint, refusals: [] })),
    errors: systemErrors,
  })
  const { server } = await startTestServer({ document: described })
  const document = (await server.inject({ method: 'GET', url: '/openapi.json' })).json()
  assert.deepEqual(document, JSON.parse(JSON.stringify(described)))
  const [[path, operation]] = Object.entries(described.paths) as [[string, Record<string, unknown>]]
  const { [path]: _, ...fewer } = described.paths
  await assert.rejects(startTestServer({ document: { paths: fewer } }), /npm run openapi/, 'a call that is served is not described')
  const more = { ...described.paths, '/api/mpc/unknown': operation }
  await assert.rejects(startTestServer({ document: { paths: more } }), /npm run openapi/, 'a call that is described is not served')
  assert.deepEqual((await server.inject({ method: 'GET', url: '/healthz' })).json(), { status: 'ok' })
  const ill = await startTestServer({ health: async () => Promise.reject(new Error('down')) })
  for (const method of ['GET', 'HEAD'] as const) assert.equal((await ill.server.inject({ method, url: '/healthz' })).statusCode, 503)
  const asked = await server.inject({ method: 'HEAD', url: '/healthz' })
  assert.deepEqual([asked.statusCode, asked.body], [200, ''])
  assert.equal((await server.inject({ method: 'HEAD', url: '/api/mpc/read' })).statusCode, 404)
})

test('a terminal signs nothing in by itself: state, then calls, over a real connection', async (context) => {
  const { origin: _, ...rest } = { origin: undefined }
  const { server, addPerson, touches } = await startTestServer({ ...rest, origin: undefined as never })
  context.after(() => server.close())
  const { origin } = await server.listen(0)
  const { client, cookieJar, setOpenToken } = terminal(origin)
  await assert.rejects(client.call(calls.open, {}), (error) => error instanceof CallError && error.is(systemErrors.request_refused))
  assert.deepEqual(await client.call(calls.state, {}), {})
  assert.deepEqual(await client.call(calls.open, {}), { person: null })
  const ada = addPerson('ada')
  cookieJar.set('__Host-holdfast', ada.token)
  const { open_token: openToken } = await client.call(calls.state, {})
  assert.equal(openToken, ada.openToken)
  setOpenToken(openToken)
  assert.equal((await client.call(calls.send, { wallet_id: id, amount: '2.5' })).n, 2)
  assert.deepEqual(await client.call(calls.open, {}), { person: 'ada' })
  touches.length = 0
  await client.call(calls.read, {}, { background: true })
  assert.deepEqual(touches, [false])
})

test('no request at all makes the server fail', async () => {
  const { server, addPerson, headersOf } = await startTestServer({
    rateLimits: { perIp: { burst: 1e9, perSecond: 1e9 }, perSession: { burst: 1e9, perSecond: 1e9 } },
  })
  const ada = addPerson('ada')
  const url = fc.oneof(
    fc.constantFrom('/api/mpc/send', '/api/mpc/read', '/api/mpc/open', '/api/mpc/session/state', '/mpc', '/mpc/x', '/login', '/openapi.json'),
    fc.string({ maxLength: 30 }).map((text) => `/${encodeURI(text.toWellFormed())}`),
  )
  const query = fc.oneof(
    fc.constant(''),
    fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => `?${text.replaceAll(/[\s#]/g, '')}`),
  )
  const name = fc.constantFrom(
    'cookie',
    'x-xsrf-token',
    'opentoken',
    'language',
    'timezone',
    'origin',
    'host',
    'content-type',
    'accept-encoding',
    'sec-fetch-site',
    'if-none-match',
    'user-agent',
  )
  const value = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
    fc.constantFrom('__Host-holdfast=x', form['content-type'], 'application/json', ''),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'),
      url,
      query,
      fc.dictionary(name, value, { maxKeys: 3 }),
      fc.string({ maxLength: 60 }),
      async (method, path, tail, change, payload) => {
        const headers = { ...headersOf(ada), ...(method === 'POST' ? form : {}), ...change }
        const response = await server.inject({ method: method as 'GET', url: path + tail, headers, ...(method === 'POST' ? { payload } : {}) })
        if (response.statusCode >= 500)
          assert.match(method === 'HEAD' ? `${response.statusCode} not built` : response.body, /^503 not built$|The console is not built/)
        assert.doesNotMatch(response.body, /node:|\.ts:|SyntaxError|TypeError/)
      },
    ),
    { numRuns: 1_500 },
  )
})
