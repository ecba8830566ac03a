import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemErrors } from '@holdfast/contract'
import { createRefusalLog, type RefusalLine } from './refusal-log.ts'
import type { RequestLogEntry } from './request-log.ts'
import { startTestServer } from './test-server.ts'

function writing() {
  const lines: RefusalLine[] = []
  const minutes: (() => void)[] = []
  const timer = { sleep: async () => undefined, after: (_: number, callback: () => void) => (minutes.push(callback), () => undefined) }
  const { log, close } = createRefusalLog({ timer }, (line) => void lines.push(line))
  return { lines, log, close, passMinute: () => minutes.splice(0).forEach((each) => each()) }
}

const entry = (change: Partial<RequestLogEntry> = {}): RequestLogEntry => ({
  atMs: 1_764_292_800_000,
  requestId: 'abc',
  ip: '198.51.100.1',
  method: 'POST',
  path: '/api/mpc/send',
  httpStatus: 200,
  code: systemErrors.not_permitted.code,
  errorName: 'not_permitted',
  durationMs: 1,
  ...change,
})

test('each refused decision is one line that says who and what, and other refusals are none', async (context) => {
  const { lines, log } = writing()
  const { server, addPerson, headersOf } = await startTestServer({ log })
  context.after(() => server.close())
  const viewer = addPerson('vic', ['wallet.read'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (headers: Record<string, string>, payload = 'wallet_id=0190a2b4-7c6d-7e8f-9a0b-1c2d3e4f5a6b&amount=1') =>
    server.inject({ method: 'POST', url: '/api/mpc/send?password=secret', headers: { ...headers, ...form }, payload })
  await send(headersOf(viewer))
  await send(headersOf(viewer, { host: 'evil.example\\u0000' }))
  await send(headersOf(viewer, { cookie: null }))
  await server.inject({ method: 'GET', url: '/api/mpc/events', headers: headersOf(viewer, { 'x-xsrf-token': null }) })
  await send(headersOf(addPerson('ada')), 'amount=nothing')
  await server.inject({ method: 'GET', url: '/api/mpc/read', headers: headersOf(viewer) })
  assert.deepEqual(
    lines.map(({ error, person, path, ip, why }) => ({ error, person, path, ip, why })),
    [
      { error: 'not_permitted', person: 'vic', path: '/api/mpc/send', ip: '127.0.0.1', why: undefined },
      { error: 'request_refused', person: undefined, path: '/api/mpc/send', ip: '127.0.0.1', why: 'host evil.example\\u0000' },
      { error: 'signed_out', person: undefined, path: '/api/mpc/send', ip: '127.0.0.1', why: undefined },
      { error: 'request_refused', person: undefined, path: '/api/mpc/events', ip: '127.0.0.1', why: 'no XSRF token of this session' },
    ],
  )
  assert.doesNotMatch(JSON.stringify(lines), new RegExp(`secret|${viewer.token}|${viewer.openToken}|${viewer.xsrf}`))
})

test('a repeated refusal is one more line in each minute, with its count', () => {
  const { lines, log, passMinute } = writing()
  for (let i = 0; i < 500; i++) log(entry())
  assert.equal(lines.length, 1)
  passMinute()
  assert.deepEqual([lines.length, lines[1]!.times, lines[1]!.ip], [2, 499, '198.51.100.1'])
  passMinute()
  assert.equal(lines.length, 2)
  log(entry())
  assert.equal(lines.length, 3, 'after that minute it is told anew')
})

test('nobody floods the log, not even with many addresses, and every refusal is counted', () => {
  const { lines, log, close } = writing()
  for (let i = 0; i < 5000; i++) log(entry({ ip: `198.51.${i >> 8}.${i & 255}`, path: `/api/${'x'.repeat(5000)}` }))
  for (let i = 0; i < 5000; i++) log(entry({ ip: `2001:db8::${i.toString(16)}` }))
  assert.equal(lines.length, 200)
  close()
  assert.equal(lines.length, 201)
  assert.deepEqual([lines[200]!.error, lines[200]!.times], ['various', 9800])
  assert.ok(lines.every((line) => JSON.stringify(line).length < 700))
})
