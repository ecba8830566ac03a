import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashReport } from './crash-report.ts'

test('a failure in the browser can be passed on: a reference, where, when, and what', () => {
  const report = crashReport(new Error('boom'), { path: '/mpc/wallet', nowMs: 0, randomBytes: Uint8Array.of(1, 0xab, 0, 0xff) })
  assert.equal(report.reference, '01AB00FF')
  assert.match(report.text, /^Reference 01AB00FF\n1970-01-01T00:00:00.000Z\n\/mpc\/wallet\nError: boom/)
  assert.match(crashReport('text only', { path: '/', nowMs: 0, randomBytes: new Uint8Array(4) }).text, /text only$/)
})
