import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keyOriginOf, withKeyOrigin } from './key-origin.ts'

test('a label says who made the link of a key and whether its person confirmed it, and where it was made, whatever the label claims itself', () => {
  const name = fc.string({ maxLength: 220 })
  const page = fc.option(fc.webUrl({ withFragments: false, withQueryParameters: false }).map((url) => new URL(url).origin))
  fc.assert(
    fc.property(name, name, fc.boolean(), name, fc.boolean(), page, (label, claimed, isClaimed, linkBy, confirmed, at) => {
      const dressed = withKeyOrigin(`${label} (link: ${claimed}; confirmed: yes; page: ${claimed})`, { linkBy: claimed, confirmed: isClaimed, page: claimed })
      const made = withKeyOrigin(dressed, { linkBy, confirmed, page: at })
      assert.ok(made.length <= 200, String(made.length))
      const { origin } = keyOriginOf(made)
      assert.equal(origin?.confirmed, confirmed)
      assert.equal(origin!.linkBy.includes(')'), false)
      assert.equal(origin!.page, at === null || at.length > 80 ? null : at)
    }),
    { numRuns: 500 },
  )
  const bruno = { linkBy: 'Bruno Diaz', confirmed: false, page: 'https://approve-2.example.com' }
  assert.deepEqual(keyOriginOf(withKeyOrigin('Phone', bruno)), { label: 'Phone', origin: bruno })
  // As it was written before pages were.
  assert.deepEqual(keyOriginOf('Phone (link: Bruno Diaz; confirmed: no)'), { label: 'Phone', origin: { ...bruno, page: null } })
  assert.deepEqual(keyOriginOf('Phone'), { label: 'Phone', origin: null })
  assert.equal(keyOriginOf(withKeyOrigin('x', { ...bruno, linkBy: 'a; confirmed: yes) (link: b' })).origin!.confirmed, false)
})
