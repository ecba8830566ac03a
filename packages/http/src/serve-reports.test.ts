import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import type { ViolationLine } from './serve-reports.ts'
import { startTestServer } from './test-server.ts'

const PATH = '/mpc/reports'

async function start() {
  const lines: ViolationLine[] = []
  let now = 1_000_000
  const clock = { ...nodePorts.clock, nowMs: () => now, monotonicMs: () => now }
  const { server } = await startTestServer({ ports: { ...nodePorts, clock }, violations: (line) => void lines.push(line) })
  const report = (payload: string, type = 'application/csp-report', remoteAddress = '192.0.2.1') =>
    server.inject({ method: 'POST', url: PATH, payload, remoteAddress, headers: { host: 'localhost:7000', 'content-type': type } })
  return { lines, report, pass: (ms: number) => void (now += ms) }
}

const older = (blocked: string) =>
  JSON.stringify({
    'csp-report': {
      'document-uri': 'http://localhost:7000/mpc/wallet?t=secret#x',
      'blocked-uri': blocked,
      'effective-directive': 'script-src-elem',
      'source-file': 'http://localhost:7000/mpc/assets/a.js',
    },
  })

test('what a browser blocked is one line in the log, without queries, by either way of reporting', async () => {
  const { lines, report } = await start()
  assert.equal((await report(older('https://evil.example/a.js?token=1'))).statusCode, 204)
  const newer = {
    type: 'csp-violation',
    url: 'http://localhost:7000/mpc',
    body: { effectiveDirective: 'require-trusted-types-for', blockedURL: 'trusted-types-sink', documentURL: 'http://localhost:7000/mpc', sourceFile: null },
  }
  await report(JSON.stringify([newer, { ...newer, type: 'deprecation' }]), 'application/reports+json')
  assert.deepEqual(
    lines.map(({ request: _request, at: _at, ...line }) => line),
    [
      {
        event: 'page_violation',
        directive: 'script-src-elem',
        blocked: 'https://evil.example/a.js',
        page: 'http://localhost:7000/mpc/wallet',
        source: 'http://localhost:7000/mpc/assets/a.js',
        ip: '192.0.2.1',
      },
      {
        event: 'page_violation',
        directive: 'require-trusted-types-for',
        blocked: 'trusted-types-sink',
        page: 'http://localhost:7000/mpc',
        source: '',
        ip: '192.0.2.1',
      },
    ],
  )
})

test('whoever sends many reports, long ones or large ones fills no log', async () => {
  const { lines, report, pass } = await start()
  for (let i = 0; i < 100; i++) await report(older(`https://evil.example/${i}`))
  assert.equal(lines.length, 10)
  await report(older('x'.repeat(5000)), 'application/csp-report', '198.51.100.7')
  assert.equal(lines.at(-1)?.blocked.length, 200)
  assert.equal((await report(older('x'.repeat(20_000)), 'application/csp-report', '198.51.100.7')).statusCode, 413)
  assert.equal((await report(older('a'), 'application/json', '198.51.100.7')).statusCode, 415)
  const many = JSON.stringify(Array.from({ length: 50 }, () => ({ type: 'csp-violation', body: { blockedURL: 'a' } })))
  const before = lines.length
  await report(many, 'application/reports+json', '203.0.113.9')
  assert.equal(lines.length - before, 5)
  for (let i = 0; i < 300; i++) await report(many, 'application/reports+json', `10.${i % 250}.${Math.floor(i / 250)}.1`)
  assert.equal(lines.length, 60)
  pass(10_000)
  await report(older('later'))
  assert.equal(lines.length, 61)
})

test('no report makes the server fail, and only what a browser would send becomes a line', async () => {
  const { report, pass } = await start()
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((text) => `{"csp-report":${text}}`),
    fc.json().map((text) => `[{"type":"csp-violation","body":${text}}]`),
  )
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom('application/csp-report', 'application/reports+json'), async (payload, type) => {
      pass(60_000)
      assert.ok((await report(payload, type)).statusCode < 500)
    }),
    { numRuns: 300 },
  )
})
