import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { alikeKeys, endOf, looksAlike } from './looks-alike.ts'

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

  const SAME_START: [string, (body: string) => string, number][] = [
    ['bc1q', (body) => `bc1q${body}`, 38],
    ['bc1p', (body) => `bc1p${body}`, 58],
    ['bcrt1q', (body) => `bcrt1q${body}`, 38],
    ['UQ', (body) => `UQ${body}`, 46],
    ['EQ', (body) => `EQ${body}`, 46],
    ['T', (body) => `T${body}`, 33],
    ['0x', (body) => `0x${body}`, 40],
  ]
  for (const [start, of, length] of SAME_START) {
    it(`do not begin alike for ${start}, with which all of them begin`, () => {
      fc.assert(
        fc.property(digits(length), digits(length), (a, b) => {
          fc.pre(a !== b)
          const at = [...a].findIndex((character, i) => character !== b[i])
          const end = [...a].reverse().findIndex((character, i) => character !== b.at(-1 - i))
          assert.equal(looksAlike(of(a), of(b)), (at >= 4 && end >= 4) || at >= 6 || end >= 6)
        }),
      )
      const [a, b] = ['1'.repeat(length), `2${'3'.repeat(length - 5)}1111`]
      assert.equal(looksAlike(of(a), of(b)), false, 'four last characters alone')
      assert.equal(looksAlike(of(a), of(`1111${'3'.repeat(length - 8)}1111`)), true)
    })
  }

  it('are flagged for six characters at one end alone', () => {
    assert.equal(looksAlike('0x1234567890123456789012345678901234abcdef', '0x9876543210987654321098765432109876abcdef'), true)
    assert.equal(looksAlike('0xabcdef7890123456789012345678901234123456', '0xabcdef3210987654321098765432109876654321'), true)
    assert.equal(looksAlike('0x1234567890123456789012345678901234abcdef', '0x98765432109876543210987654321098761bcdef'), false)
  })

  it('have a key in common, and those that do not look alike have none', () => {
    const address = fc
      .tuple(fc.constantFrom('ab', 'abcdef', 'abcd11', '1'), digits(28), fc.constantFrom('ab', 'abcdef', '11cdef', '1'))
      .map((parts) => `0x${parts.join('')}`)
    fc.assert(
      fc.property(address, address, (a, b) => {
        fc.pre(a.toLowerCase() !== b.toLowerCase())
        const keys = alikeKeys(b)
        assert.equal(
          alikeKeys(a).some((key) => keys.includes(key)),
          looksAlike(a, b),
        )
      }),
    )
  })

  it('are not the same address, nor ones that differ at an end', () => {
    fc.assert(
      fc.property(digits(40), (address) => {
        assert.equal(looksAlike(`0x${address}`, `0x${address.toUpperCase()}`), false)
        const other = (character: string | undefined) => (character === 'a' ? 'b' : 'a')
        const flipped = `${address[0]}${other(address[1])}${address.slice(2, -2)}${other(address.at(-2))}${address.at(-1)}`
        assert.equal(looksAlike(`0x${address}`, `0x${flipped}`), false)
        assert.equal(endOf(`0x${address}`), address.slice(-4))
      }),
    )
  })
})
