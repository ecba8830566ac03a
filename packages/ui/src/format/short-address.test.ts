import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupsOfFour, shortAddress } from './short-address.ts'

test('a shortened address keeps six characters at each end (spec 9.13)', () => {
  assert.equal(shortAddress('0x52908400098527886E0F7030069857D2E4169EE7'), '0x5290…169EE7')
  assert.equal(shortAddress('TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'), 'TQn9Y2…KcbLSE')
  assert.equal(shortAddress('abcdefabcdef'), 'abcdefabcdef')
  assert.equal(shortAddress(''), '')
})

test('an address in groups of four is the address', () => {
  assert.deepEqual(groupsOfFour('0x52908400'), ['0x', '5290', '8400'])
  assert.deepEqual(groupsOfFour('TQn9Y'), ['TQn9', 'Y'])
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n')),
      (text) => assert.equal(groupsOfFour(text.replace(/[\r\u2028\u2029]/g, '')).join(''), text.replace(/[\r\u2028\u2029]/g, '')),
    ),
  )
})
