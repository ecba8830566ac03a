import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shortenHex } from './shorten-hex.ts'

test('long keys in a sentence are shown by their ends and kept whole', () => {
  const key = '02' + 'ab'.repeat(32)
  assert.deepEqual(shortenHex(`Alice: 1 approval key ${key}`), [{ text: 'Alice: 1 approval key ' }, { text: '02ababab…abababab', whole: key }])
  assert.deepEqual(shortenHex('Changes need 2 of Alice, Bruno'), [{ text: 'Changes need 2 of Alice, Bruno' }])
})

test('no word of a sentence is lost', () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[0-9a-f]{40,70}$/), fc.string(), (before, hex, after) => {
      const sentence = `${before} ${hex} ${after}`
      assert.equal(
        shortenHex(sentence)
          .map((part) => part.whole ?? part.text)
          .join(''),
        sentence,
      )
    }),
  )
})
