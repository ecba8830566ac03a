import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { disguiseOf, piecesOf, plainText } from './hostile-text.ts'

test('what cannot be seen in a name is said in words', () => {
  assert.equal(plainText('US\u200bDT'), 'US[U+200B]DT')
  assert.equal(plainText('\u202eTDSU'), '[U+202E]TDSU')
  assert.equal(plainText('a\u2066b\u2069c'), 'a[U+2066]b[U+2069]c')
  assert.equal(plainText('tab\there\n'), 'tab[U+0009]here[U+000A]')
  assert.equal(plainText('\u200b'.repeat(5000)), '[U+200B×5000]')
  assert.equal(plainText('a\u00a0b'), 'a[U+00A0]b')
  assert.equal(plainText('lone \ud800!'), 'lone [U+D800]!')
  assert.equal(plainText(`z${'\u0301'.repeat(40)}`), 'z[U+0301×40]')
})

test('ordinary names of any language stay as they are', () => {
  for (const name of ['Treasury 1', '热钱包', 'Équipe «Nord»', 'محفظة', 'กระเป๋า', 'ví tiền điện tử', '👨‍👩‍👧‍👦 Family ❤️ 🇨🇭 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'USD₮0', '　全角　'])
    assert.equal(plainText(name), name)
})

test('no invisible character is ever shown as it is, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.nat(60), (text, limit) => {
      for (const shown of [plainText(text), plainText(text, limit)]) {
        const bare = shown.replace(/\p{RGI_Emoji}/gv, '')
        assert.doesNotMatch(bare, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/v)
      }
    }),
  )
})

test('nothing but what is hidden is left out: the pieces joined are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { pieces, isCut } = piecesOf(text)
      assert.equal(isCut, false)
      const length = pieces.reduce((sum, piece) => sum + ('text' in piece ? [...piece.text].length : piece.times), 0)
      assert.equal(length, [...text].length)
    }),
  )
})

test('a name of ten thousand characters is cut, and says so', () => {
  const { pieces, isCut } = piecesOf('A'.repeat(10_000), 240)
  assert.deepEqual(pieces, [{ text: 'A'.repeat(240) }])
  assert.equal(isCut, true)
  const mixture = piecesOf('\u200ba'.repeat(5000), 240)
  assert.ok(mixture.pieces.length <= 60)
  assert.equal(mixture.isCut, true)
})

test('letters of two alphabets in one word, and letters that only look like ordinary ones, are told', () => {
  assert.equal(disguiseOf('USDT'), undefined)
  assert.equal(disguiseOf('U\u0405DT'), 'mixed')
  assert.equal(disguiseOf('\u0391lpha'), 'mixed')
  assert.equal(disguiseOf('Казна'), undefined)
  assert.equal(disguiseOf('Казна USDT'), undefined)
  assert.equal(disguiseOf('热USDT钱包'), undefined)
  assert.equal(disguiseOf('𝐔𝐒𝐃𝐓'), 'styled')
  assert.equal(disguiseOf('ＵＳＤＴ'), 'styled')
  assert.equal(disguiseOf('Équipe'), undefined)
})
