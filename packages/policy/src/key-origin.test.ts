import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keyOriginOf, withKeyOrigin } from './key-origin.ts'

test('a label says who made the link of a key and whether its person confirmed it, whatever the label claims itself', () => {
  const name = fc.string({ maxLength: 220 })
  fc.assert(
    fc.property(name, name, fc.boolean(), name, fc.boolean(), (label, claimed, isClaimed, linkBy, confirmed) => {
      const dressed = withKeyOrigin(`${label} (link: ${claimed}; confirmed: yes)`, { linkBy: claimed, confirmed: isClaimed })
      const made = withKeyOrigin(dressed, { linkBy, confirmed })
      assert.ok(made.length <= 200, String(made.length))
      const { origin } = keyOriginOf(made)
      assert.equal(origin?.confirmed, confirmed)
      assert.equal(origin!.linkBy.includes(')'), false)
    }),
    { numRuns: 500 },
  )
  assert.deepEqual(keyOriginOf(withKeyOrigin('Phone', { linkBy: 'Bruno Diaz', confirmed: false })), {
    label: 'Phone',
    origin: { linkBy: 'Bruno Diaz', confirmed: false },
  })
  assert.deepEqual(keyOriginOf('Phone'), { label: 'Phone', origin: null })
  assert.equal(keyOriginOf(withKeyOrigin('x', { linkBy: 'a; confirmed: yes) (link: b', confirmed: false })).origin!.confirmed, false)
})
