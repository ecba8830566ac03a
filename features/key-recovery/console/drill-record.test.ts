import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drillFromFile, isDrillText } from './drill-record.ts'

test('a drill record arrives as the recovery tool wrote it, from its file or from its text', () => {
  // The tool writes the canonical encoding, which begins with lengths and therefore holds bytes that are no text.
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (content) => {
      const record = Uint8Array.of(0, ...content)
      const text = Buffer.from(record).toString('base64')
      assert.equal(drillFromFile(record), text)
      assert.equal(drillFromFile(new TextEncoder().encode(`${text}\n`)), text)
      assert.equal(isDrillText(text), true)
    }),
  )
})

test('what cannot be a drill record is not sent', () => {
  for (const text of ['', 'hello, world', '{"a":1}', 'A'.repeat(8193)]) assert.equal(isDrillText(text), false, text.slice(0, 20))
})
