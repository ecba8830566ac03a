import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextPath } from './next-path.ts'

test('after signing in one gets where one wanted to go', () => {
  for (const path of ['/mpc', '/mpc/wallet', '/mpc/center/wallet/transactions?status=1000&page=2', '/mpc/center/wallet?tab=recovery'])
    assert.equal(nextPath(path), path)
})

test('a sign-in link never leads off this console', () => {
  const hostile = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/mpc//evil.example',
    'javascript:alert(1)',
    '/login',
    '/mpc/../login',
    '/mpcx',
    '/mpc/wallet#x',
    '/mpc/@evil',
    '',
    null,
  ]
  for (const path of hostile) assert.equal(nextPath(path), '/mpc/wallet', String(path))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `/mpc${text}`),
        fc.string().map((text) => `/${text}`),
      ),
      (asked) => {
        const url = new URL(nextPath(asked), 'https://console.example')
        assert.equal(url.origin, 'https://console.example')
        assert.match(url.pathname, /^\/mpc(\/|$)/)
      },
    ),
  )
})
