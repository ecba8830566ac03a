import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shareTexts } from './worth.ts'

test('the shares of a whole add up to a hundred per cent, each as exact as two decimals allow', () => {
  assert.deepEqual(shareTexts([1n, 1n, 1n], 3n), ['33.34', '33.33', '33.33'])
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 10n ** 20n), { minLength: 1, maxLength: 20 }), (parts) => {
      const whole = parts.reduce((sum, part) => sum + part, 0n)
      fc.pre(whole > 0n)
      const hundredths = shareTexts(parts, whole).map((text) => BigInt(text.replace('.', '')))
      assert.equal(
        hundredths.reduce((sum, each) => sum + each, 0n),
        10_000n,
      )
      hundredths.forEach((each, i) => {
        const error = each * whole - parts[i]! * 10_000n
        assert.ok(error < whole && -error < whole)
      })
    }),
  )
})
