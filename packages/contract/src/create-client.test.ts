import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import * as z from 'zod'
import { CallError, TransportError } from './call-error.ts'
import { createCookieJar } from './cookie-jar.ts'
import { type ClientOptions, createClient } from './create-client.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { amountText, boolText, jsonField, pageNumber } from './field-types.ts'
import { readEvents } from './read-events.ts'
import { systemErrors } from './system-errors.ts'

const save = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/save',
  permission: 'public',
  summary: '',
  output: z.any(),
  input: z.object({ amount: amountText, urgent: boolText, list: jsonField(z.array(z.int())), note: z.string().optional() }),
})
const list = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/list',
  permission: 'public',
  summary: '',
  output: z.object({ id: z.string() }).nullable(),
  input: z.object({ page_no: pageNumber }),
})

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

async function serve(context: TestContext, answer: (response: ServerResponse, seen: Seen) => void) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const each = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    seen.push(each)
    answer(response, each)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const neverLate: ClientOptions['timer'] = { after: () => () => undefined }
const client = (options: Partial<ClientOptions> & { baseUrl: string }) =>
  createClient({
    fetch,
    timer: neverLate,
    cookieJar: createCookieJar(),
    headers: () => ({ language: 'zh_CN', openToken: 'open-1', timezone: 'Asia/Shanghai' }),
    ...options,
  })
const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

test('a POST is form-encoded, a GET takes a query, and both carry the headers of the specification (spec 7.1, 7.2, 7.3)', async (context) => {
  const { seen, baseUrl } = await serve(context, (response) => json(response, { code: '0', msg: '', data: null }))
  const { call } = client({ baseUrl })
  await call(save, { amount: '1.5', urgent: true, list: [1, 2], note: undefined })
  await call(list, { page_no: 3 }, { background: true })
  assert.equal(seen[0]?.body, 'amount=1.5&urgent=true&list=%5B1%2C2%5D')
  assert.equal(seen[0]?.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(seen[1]?.url, '/api/mpc/list?page_no=3')
  for (const { headers } of seen) {
    assert.equal(headers.language, 'zh_CN')
    assert.equal(headers.opentoken, 'open-1')
    assert.equal(headers['build-cu'], 'web')
    assert.equal(headers.timezone, 'Asia/Shanghai')
    assert.equal(headers.platform, 'Holdfast')
    assert.equal(headers.origin, baseUrl)
  }
  assert.equal(seen[0]?.headers['x-background'], undefined)
  assert.equal(seen[1]?.headers['x-background'], '1')
})

test('the XSRF-TOKEN cookie travels back as the X-XSRF-TOKEN header (spec 7.4)', async (context) => {
  const { seen, baseUrl } = await serve(context, (response) => {
    response.setHeader('set-cookie', ['XSRF-TOKEN=abc.def; Path=/; Secure', '__Host-holdfast=s1; Path=/; Secure; HttpOnly'])
    json(response, { code: '0', msg: '', data: null })
  })
  const { call } = client({ baseUrl })
  await call(list, {})
  await call(list, {})
  assert.equal(seen[0]?.headers['x-xsrf-token'], undefined)
  assert.equal(seen[1]?.headers['x-xsrf-token'], 'abc.def')
  assert.equal(seen[1]?.headers.cookie, 'XSRF-TOKEN=abc.def; __Host-holdfast=s1')
  const inPage = createClient({
    baseUrl,
    fetch,
    timer: neverLate,
    headers: () => ({ language: 'en_US', timezone: 'UTC' }),
    documentCookies: () => 'lan=en_US; XSRF-TOKEN=page',
  })
  assert.equal(inPage.request('GET', '/x').init.headers['X-XSRF-TOKEN'], 'page')
})

test('only the text "0" is success, and the text "{}" as data is null (spec 3.5, 8.1, 8.8)', async (context) => {
  const replies = [
    { code: '0', msg: '', data: '{}' },
    { code: '0', msg: '', data: { id: 'a', extra: 1 } },
    { code: '110005', msg: 'no', data: '{}' },
    { code: '1', msg: 'no', data: null },
  ]
  const { baseUrl } = await serve(context, (response) => json(response, replies.shift()))
  const heard: string[] = []
  const { call } = client({ baseUrl, onRefusal: ({ code }) => heard.push(code) })
  assert.equal(await call(list, {}), null)
  assert.deepEqual(await call(list, {}), { id: 'a' })
  await assert.rejects(
    call(list, {}),
    (error) => error instanceof CallError && error.code === '110005' && error.data === null && error.is(systemErrors.amount_error),
  )
  await assert.rejects(call(list, {}), (error) => error instanceof CallError && !error.is(systemErrors.amount_error))
  assert.deepEqual(heard, ['110005', '1'])
})

test('whoever calls says which refusals they show themselves, and the one who hears of all refusals is told so', async (context) => {
  const { baseUrl } = await serve(context, (response) => json(response, { code: '110005', msg: 'no', data: null }))
  const heard: boolean[] = []
  const { call } = client({ baseUrl, onRefusal: (_, isShown) => heard.push(isShown) })
  const isAmount = (error: CallError) => error.is(systemErrors.amount_error)
  for (const shows of [undefined, isAmount, () => false]) await assert.rejects(call(list, {}, shows && { shows }), CallError)
  assert.deepEqual(heard, [false, true, false])
})

test('an envelope under an error status is an answer; anything else is a transport failure (spec 8.9)', async (context) => {
  const { baseUrl } = await serve(context, (response, { url }) => {
    if (url.includes('page_no=1')) return json(response, { code: '300006', msg: 'slow down', data: { retry_after: 3 } }, 429)
    if (url.includes('page_no=2')) return json(response, { code: 0, data: 1 })
    if (url.includes('page_no=3')) return json(response, { code: '0', msg: '', data: { id: 5 } })
    if (url.includes('page_no=4')) return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    return response.end('<html>')
  })
  const { call } = client({ baseUrl })
  await assert.rejects(call(list, { page_no: 1 }), (error) => error instanceof CallError && error.httpStatus === 429 && error.is(systemErrors.rate_limited))
  for (const page of [2, 3, 5]) await assert.rejects(call(list, { page_no: page }), (error) => error instanceof TransportError && error.reason === 'unreadable')
  await assert.rejects(call(list, { page_no: 4 }), (error) => error instanceof TransportError && error.reason === 'network')
  await assert.rejects(client({ baseUrl: 'http://127.0.0.1:1' }).call(list, {}), (error) => error instanceof TransportError && error.reason === 'network')
})

test('a call waits 10 seconds, or the 60 of a call that says so, and then rejects as unknown (spec 9.1, 9.2)', async (context) => {
  const { baseUrl } = await serve(context, () => undefined)
  const waits: number[] = []
  const timer = {
    after: (ms: number, callback: () => void) => {
      waits.push(ms)
      queueMicrotask(callback)
      return () => undefined
    },
  }
  const { call } = client({ baseUrl, timer })
  await assert.rejects(call(list, {}), (error) => error instanceof TransportError && error.reason === 'timeout')
  await assert.rejects(call({ ...list, timeoutMs: 60_000 }, {}), (error) => error instanceof TransportError && error.reason === 'timeout')
  assert.deepEqual(waits, [10_000, 60_000])
  const stop = new AbortController()
  stop.abort(new Error('left the page'))
  await assert.rejects(client({ baseUrl }).call(list, {}, { signal: stop.signal }), /left the page/)
})

test('a call without an address or a method is refused before it leaves, in the texts agreed (spec 5.3, 8.10)', async () => {
  let sent = 0
  const counting = (async () => void sent++) as unknown as typeof fetch
  const expected = { zh_CN: ['请传入url', '请传入method'], en_US: ['Give the url of the call.', 'Give the method of the call.'] }
  for (const language of ['zh_CN', 'en_US'] as const) {
    const { call } = client({ baseUrl: 'http://127.0.0.1:1', fetch: counting, headers: () => ({ language, timezone: 'UTC' }) })
    const [url, method] = expected[language]
    await assert.rejects(call({ ...list, path: '' as '/api/mpc/list' }, {}), { message: url })
    await assert.rejects(call({ ...list, method: '' as 'GET' }, {}), { message: method })
    await assert.rejects(call(undefined as never, {}), { message: url })
  }
  assert.equal(sent, 0)
})

test('server-sent events are read one by one, however the bytes are cut', async (context) => {
  const { baseUrl } = await serve(context, (response, { url }) => {
    if (url === '/refused') return void json(response, { code: '110909', msg: 'out', data: null })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = ': beat\n\nid: 1\nevent: order\ndata: {"id":"金"}\n\nid: 2\nevent: end\ndata: {"code":"110909"}\n\n'
    const bytes = new TextEncoder().encode(text)
    let at = 0
    const write = () => (at < bytes.length ? response.write(bytes.subarray(at, (at += 7)), () => setImmediate(write)) : response.end())
    write()
  })
  const events = []
  for await (const event of readEvents(client({ baseUrl }), fetch, '/events')) events.push(event)
  assert.deepEqual(events, [
    { id: '1', topic: 'order', data: { id: '金' } },
    { id: '2', topic: 'end', data: { code: '110909' } },
  ])
  await assert.rejects(readEvents(client({ baseUrl }), fetch, '/refused').next(), (error) => error instanceof CallError && error.code === '110909')
})
