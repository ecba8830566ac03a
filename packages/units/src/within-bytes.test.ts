import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { withinBytes } from './within-bytes.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).length

describe('a text within a number of bytes', () => {
  it('is the text itself where it fits, and otherwise as many whole characters as do', () => {
    assert.equal(withinBytes('Treasury', 8), 'Treasury')
    assert.equal(withinBytes('Treasury', 7), 'Treasur')
    assert.equal(withinBytes('字'.repeat(50), 64), '字'.repeat(21))
    assert.equal(withinBytes(`a${'𠮷'.repeat(50)}`, 64), `a${'𠮷'.repeat(15)}`)
    assert.equal(withinBytes('', 64), '')
  })

  it('never has more bytes, nor room for one character more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, most) => {
        const kept = withinBytes(text, most)
        const [next = ''] = text.slice(kept.length)
        assert.ok(kept.isWellFormed() && text.startsWith(kept) && bytesOf(kept) <= most)
        assert.ok(next === '' || bytesOf(kept) + bytesOf(next) > most)
      }),
    )
  })
})
