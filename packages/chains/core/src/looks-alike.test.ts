import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { endOf, looksAlike } from './looks-alike.ts'

const digits = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })

describe('addresses that look alike', () => {
  it('are flagged, 100 in 100, where they share six characters at each end, as planted ones do, in any case', () => {
    fc.assert(
      fc.property(digits(6), digits(28), digits(28), digits(6), fc.boolean(), (start, middle, other, end, upper) => {
        fc.pre(middle !== other)
        const planted = `${start}${other}${end}`
        assert.equal(looksAlike(`0x${start}${middle}${end}`, `0x${upper ? planted.toUpperCase() : planted}`), true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are not the same address, nor ones that differ at an end', () => {
    fc.assert(
      fc.property(digits(40), (address) => {
        assert.equal(looksAlike(`0x${address}`, `0x${address.toUpperCase()}`), false)
        const flipped = address[1] === 'a' ? 'b' : 'a'
        assert.equal(looksAlike(`0x${address}`, `0x${address[0]}${flipped}${address.slice(2)}`), false)
        assert.equal(endOf(`0x${address}`), address.slice(-4))
      }),
    )
  })
})
