import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextToRead } from './read-pending.ts'

test('of a pool everything is read once, and what came since the last look before what was there', () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 60 }).map(String), { maxLength: 40 })
  fc.assert(
    fc.property(names, names, fc.nat(40), (before, now, readSoFar) => {
      const [listed, read] = [new Set(before), new Set(before.slice(0, readSoFar))]
      const next = nextToRead(now, { listed, read })
      assert.deepEqual(next.toSorted(), now.filter((txid) => !read.has(txid)).toSorted())
      const old = next.findIndex((txid) => listed.has(txid))
      assert.ok(old === -1 || next.slice(old).every((txid) => listed.has(txid)))
    }),
  )
})
