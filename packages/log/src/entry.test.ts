import assert from 'node:assert/strict'
import { it } from 'node:test'
import { encode } from '@holdfast/encoding'
import fc from 'fast-check'
import { entryAround, entryShape } from './index.ts'

it('an entry is what stands around its sequence, with the sequence and the count of its bytes between', () => {
  const bytes = (length?: number) => fc.uint8Array(length === undefined ? { maxLength: 300 } : { minLength: length, maxLength: length })
  const entries = fc.record({
    genesis: bytes(32),
    atMs: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    type: fc.stringMatching(/^[a-z-]{0,64}$/),
    body: bytes(),
  })
  const sequences = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.constantFrom(0n, 1n, 255n, 256n, 65_535n, 65_536n))
  fc.assert(
    fc.property(entries, sequences, (entry, sequence) => {
      const { before, after } = entryAround(entry)
      const hex = sequence === 0n ? '' : sequence.toString(16)
      const digits = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
      const made = Buffer.concat([before, new Uint8Array([0, 0, 0, digits.length]), digits, after])
      assert.deepEqual(new Uint8Array(made), encode(entryShape, { ...entry, sequence }))
    }),
  )
})
