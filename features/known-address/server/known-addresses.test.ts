import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { looksAlike } from '@holdfast/chain-core'
import fc from 'fast-check'
import { byLooks, imitatedBy, knownAs, type KnownAddresses, labelOf } from './known-addresses.ts'

type Known = NonNullable<ReturnType<KnownAddresses['get']>>[number]

const digits = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const kinds = fc.constantFrom<Known['kind']>('own', 'book', 'paid')
const bookOf = (...known: Known[]) => byLooks(known)

describe('an address that looks like a known one', () => {
  it('is told to imitate it, 100 in 100, whichever kind is known, and an address of its own look is not', () => {
    const parts = fc.record({ start: digits(4), end: digits(4), middle: digits(32), other: digits(32), kind: kinds, far: digits(40) })
    fc.assert(
      fc.property(parts, ({ start, end, middle, other, kind, far }) => {
        fc.pre(middle !== other && far.slice(-4) !== end)
        const real: Known = { address: `0x${start}${middle}${end}`, label: 'Rent', kind, sinceMs: 5 }
        assert.equal(imitatedBy(bookOf(real), `0x${start}${other}${end}`), real)
        assert.equal(imitatedBy(bookOf(real), real.address), undefined)
        assert.equal(imitatedBy(bookOf(real), `0x${far}`), undefined)
        assert.equal(labelOf(bookOf(real), `0x${start}${other}${end}`), null)
        assert.equal(labelOf(bookOf(real), real.address), 'Rent')
      }),
      { numRuns: 1000 },
    )
  })

  it('is told to imitate it where it only begins or only ends like it, exactly as addresses look alike', () => {
    const part = (text: string) => fc.constantFrom('', text.slice(0, 4), text.slice(0, 6), text)
    const address = fc
      .tuple(part('abcdefab'), digits(8), digits(8), part('badcfeba'))
      .map(([start, a, b, end]) => `0x${start}${a}${'0'.repeat(40 - start.length - end.length - 16)}${b}${end}`)
    fc.assert(
      fc.property(fc.uniqueArray(address, { minLength: 2, maxLength: 6 }), kinds, ([seen, ...others], kind) => {
        const known = others.map((each, i): Known => ({ address: each, label: `${i}`, kind, sinceMs: i }))
        const alike = known.filter((each) => looksAlike(each.address, seen!))
        assert.equal(imitatedBy(bookOf(...known), seen!), alike[0])
        for (const each of known) assert.deepEqual(knownAs(bookOf(...known), each.address), [each])
        assert.deepEqual(knownAs(bookOf(...known), seen!), [])
      }),
      { numRuns: 2_000 },
    )
  })

  it('still imitates after it was paid by mistake, and the one that was known first never does', () => {
    const [real, planted] = ['0xabcd00000000000000000000000000000000ef12', '0xabcd11111111111111111111111111111111ef12'] as const
    const first: Known = { address: real, label: null, kind: 'paid', sinceMs: 1 }
    const later: Known = { address: planted, label: null, kind: 'paid', sinceMs: 2 }
    assert.equal(imitatedBy(bookOf(later, first), planted), first)
    assert.equal(imitatedBy(bookOf(later, first), real), undefined)
    const ours: Known = { address: planted, label: 'Treasury', kind: 'own', sinceMs: 9 }
    assert.equal(imitatedBy(bookOf(first, ours), planted), undefined)
  })
})
