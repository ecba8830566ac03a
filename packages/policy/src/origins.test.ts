import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { faultOfOrigins, isApprovalOrigin } from './origins.ts'

const pageAt = (host: string) => ({ origin: `https://${host}`, rpId: host })
const first = pageAt('approve.example.com')

test('a further approval page has to be a page of its own, for passkeys of its own host', () => {
  const second = pageAt('approve-2.example.com')
  assert.equal(faultOfOrigins([first, second], [first]), undefined)
  assert.equal(faultOfOrigins([second], [first, second]), undefined, 'one page fewer')
  assert.match(faultOfOrigins([first, second, second], [first])!, /twice/)
  assert.match(faultOfOrigins([first, first], [first])!, /twice/)
  assert.match(faultOfOrigins([first, { ...first, rpId: 'example.com' }], [first])!, /twice/)
  assert.match(faultOfOrigins([{ ...first, rpId: 'example.com' }], [first])!, /another host/)
  for (const origin of [
    'http://approve.example.com',
    'https://approve.example.com/',
    'HTTPS://approve.example.com',
    'https://a@b.example',
    'approve',
    '',
    'null',
  ])
    assert.match(faultOfOrigins([first, { origin, rpId: 'approve.example.com' }], [first])!, /no origin of a page/, origin)
  assert.equal(isApprovalOrigin('http://approve-2.localhost:7021'), true)
})

test('what stood in the version before is never a fault, whatever it is, and nothing else than a whole page ever comes in', () => {
  const place = fc.record({
    origin: fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.domain().map((host) => `https://${host}`),
    ),
    rpId: fc.oneof(fc.domain(), fc.string()),
  })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 4 }), fc.array(place, { maxLength: 4 }), (before, added) => {
      assert.equal(faultOfOrigins(before, before), undefined)
      if (faultOfOrigins([...before, ...added], before) !== undefined) return
      for (const { origin, rpId } of added) {
        const isKnown = before.some((each) => each.origin === origin && each.rpId === rpId)
        assert.ok(isKnown || (new URL(origin).origin === origin && new URL(origin).hostname === rpId))
      }
    }),
    { numRuns: 500 },
  )
})
